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

Csr transpose_of_rows(const Csr& a, std::span<const Index> rows) {
  Csr t{a.cols, a.rows, std::vector<Offset>(a.cols + 1), {}, {}};
  for (Index u : rows)
    for (Index v : a.row(u)) ++t.offsets[v + 1];
  for (Index v = 0; v < a.cols; ++v) t.offsets[v + 1] += t.offsets[v];
  t.indices.resize(t.offsets.back());
  if (!a.values.empty()) t.values.resize(t.indices.size());
  std::vector<Offset> next(t.offsets.begin(), t.offsets.end() - 1);
  for (Index u : rows) {
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) {
      const Offset to = next[a.indices[e]]++;
      t.indices[to] = u;
      if (!a.values.empty()) t.values[to] = a.values[e];
    }
  }
  return t;
}

}  // namespace gcnh
