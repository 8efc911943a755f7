// --plan: what a command would read, train and write, and what that costs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/experiment.h"

namespace gcnh::cli {

// Trainings of one model.
struct PlannedRun {
  std::function<Experiment()> make;  // one after the other, as they would be trained
  std::size_t cells = 1;             // option values that are tried, each on all splits
  std::string note = {};             // behind the time
};

// Trains every model for a few epochs to measure them; the test nodes stay unread, and nothing is written.
void print_plan(const RunFlags& flags, const std::vector<PlannedRun>& runs, const std::vector<std::string>& written);

// The files that a run leaves in the folder, for people: the first with the folder, the others without. None without a
// folder.
std::vector<std::string> files_in(const std::string& folder, bool has_model = true, bool is_searched = false);

}  // namespace gcnh::cli
