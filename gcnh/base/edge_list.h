// A graph whose edges carry one value for both directions, where the entries of a Csr would hold two.
#pragma once

#include <vector>

#include "gcnh/base/csr.h"

namespace gcnh {

// An undirected graph without loops whose m edges have numbers, ascending by their ends (u, v), u < v.
struct EdgeList {
  struct Ends {
    Index u, v;
  };

  explicit EdgeList(Csr simple_graph);
  Index num_nodes() const { return rows.rows; }
  Index num_edges() const { return static_cast<Index>(ends.size()); }

  Csr rows;                 // every edge in the rows of both ends
  std::vector<Index> edge;  // number of the edge at each entry of the rows
  std::vector<Ends> ends;
};

}  // namespace gcnh
