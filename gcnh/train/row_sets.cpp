#include "gcnh/train/row_sets.h"

#include <algorithm>

namespace gcnh {

bool RowSets::fits(std::span<const Index> wanted) const {
  return std::equal(batch.begin(), batch.end(), wanted.begin(), wanted.end());
}

void RowSets::build(const Csr& adjacency, std::span<const Index> wanted, int num_layers) {
  batch.assign(wanted.begin(), wanted.end());
  layers.resize(num_layers);
  const Index n = adjacency.rows;
  for (int l = num_layers - 1; l >= 0; --l) {
    Layer& layer = layers[l];
    const std::span<const Index> rows = l == num_layers - 1 ? wanted : std::span<const Index>(layers[l + 1].both);
    is_row_.assign(n, 0);
    is_source_.assign(n, 0);
    for (Index u : rows) {
      is_row_[u] = 1;
      for (Index v : adjacency.row(u)) is_source_[v] = 1;
    }
    layer.rows.clear();
    layer.sources.clear();
    layer.both.clear();
    for (Index u = 0; u < n; ++u) {
      if (is_row_[u]) layer.rows.push_back(u);
      if (is_source_[u]) layer.sources.push_back(u);
      if (is_row_[u] | is_source_[u]) layer.both.push_back(u);
    }
  }
}

}  // namespace gcnh
