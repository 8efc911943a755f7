// Runs studies with progress and Ctrl-C.
#pragma once

#include <filesystem>
#include <string>

#include "cli/experiment.h"
#include "cli/progress.h"

namespace gcnh::cli {

// Where commands keep the journal of a study.
std::filesystem::path journal_in(const std::filesystem::path& folder);

// The journal of a folder, made if it is not there, and what the terminal sees of the work on it.
class StudyRun {
 public:
  // Without a path the journal is in memory. With --force a file that is no journal is set aside, under another name.
  // `how_to_go_on` is said after Ctrl-C.
  StudyRun(const RunFlags& flags, const std::filesystem::path& journal, std::string how_to_go_on);

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
      fail(Status::interrupted, "interrupted; ", how_to_go_on_);
    }
  }

  // The progress of the next run is that of all these rounds.
  void expect(const std::vector<Round>& rounds);
  // What the progress shows from here on.
  void rename(const std::string& title) { title_ = title; }
  const Journal& journal() const { return journal_; }

 private:
  void update(std::size_t done, std::size_t total);

  std::string how_to_go_on_;
  StopOnInterrupt interrupt_;
  ProgressBar bar_;
  std::string title_;
  std::size_t trained_ = 0;        // splits, since the progress began
  std::vector<std::size_t> ends_;  // trainings by the end of each round; empty: each counts for itself
  std::size_t round_ = 0;          // of these, from 1
  Journal journal_;
  Study study_;
};

}  // namespace gcnh::cli
