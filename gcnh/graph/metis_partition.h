// Parts by METIS, a multilevel method: the graph is coarsened, divided, and refined on the way back.
#pragma once

#include <vector>

#include "gcnh/graph/partition.h"

namespace gcnh {

// Of a symmetric graph without loops; minimises the communication volume, the number of pairs of a node and another
// part that has a neighbour of it. Few nodes per part make METIS complain on standard output instead of returning an
// error: fewer than kLeastNodesPerPart are not for it.
inline constexpr Index kLeastNodesPerPart = 32;
std::vector<int> metis_partition(const Csr& simple_graph, const Loads& loads, int parts);

}  // namespace gcnh
