#include "gcnh/graph/part.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

// What every part is cut from.
struct Whole {
  const Dataset& dataset;
  const Csr& adjacency;
  std::span<const int> part_of_node;
  std::vector<Index> row_of_node;      // in the part that owns it
  std::vector<Offset> looped_entries;  // where a node's row begins in the adjacency with a loop at every node
  MatrixSums sums;
};

Whole describe(const Dataset& d, const Csr& adjacency, std::span<const int> part_of_node, std::vector<Part>& parts) {
  Whole out{d, adjacency, part_of_node, {}, {}, sums_of(adjacency)};
  Offset entries = 0;
  for (Index u = 0; u < d.num_nodes(); ++u) {
    Part& owner = parts[part_of_node[u]];
    out.row_of_node.push_back(owner.num_own++);
    owner.ids.push_back(u);
    out.looped_entries.push_back(entries);
    const std::span<const Index> row = adjacency.row(u);
    const bool has_loop = std::binary_search(row.begin(), row.end(), u);
    entries += static_cast<Offset>(row.size()) + (has_loop ? 0 : 1);
  }
  return out;
}

// Finds the ghosts, after which all rows are known.
void add_ghosts(const Whole& w, Part& part) {
  std::map<int, std::vector<Index>> ghosts;  // by part
  for (Index u : part.ids)
    for (Index v : w.adjacency.row(u))
      if (w.part_of_node[v] != part.number) ghosts[w.part_of_node[v]].push_back(v);
  for (auto& [owner, nodes] : ghosts) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const auto begin = static_cast<Index>(part.ids.size());
    part.ids.insert(part.ids.end(), nodes.begin(), nodes.end());
    part.neighbours.push_back({owner, {}, begin, static_cast<Index>(part.ids.size())});
  }
}

// The part's entry for another one, made where there is none.
Part::Neighbour& neighbour_of(Part& part, int other) {
  const auto at = std::lower_bound(part.neighbours.begin(), part.neighbours.end(), other,
                                   [](const Part::Neighbour& n, int number) { return n.part < number; });
  return at != part.neighbours.end() && at->part == other ? *at : *part.neighbours.insert(at, {other, {}, 0, 0});
}

void lend(const Whole& w, const Part& borrower, std::vector<Part>& parts) {
  for (const Part::Neighbour& n : borrower.neighbours) {
    if (n.begin == n.end) continue;
    std::vector<Index>& lent = neighbour_of(parts[n.part], borrower.number).lent;
    for (Index g = n.begin; g < n.end; ++g) lent.push_back(w.row_of_node[borrower.ids[g]]);
  }
}

Csr local_adjacency(const Whole& w, const Part& part, std::span<const Index> row_of_ghost) {
  const Csr& a = w.adjacency;
  const auto rows = static_cast<Index>(part.ids.size());
  Csr out{rows, rows, {0}, {}, {}};
  for (Index i = 0; i < part.num_own; ++i) {
    const Index u = part.ids[i];
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) {
      const Index v = a.indices[e];
      out.indices.push_back(w.part_of_node[v] == part.number ? w.row_of_node[v] : row_of_ghost[v]);
      if (!a.values.empty()) out.values.push_back(a.values[e]);
    }
    out.offsets.push_back(out.nnz());
  }
  out.offsets.resize(static_cast<std::size_t>(rows) + 1, out.nnz());
  return out;
}

void fill(const Whole& w, Part& part, std::vector<Index>& row_of_ghost) {
  const Dataset& whole = w.dataset;
  for (Index g = part.num_own; g < static_cast<Index>(part.ids.size()); ++g) row_of_ghost[part.ids[g]] = g;
  Dataset& d = part.dataset;
  d.name = whole.name;
  d.classes = whole.classes;
  d.weighted = whole.weighted;
  d.adjacency = local_adjacency(w, part, row_of_ghost);
  d.features = take_rows(whole.features, part.ids);
  d.labels.assign(part.ids.size(), -1);
  for (Index i = 0; i < part.num_own; ++i) d.labels[i] = whole.labels[part.ids[i]];
  for (Index u : part.ids) {
    d.whole_sums.rows.push_back(w.sums.rows[u]);
    d.whole_sums.columns.push_back(w.sums.columns[u]);
    if (whole.features.is_sparse()) part.feature_entries.push_back(whole.features.sparse().offsets[u]);
  }
  for (Index i = 0; i < part.num_own; ++i) part.looped_entries.push_back(w.looped_entries[part.ids[i]]);
}

}  // namespace

std::vector<Part> cut(const Dataset& dataset, std::span<const int> part_of_node, int parts, bool has_edges) {
  if (dataset.keeps_apart())
    fail(Status::usage, "parts: the directions of edges cannot be kept apart; take another `direction`");
  std::vector<Part> out(static_cast<std::size_t>(parts));
  for (int p = 0; p < parts; ++p) {
    out[p].number = p;
    out[p].count = parts;
  }
  const Csr none = make_csr(dataset.num_nodes(), dataset.num_nodes(), {}, Repeats::add);
  const Whole whole = describe(dataset, has_edges ? dataset.adjacency : none, part_of_node, out);
  for (Part& part : out) add_ghosts(whole, part);
  for (const Part& part : out) lend(whole, part, out);
  std::vector<Index> row_of_ghost(static_cast<std::size_t>(dataset.num_nodes()));
  for (Part& part : out) fill(whole, part, row_of_ghost);
  return out;
}

}  // namespace gcnh
