// A whole graph in one npz file, in either of two public forms.
#pragma once

#include <filesystem>
#include <string>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// nettack: adj_{data,indices,indptr,shape}, attr_{data,indices,indptr,shape}, labels; every stored entry is an edge.
// heterophilous-graphs: node_features, node_labels, edges. Both may hold train_masks, val_masks, test_masks (K, nodes),
// and edge_weights, in the order of the edges (of adj_indices), which only gcnh writes.
Tables read_npz_graph(const std::filesystem::path& file);

// The nettack form. Edges come out sorted by source; names of classes, nodes and features are not part of the form.
std::string npz_graph_bytes(const Tables& tables);
void write_npz_graph(const std::filesystem::path& file, const Tables& tables);

}  // namespace gcnh
