// What train and compare have in common: flags, a prepared run, its execution with progress, and its files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/flags.h"

namespace gcnh::cli {

struct RunFlags {
  DataFlags data;
  std::string view = "clean";
  std::string recipe;
  std::string scale = "auto";
  std::string splits = "all";
  std::string engine = "auto";
  std::uint64_t seed = 1;
  int threads = 0;
  std::string out;
  bool resume = false;
  bool force = false;
  double checkpoint_seconds = 10;
  bool json = false;
  OptionFlags options;
};

void add_run_flags(CLI::App& app, RunFlags& flags);

// Throws unless every option that was given belongs to the trainer or to one of the models; unknown models are errors
// too.
void check_options(const RunFlags& flags, const std::vector<std::string>& models);

// The flags as a setup for one model.
Setup make_setup(const RunFlags& flags, const std::string& model);

// The data under the view, scaled and split, and the configuration: model defaults, then the recipe, then the flags.
Experiment prepare(const RunFlags& flags, Tables tables, const std::string& model);

int num_threads(const RunFlags& flags);

// Refuses folders that hold what a run in them would replace, unless the flags say to continue or to replace it.
void check_folders(const RunFlags& flags, const std::vector<std::filesystem::path>& folders);

// Takes the folders for this program, for as long as what is returned lives, checks them, and clears them of earlier
// runs where the flags say so.
std::vector<FolderLock> claim_folders(const RunFlags& flags, const std::vector<std::filesystem::path>& folders);

// Runs it with a progress bar. Ctrl-C leaves a resumable run folder. Writes the model, the results and what reports
// need into the run folder, if there is one; result.json last, so that a folder that has it is complete.
RunResult execute(const RunFlags& flags, const Experiment& experiment);

// "data   synthetic (clean view)  1490 nodes  2970 edges ...", in lines
std::string describe_data(const Experiment& experiment);

// 81.23 ± 1.20, in percent.
std::string percent(const MeanStd& m);

}  // namespace gcnh::cli
