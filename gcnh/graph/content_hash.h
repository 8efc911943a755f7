// Fingerprints of a dataset.
#pragma once

#include <cstdint>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// Of everything a result depends on: graph, relations, features, labels and splits.
std::uint64_t content_hash(const Dataset& dataset);

// Of the graph and its relations alone.
std::uint64_t graph_hash(const Dataset& dataset);

}  // namespace gcnh
