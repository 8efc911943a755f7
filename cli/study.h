// Runs studies with progress and Ctrl-C.
#pragma once

#include <filesystem>
#include <string>

#include "cli/experiment.h"
#include "cli/progress.h"

namespace gcnh::cli {

// The journal of a folder, made if it is not there, and what the terminal sees of the work on it.
class StudyRun {
 public:
  StudyRun(const RunFlags& flags, const std::filesystem::path& journal);

  // Calls body with the study; progress shows the title. Ctrl-C ends it with a hint how to go on.
  template <class Body>
  auto run(const std::string& title, const Body& body) {
    title_ = title;
    try {
      auto result = body(study_);
      bar_.finish();
      return result;
    } catch (const Error& error) {
      bar_.finish();
      if (error.status() != Status::interrupted) throw;
      fail(Status::interrupted, "interrupted; the same command again continues from ", path_.string());
    }
  }

  // What the progress shows from here on.
  void rename(const std::string& title) { title_ = title; }
  const Journal& journal() const { return journal_; }

 private:
  void update(std::size_t done, std::size_t total);

  std::filesystem::path path_;
  StopOnInterrupt interrupt_;
  ProgressBar bar_;
  std::string title_;
  std::size_t done_before_ = 0;  // splits that the journal had
  Journal journal_;
  Study study_;
};

}  // namespace gcnh::cli
