// Random sparse matrices, graphs, features and datasets with everything real data brings: isolated nodes, hubs,
// self-loops, repeated edges (as weights), rows without features.
#pragma once

#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/base/csr.h"
#include "gcnh/graph/dataset.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

struct GraphShape {
  Index nodes = 20;
  double edges_per_node = 2;  // drawn; repeats make it fewer
  bool directed = false;
  bool weights = true;  // repeated edges add up; otherwise they merge
  bool loops = true;
  bool hub = true;         // node 0 is drawn far more often than the others
  double isolated = 0.15;  // share of nodes that no edge may touch
};

inline Csr random_graph(const GraphShape& shape, const Rng& rng) {
  std::vector<Index> open;  // nodes that may have edges
  for (Index u = 0; u < shape.nodes; ++u)
    if (u == 0 || rng.fork(0).uniform(u) >= shape.isolated) open.push_back(u);
  const auto draw = [&](std::uint64_t i) {
    const bool to_hub = shape.hub && rng.fork(1).uniform(i) < 0.2;
    return to_hub ? Index{0} : open[rng.fork(2).below(open.size(), i)];
  };
  std::vector<Triple> edges;
  const auto count = static_cast<std::uint64_t>(std::lround(shape.edges_per_node * shape.nodes));
  for (std::uint64_t e = 0; e < count; ++e) {
    const Index u = draw(2 * e), v = draw(2 * e + 1);
    if (u == v && !shape.loops) continue;
    edges.push_back({u, v, 1});
    if (!shape.directed && u != v) edges.push_back({v, u, 1});
  }
  return make_csr(shape.nodes, shape.nodes, std::move(edges), shape.weights ? Repeats::add : Repeats::keep_one);
}

// Every third row or so is empty, the first one holds about half of all columns.
inline Csr random_sparse(Index rows, Index cols, double per_row, bool values, const Rng& rng) {
  std::vector<Triple> entries;
  for (Index i = 0; i < rows && cols > 0; ++i) {
    const Rng draws = rng.fork(i);
    const double wanted = i == 0 ? cols / 2.0 + 1 : draws.uniform(0) < 0.3 ? 0 : 2 * per_row * draws.uniform(1);
    for (std::uint64_t e = 0; e < static_cast<std::uint64_t>(wanted); ++e) {
      const auto j = static_cast<Index>(draws.below(cols, 10 + e));
      entries.push_back({i, j, values ? static_cast<Real>(draws.fork(1).uniform(e) * 2 - 1) : Real{1}});
    }
  }
  return make_csr(rows, cols, std::move(entries), Repeats::keep_one);
}

inline Matrix to_dense(const Csr& a) {
  Matrix m(a.rows, a.cols);
  for (Index i = 0; i < a.rows; ++i)
    for (Offset e = a.offsets[i]; e < a.offsets[i + 1]; ++e) m(i, a.indices[e]) += a.value(e);
  return m;
}

inline Features sparse_features(Csr x) { return x; }

inline Features dense_features(Matrix x) { return x; }

// The pairs of a graph dealt out to `count` relations, loops left out.
inline std::vector<Csr> random_relations(const Csr& graph, int count) {
  std::vector<std::vector<Triple>> entries(count);
  for (Index u = 0; u < graph.rows; ++u)
    for (Index v : graph.row(u))
      if (u != v) entries[Rng(17).fork(u).below(count, v)].push_back({u, v, 1});
  std::vector<Csr> out;
  for (auto& of_relation : entries)
    out.push_back(make_csr(graph.rows, graph.cols, std::move(of_relation), Repeats::keep_one));
  return out;
}

// All nodes labelled and in the training set; relations for the models that read them.
inline Dataset make_test_dataset(Csr adjacency, Features features, std::vector<int> labels, int num_classes) {
  Dataset d;
  d.name = "test";
  d.adjacency = std::move(adjacency);
  d.derived = {"relations", "random", random_relations(d.adjacency, 8)};
  d.features = std::move(features);
  d.labels = std::move(labels);
  for (int c = 0; c < num_classes; ++c) d.classes.push_back(std::to_string(c));
  d.splits.resize(1);
  d.splits[0].train.resize(d.labels.size());
  std::iota(d.splits[0].train.begin(), d.splits[0].train.end(), 0);
  return d;
}

inline Dataset random_dataset(const GraphShape& shape, Index num_features, int num_classes, const Rng& rng,
                              bool sparse = true) {
  const Csr x = random_sparse(shape.nodes, num_features, num_features / 3.0, rng.fork(0).uniform(0) < 0.5, rng.fork(1));
  std::vector<int> labels(shape.nodes);
  for (Index u = 0; u < shape.nodes; ++u) labels[u] = static_cast<int>(rng.fork(2).below(num_classes, u));
  return make_test_dataset(random_graph(shape, rng.fork(3)), sparse ? sparse_features(x) : dense_features(to_dense(x)),
                           std::move(labels), num_classes);
}

inline std::vector<Index> all_nodes(const Dataset& d) {
  std::vector<Index> rows(d.num_nodes());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

inline std::vector<int> labels_of(const Dataset& d, const std::vector<Index>& rows) {
  std::vector<int> out;
  for (Index u : rows) out.push_back(d.labels[u]);
  return out;
}

}  // namespace gcnh::testing
