// A finished run that is to be replaced waits in a folder of its own, RUN/before-force, until the new one is there.
#pragma once

#include <filesystem>

namespace gcnh {

std::filesystem::path set_aside_folder(const std::filesystem::path& run);
bool has_set_aside(const std::filesystem::path& run);
// Whether a program that moved it was killed in the middle of that; and mends it: the run is in its folder again.
bool is_in_two_places(const std::filesystem::path& run);
void put_together(const std::filesystem::path& run);
// Moves a finished run there; of an unfinished one the files are removed, and what waits already goes on waiting.
void set_aside(const std::filesystem::path& run);
// Moves it back in the place of what is there now, result.json last.
void bring_back(const std::filesystem::path& run);
// The new one is there. Folders that are empty then go, too.
void drop_set_aside(const std::filesystem::path& run);

}  // namespace gcnh
