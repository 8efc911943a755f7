// From a list of edges to a sparse matrix, by counting sorts: linear time, no global comparison sort.
#pragma once

#include <span>
#include <vector>

#include "gcnh/base/csr.h"
#include "gcnh/graph/dataset.h"

namespace gcnh {

// A[u][v] = the sum of the weights with which the edge u -> v is listed; without weights, how often it is. The ends
// must lie in 0..num_nodes-1.
Csr adjacency_matrix(Index num_nodes, std::span<const Edge> edges, std::span<const Real> weights = {});

// max(A, A'), element by element.
Csr symmetric_max(const Csr& a);

// Removes the diagonal.
void drop_loops(Csr& a);

// A without the rows and columns whose new_number is -1; the others, numbered anew in ascending order.
Csr take_nodes(const Csr& a, std::span<const Index> new_number);

// The graph that edge counts, degrees and homophily are measured on: undirected, repeats merged, no loops.
Csr simple_graph(const Csr& a);

}  // namespace gcnh
