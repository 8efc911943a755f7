// The tables of a run folder (run_files.h), read back.
#pragma once

#include "gcnh/run/stored_run.h"

namespace gcnh {

// Needs the classes and the splits of the run.
void read_predictions(const std::filesystem::path& path, StoredRun& run);
void read_map(const std::filesystem::path& path, std::vector<MapPoint>& map);

}  // namespace gcnh
