// Which files in a folder are those of a run, and how they are moved and removed. Whatever else is there stays.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace gcnh {

bool is_there(const std::filesystem::path& path);   // a link is, wherever it leads
bool is_folder(const std::filesystem::path& path);  // a link is none

std::filesystem::path checkpoint_folder(const std::filesystem::path& run);
std::filesystem::path checkpoint_path(const std::filesystem::path& run, int split);
std::optional<int> split_of(const std::filesystem::path& path);  // of a name that checkpoint_path gives
std::vector<std::filesystem::path> checkpoints(const std::filesystem::path& run);

void remove_file(const std::filesystem::path& path);
// Removes the files of a run, result.json first, or none of them when one is a folder.
void remove_run(const std::filesystem::path& run);
// Those that are there, relative to the folder, result.json first. Throws a usage error when one is a folder.
std::vector<std::filesystem::path> run_files_in(const std::filesystem::path& run);

}  // namespace gcnh
