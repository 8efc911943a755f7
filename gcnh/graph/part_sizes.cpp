#include "gcnh/graph/part_sizes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gcnh {

NodesByPart nodes_by_part(std::span<const int> part_of, int parts) {
  NodesByPart out{std::vector<Offset>(parts + 1), std::vector<Index>(part_of.size())};
  for (const int p : part_of) ++out.begin[p + 1];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  std::vector<Offset> next(out.begin.begin(), out.begin.end() - 1);
  for (std::size_t u = 0; u < part_of.size(); ++u) out.order[next[part_of[u]]++] = static_cast<Index>(u);
  return out;
}

std::vector<PartSize> measure_parts(const Csr& adjacency, const Loads& loads, std::span<const int> part_of, int parts) {
  const NodesByPart nodes = nodes_by_part(part_of, parts);
  std::vector<PartSize> out(parts);
  std::vector<int> borrower(part_of.size(), -1);  // of a node: the part that last counted it as a ghost
  std::vector<int> lent_to(parts, -1);            // of a part: the part that last counted it as a lender
  for (int p = 0; p < parts; ++p) {
    PartSize& size = out[p];
    for (const Index u : nodes.of(p)) {
      ++size.nodes;
      size.entries += loads.entries[u];
      size.training += loads.training[u];
      for (const Index v : adjacency.row(u)) {
        const int owner = part_of[v];
        if (owner == p || borrower[v] == p) continue;
        borrower[v] = p;
        ++size.ghosts;
        ++out[owner].lent;
        if (std::exchange(lent_to[owner], p) != p) ++size.lenders;
      }
    }
  }
  return out;
}

Offset halo_rows(std::span<const PartSize> parts) {
  return std::accumulate(parts.begin(), parts.end(), Offset{0},
                         [](Offset sum, const PartSize& p) { return sum + p.ghosts; });
}

double imbalance(std::span<const PartSize> parts, Offset PartSize::*share) {
  Offset total = 0, most = 0;
  for (const PartSize& p : parts) {
    total += p.*share;
    most = std::max(most, p.*share);
  }
  return total == 0 ? 1 : static_cast<double>(most) * static_cast<double>(parts.size()) / static_cast<double>(total);
}

}  // namespace gcnh
