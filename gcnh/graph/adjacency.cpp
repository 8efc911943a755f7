#include "gcnh/graph/adjacency.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gcnh {
namespace {

constexpr Offset kAbsent = -1;

// Keeps the entries for which keep(row, column) holds, in place.
template <class Keep>
void filter_entries(Csr& a, const Keep& keep) {
  Offset begin = 0, kept = 0;
  for (Index u = 0; u < a.rows; ++u) {
    const Offset end = a.offsets[u + 1];
    for (Offset e = begin; e < end; ++e) {
      if (!keep(u, a.indices[e])) continue;
      a.indices[kept] = a.indices[e];
      if (!a.values.empty()) a.values[kept] = a.values[e];
      ++kept;
    }
    begin = end;
    a.offsets[u + 1] = kept;
  }
  a.indices.resize(kept);
  if (!a.values.empty()) a.values.resize(kept);
}

// Equal neighbours in a row become one entry, the sum of their values: their number where there are none.
void merge_repeats(Csr& a) {
  if (a.values.empty()) a.values.assign(a.indices.size(), Real{1});
  Offset begin = 0, kept = 0;
  for (Index u = 0; u < a.rows; ++u) {
    const Offset end = a.offsets[u + 1], row = kept;
    for (Offset e = begin; e < end; ++e) {
      if (kept > row && a.indices[kept - 1] == a.indices[e]) {
        a.values[kept - 1] += a.values[e];
      } else {
        a.values[kept] = a.values[e];
        a.indices[kept++] = a.indices[e];
      }
    }
    begin = end;
    a.offsets[u + 1] = kept;
  }
  a.indices.resize(kept);
  a.values.resize(kept);
}

bool has_repeats(const Csr& a) {
  for (Index u = 0; u < a.rows; ++u) {
    const auto row = a.row(u);
    if (std::adjacent_find(row.begin(), row.end()) != row.end()) return true;
  }
  return false;
}

// visit(column, position in a, position in b) for the columns of either row, ascending; kAbsent where one has no entry.
template <class Visit>
void for_each_in_either(const Csr& a, const Csr& b, Index u, const Visit& visit) {
  constexpr Index kEnd = std::numeric_limits<Index>::max();
  Offset i = a.offsets[u], j = b.offsets[u];
  while (i < a.offsets[u + 1] || j < b.offsets[u + 1]) {
    const Index in_a = i < a.offsets[u + 1] ? a.indices[i] : kEnd;
    const Index in_b = j < b.offsets[u + 1] ? b.indices[j] : kEnd;
    const Index column = std::min(in_a, in_b);
    visit(column, in_a == column ? i++ : kAbsent, in_b == column ? j++ : kAbsent);
  }
}

}  // namespace

Csr adjacency_matrix(Index num_nodes, std::span<const Edge> edges, std::span<const Real> weights) {
  Csr by_target{num_nodes, num_nodes, std::vector<Offset>(num_nodes + 1), std::vector<Index>(edges.size()),
                std::vector<Real>(weights.size())};
  for (const Edge& edge : edges) ++by_target.offsets[edge.target + 1];
  std::partial_sum(by_target.offsets.begin(), by_target.offsets.end(), by_target.offsets.begin());
  std::vector<Offset> next(by_target.offsets.begin(), by_target.offsets.end() - 1);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Offset to = next[edges[i].target]++;
    by_target.indices[to] = edges[i].source;
    if (!weights.empty()) by_target.values[to] = weights[i];
  }
  Csr a = transpose(by_target);  // a stable counting sort by source: every row comes out ascending
  if (has_repeats(a)) merge_repeats(a);
  return a;
}

Csr symmetric_max(const Csr& a) {
  const Csr t = transpose(a);
  Csr out{a.rows, a.cols, std::vector<Offset>(a.rows + 1), {}, {}};
  for (Index u = 0; u < a.rows; ++u) {
    Offset& end = out.offsets[u + 1];
    end = out.offsets[u];
    for_each_in_either(a, t, u, [&end](Index, Offset, Offset) { ++end; });
  }
  out.indices.resize(out.offsets.back());
  if (!a.values.empty()) out.values.resize(out.indices.size());
  Offset to = 0;
  for (Index u = 0; u < a.rows; ++u) {
    for_each_in_either(a, t, u, [&](Index column, Offset i, Offset j) {
      out.indices[to] = column;
      if (!out.values.empty()) {
        out.values[to] = std::max(i == kAbsent ? Real{0} : a.values[i], j == kAbsent ? Real{0} : t.values[j]);
      }
      ++to;
    });
  }
  return out;
}

void drop_loops(Csr& a) {
  filter_entries(a, [](Index u, Index v) { return u != v; });
}

Csr take_nodes(const Csr& a, std::span<const Index> new_number) {
  std::vector<Index> kept;
  for (Index u = 0; u < a.rows; ++u) {
    if (new_number[u] >= 0) kept.push_back(u);
  }
  Csr out = take_rows(a, kept);
  filter_entries(out, [&](Index, Index v) { return new_number[v] >= 0; });
  for (Index& v : out.indices) v = new_number[v];
  out.cols = out.rows;
  return out;
}

Csr simple_graph(const Csr& a) {
  Csr out = symmetric_max(a);
  drop_loops(out);
  out.values = {};
  return out;
}

}  // namespace gcnh
