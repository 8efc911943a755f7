#include "gcnh/base/edge_list.h"

#include <utility>

namespace gcnh {

EdgeList::EdgeList(Csr simple_graph) : rows(std::move(simple_graph)) {
  std::vector<Offset> reverse;
  transpose(rows, &reverse);  // the graph is symmetric: position of v -> u for each u -> v
  edge.resize(rows.indices.size());
  for (Index u = 0; u < rows.rows; ++u) {
    for (Offset e = rows.offsets[u]; e < rows.offsets[u + 1]; ++e) {
      if (rows.indices[e] < u) continue;
      edge[e] = edge[reverse[e]] = num_edges();
      ends.push_back({u, rows.indices[e]});
    }
  }
}

}  // namespace gcnh
