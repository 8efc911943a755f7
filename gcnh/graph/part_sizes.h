// How good a partition is: what every part holds and what it needs of the others.
#pragma once

#include <span>
#include <vector>

#include "gcnh/graph/partition.h"

namespace gcnh {

struct PartSize {
  Index nodes = 0;
  Offset entries = 0;   // load: stored entries of its rows and features
  Offset training = 0;  // load: training nodes, counted once per split
  Index ghosts = 0;     // nodes of other parts that its nodes receive from
  int lenders = 0;      // the parts they belong to
  Offset lent = 0;      // own nodes that are ghosts elsewhere, counted once per part that has them
};

// Of every part. `part_of` must give every node a part in 0..parts-1.
std::vector<PartSize> measure_parts(const Csr& adjacency, const Loads& loads, std::span<const int> part_of, int parts);

// H: the sum over nodes of the number of other parts that receive from it, the rows that travel when every part
// borrows what it needs.
Offset halo_rows(std::span<const PartSize> parts);

// The largest share over the mean; 1 where there is nothing to share.
double imbalance(std::span<const PartSize> parts, Offset PartSize::*share);

// Nodes by part, ascending within each: part p has order[begin[p]] ... order[begin[p + 1] - 1].
struct NodesByPart {
  std::vector<Offset> begin;  // parts + 1
  std::vector<Index> order;

  std::span<const Index> of(int part) const {
    const auto at = begin.begin() + part;
    return {order.data() + at[0], order.data() + at[1]};
  }
};
NodesByPart nodes_by_part(std::span<const int> part_of, int parts);

}  // namespace gcnh
