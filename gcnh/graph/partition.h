// A part number for every node, so that a graph can be trained in pieces: parts share the work and the training nodes
// evenly, and few nodes are needed outside their own part. The same graph always gives the same parts.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// What the parts are to share evenly, per node.
struct Loads {
  std::vector<Index> entries = {};   // stored entries of its row of the adjacency and of its features, and 1 for itself
  std::vector<Index> training = {};  // how many splits train on it
};
Loads loads_of(const Dataset& dataset);

// METIS numbers the entries of a graph with 32 bits.
inline constexpr Offset kMostMetisEntries = std::numeric_limits<std::int32_t>::max();

// The part of every node, in 0..parts-1; some parts are empty where there are fewer nodes than parts. METIS divides
// graphs with at most `most_entries` entries that have enough nodes for it, a single pass over the rows
// (`stream_partition`) the others.
std::vector<int> partition(const Csr& adjacency, const Loads& loads, int parts,
                           Offset most_entries = kMostMetisEntries);
// Throws a usage error for more parts than nodes, unless they are few.
std::vector<int> partition(const Dataset& dataset, int parts);

// Linear deterministic greedy: one node after the other goes where most of its neighbours went, the fuller a part the
// less gladly.
//   part(u) = argmax_p |N(u) in p| (1 - load(p) / capacity)
// Stanton and Kliot, KDD 2012.
std::vector<int> stream_partition(const Csr& adjacency, const Loads& loads, int parts);

// Every node anywhere: what partitions are compared with.
std::vector<int> random_partition(Index nodes, int parts, std::uint64_t seed);

// Throws a usage error unless there is a part.
void check_parts(int parts);

}  // namespace gcnh
