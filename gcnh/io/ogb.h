// The folders that the Open Graph Benchmark downloads, as they are: raw/edge.csv.gz, node-feat.csv.gz,
// node-label.csv.gz and num-node-list.csv.gz, tables without a line of names; split/NAME/{train,valid,test}.csv.gz,
// node numbers.
#pragma once

#include <filesystem>

#include "gcnh/graph/dataset.h"

namespace gcnh {

bool is_ogb_folder(const std::filesystem::path& folder);

// Files may also be there unpacked (edge.csv). Every split is one of the graph's, in the order of their names.
Tables read_ogb(const std::filesystem::path& folder);

}  // namespace gcnh
