#include "gcnh/graph/second_ring.h"

#include <algorithm>

namespace gcnh {
namespace {

// Appends the second ring of u, ascending. Nodes that need no further look carry the mark u in `seen`.
void append_ring(const Csr& a, Index u, std::vector<Index>& seen, std::vector<Index>& out) {
  const auto begin = static_cast<std::ptrdiff_t>(out.size());
  seen[u] = u;
  for (Index v : a.row(u)) seen[v] = u;
  for (Index v : a.row(u)) {
    for (Index w : a.row(v)) {
      if (seen[w] == u) continue;
      seen[w] = u;
      out.push_back(w);
    }
  }
  std::sort(out.begin() + begin, out.end());
}

}  // namespace

Csr second_ring(const Csr& a) {
  Csr out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.offsets.reserve(static_cast<std::size_t>(a.rows) + 1);
  std::vector<Index> seen(a.rows, -1);
  for (Index u = 0; u < a.rows; ++u) {
    append_ring(a, u, seen, out.indices);
    out.offsets.push_back(out.nnz());
  }
  out.indices.shrink_to_fit();
  return out;
}

}  // namespace gcnh
