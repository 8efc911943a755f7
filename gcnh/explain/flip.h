// What would change an answer: the fewest edges of a node without which the model would give it another class.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/models/explanation.h"

namespace gcnh {

struct Flip {
  std::vector<Index> neighbours = {};  // the edges to these are removed; empty: nothing was found
  int before = 0, after = 0;           // the class with all edges, and without these
  bool is_exact = false;  // the search was complete: no smaller set does, or none at all where it found none
  int tried = 0;          // how many graphs the model was asked about
};

// The model on another graph with the same nodes, which outlives what is returned.
using ExplainerOn = std::function<std::unique_ptr<Explainer>(const Dataset&)>;

// Exact where the explainer gives a sum over neighbours; else edges are removed one after the other, each time the one
// whose neighbour speaks most for the answer, at most `most` of them, and those that turn out needless are put back.
// Either way the model itself is asked whether the answer changes. An edge of a graph without directions leaves it in
// both.
Flip find_flip(const Dataset& dataset, const ExplainerOn& model, Index node, bool undirected, int most = 32);

// For each class that can overtake the answer: neighbours, by position, in the order in which removing them favours it
// most, and how many of them are enough. Smallest number first.
struct Removal {
  std::vector<std::size_t> order = {};
  std::size_t count = 0;
};
std::vector<Removal> fewest_removals(const NeighbourSum& sum);

// The graph without the edges between the node and its neighbours.
Csr without_edges(const Csr& adjacency, Index node, const std::vector<Index>& neighbours, bool undirected);

}  // namespace gcnh
