// The folder that a run is kept in: which files in it are the run's, and when they may be written or removed. Whatever
// else is in the folder stays as it is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gcnh {

// What a finished run has beside its checkpoints. A folder that has the first, result.json, is complete.
const std::vector<std::string>& run_file_names();

// Whether it is the folder of a run, finished or not.
bool holds_run(const std::filesystem::path& out);

// The models whose runs are in folders of their names, as a comparison keeps them.
std::vector<std::string> compared_models(const std::filesystem::path& out);

// Throws a usage error when the folder is that of a comparison and not of a run: a run in it would be mixed with it.
void check_no_comparison(const std::filesystem::path& out);

// Throws a usage error that says what to do when a run in this folder would replace files that are there, unless it
// continues an earlier one.
void check_out_folder(const std::filesystem::path& out, bool resume);

// Throws a usage error when the folder holds a finished run that has other splits as well: its files would lose them.
void check_kept_splits(const std::filesystem::path& out, const std::vector<int>& splits);

// Removes the files of a run, or none of them when one is a folder; result.json goes first, so that it never stands
// beside files of another run.
void remove_run(const std::filesystem::path& out);

}  // namespace gcnh
