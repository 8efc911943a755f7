// What train and compare have in common: flags, a prepared run, its execution with progress, and its files.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/data_flags.h"

namespace gcnh::cli {

// The setup as far as flags fill it in; make_setup adds what has to be read first.
struct RunFlags {
  DataFlags data;
  Setup setup;
  std::string splits = "all";
  OptionFlags options;
  std::string out;
  bool resume = false;
  bool force = false;
  double checkpoint_seconds = 10;
  bool json = false;
  bool plan = false;
  std::string final;   // a word of FinalChoice; empty: not given
  double level = 0.9;  // of sets
  std::string costs;   // file
  std::string decide;  // a metric

  EarlierRun earlier() const { return force ? EarlierRun::replace : resume ? EarlierRun::resume : EarlierRun::refuse; }
};

void add_run_flags(CLI::App& app, RunFlags& flags);

// Throws unless every option that was given belongs to the trainer or to one of the models; unknown models are errors
// too.
void check_options(const RunFlags& flags, const std::vector<std::string>& models);

// What is wrong with the data, found by the brief form of gcnh check, and which metric would suit it better than the
// default; it does not look where nobody would read it. It is told once training can begin: an error stands alone.
class DataNotes {
 public:
  DataNotes(const RunFlags& flags, const Tables& tables);
  void tell(const Experiment& experiment);  // on stderr, once; nothing when quiet
  const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  std::vector<Remark> remarks_;
  bool metric_given_;
  bool is_told_;
};

// The experiment that the flags ask for with this model. The remarks are kept for its report.
Experiment make_experiment(const RunFlags& flags, Tables tables, const std::string& model,
                           const std::vector<Remark>& remarks = {});

// A file that a run writes must be none of those that it reads.
void check_written(const RunFlags& flags, const std::filesystem::path& file);

// Refuses folders that hold what a run in them would replace, unless the flags say to continue or to replace it.
void check_folders(const RunFlags& flags, const std::vector<std::filesystem::path>& folders);

// Takes the folder for this program; none where none is wanted.
std::optional<RunFolder> open_folder(const RunFlags& flags, const std::filesystem::path& folder);

// What to say after Ctrl-C.
std::string how_to_resume(const RunFlags& flags);

// Runs it with a progress bar. Ctrl-C leaves a resumable run folder; a finished run is written to it, after what
// `before_writing` has to add.
RunResult execute(const RunFlags& flags, const Experiment& experiment, RunFolder* folder,
                  const std::function<void(const RunResult&)>& before_writing = {});

// "data   synthetic (clean view)  1490 nodes  2970 edges ...", in lines
std::string describe_data(const Experiment& experiment);

// The row of a table with the values of a reading behind it, two decimals each: all of a few, of more than so many the
// lowest and the highest. What does not fit goes on below.
inline constexpr std::size_t kListedValues = 6;
std::string with_reading(const std::string& row, const std::vector<double>& values);

}  // namespace gcnh::cli
