#include "gcnh/graph/edge_index.h"

#include <cstddef>

namespace gcnh {

Csr pattern_with_loops(const Csr& a) {
  std::vector<Triple> entries;
  entries.reserve(a.indices.size() + static_cast<std::size_t>(a.rows));
  for (Index u = 0; u < a.rows; ++u) {
    for (Index v : a.row(u)) entries.push_back({u, v, Real{1}});
    entries.push_back({u, u, Real{1}});
  }
  return make_csr(a.rows, a.cols, std::move(entries), Repeats::keep_one);
}

}  // namespace gcnh
