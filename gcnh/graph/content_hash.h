// Fingerprints of a dataset, and of texts in it.
#pragma once

#include <cstdint>
#include <string_view>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// Of everything a result depends on: graph, what was derived from it, features and the columns that they are made
// from, labels and splits.
std::uint64_t content_hash(const Dataset& dataset);

// Of a node's features, the same whether they are sparse or dense.
std::uint64_t row_hash(const Features& features, Index row);

// Of a text or other bytes, the same on every machine.
std::uint64_t text_hash(std::string_view text);

// Of the graph and what was derived from it alone.
std::uint64_t graph_hash(const Dataset& dataset);

}  // namespace gcnh
