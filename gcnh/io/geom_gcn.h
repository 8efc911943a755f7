// The text form of Geom-GCN: out1_graph_edges.txt with "source<TAB>target" lines and out1_node_feature_label.txt with
// "id<TAB>features<TAB>label" lines, and the split files NAME_split_0.6_0.2_K.npz beside them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// Features are F comma-separated numbers, or, when the header names a feature_amount, a list of the columns that are 1.
Tables read_geom_gcn(const std::filesystem::path& folder, const std::string& name);

// Files 0, 1, 2, ... until one is missing.
std::vector<Split> read_geom_gcn_splits(const std::filesystem::path& folder, const std::string& name, Index num_nodes);

}  // namespace gcnh
