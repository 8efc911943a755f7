// The folders that the Open Graph Benchmark downloads, as they are: raw/edge.csv.gz, node-feat.csv.gz,
// node-label.csv.gz and num-node-list.csv.gz, tables without a line of names, and perhaps edge_weight.csv.gz;
// split/NAME/{train,valid,test}.csv.gz, node numbers.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

bool is_ogb_folder(const std::filesystem::path& folder);

// Files may also be there unpacked (edge.csv). Every split is one of the graph's, in the order of their names.
Tables read_ogb(const std::filesystem::path& folder);

// Paths inside such a folder and the bytes of the files, in the order in which they are to be written: what makes it an
// OGB folder comes last. Names of nodes, features and classes are not part of the form. Throws when the folder holds
// links, or files that would be read as parts of this graph.
std::vector<std::pair<std::string, std::string>> ogb_files(const Tables& tables, const std::filesystem::path& folder);

}  // namespace gcnh
