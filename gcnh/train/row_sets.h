// Which rows a batch needs: the batch itself at the top, and below it whatever its neighbourhoods reach.
#pragma once

#include <span>
#include <vector>

#include "gcnh/base/csr.h"

namespace gcnh {

// For steps that compute only what a batch reaches, layer by layer. Ascending lists per layer: the rows whose output is
// wanted, the rows whose messages they receive, and both together, which are the rows wanted of the layer below.
struct RowSets {
  struct Layer {
    std::vector<Index> rows;
    std::vector<Index> sources;
    std::vector<Index> both;
  };
  std::vector<Index> batch;  // in the caller's order
  std::vector<Layer> layers;

  bool fits(std::span<const Index> wanted) const;
  // Replaces the contents.
  void build(const Csr& adjacency, std::span<const Index> wanted, int num_layers);

 private:
  std::vector<unsigned char> is_row_, is_source_;  // scratch, one per node
};

}  // namespace gcnh
