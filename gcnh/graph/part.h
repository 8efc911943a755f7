// A part of a dataset: the nodes that one share of a training computes, and copies of those that they receive from.
#pragma once

#include <span>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// The rows are the part's own nodes, ascending, then its ghosts: nodes of other parts that own nodes receive from, by
// part, ascending within it. An own node's row of the adjacency has its neighbours in the order of the whole graph, so
// that sums over them and the first of equals are those of the whole; a ghost's row is empty. Features are there for
// all rows, labels for own nodes, and what only people or readers ask for stays behind.
struct Part {
  // What this part and another one have in common.
  struct Neighbour {
    int part = 0;
    std::vector<Index> lent;   // own rows that the other has as ghosts, ascending
    Index begin = 0, end = 0;  // the ghosts that are the other's
  };

  int number = 0, count = 1;  // 0 .. count - 1
  Dataset dataset;            // square, of own nodes and ghosts
  Index num_own = 0;
  std::vector<Index> ids;             // of every row, the node of the whole graph
  std::vector<Neighbour> neighbours;  // by part; those with which it has nothing in common are left out
  // Where a row's entries begin among those of the whole: of every row in the features, where they are sparse; of own
  // rows in the adjacency with a loop at every node, which attention runs along.
  std::vector<Offset> feature_entries, looped_entries;

  Index num_ghosts() const { return static_cast<Index>(ids.size()) - num_own; }
};

// The parts of a dataset whose node u belongs to part part_of_node[u], 0 .. parts - 1; a part may be empty. Throws a
// usage error for directions that are kept apart. A model that does not see the graph does without edges, and so
// without ghosts.
std::vector<Part> cut(const Dataset& dataset, std::span<const int> part_of_node, int parts, bool has_edges = true);

}  // namespace gcnh
