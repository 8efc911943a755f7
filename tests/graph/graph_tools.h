// What the tests of graphs share: small tables written by hand, errors as text.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/base/error.h"
#include "gcnh/base/random.h"
#include "gcnh/graph/dataset.h"

namespace gcnh::testing {

// Node u has the one feature u, so that every row of features tells where it came from.
inline Tables tables_of(std::vector<Edge> edges, std::vector<int> labels, int num_classes) {
  const auto num_nodes = static_cast<Index>(labels.size());
  Tables t;
  t.name = "small";
  t.edges = std::move(edges);
  t.labels = std::move(labels);
  for (int k = 0; k < num_classes; ++k) t.classes.push_back(std::to_string(k));
  t.features = Csr{num_nodes, num_nodes, {0}, {}, {}};
  for (Index u = 0; u < num_nodes; ++u) {
    t.features.sparse().indices.push_back(u);
    t.features.sparse().offsets.push_back(u + 1);
  }
  return t;
}

// Repeats and loops included; about one node in ten has no label.
inline Tables random_tables(Index num_nodes, int num_edges, int num_classes, const Rng& rng) {
  std::vector<Edge> edges;
  for (int e = 0; e < num_edges; ++e) {
    edges.push_back(
        {static_cast<Index>(rng.fork(0).below(num_nodes, e)), static_cast<Index>(rng.fork(1).below(num_nodes, e))});
  }
  std::vector<int> labels;
  for (Index u = 0; u < num_nodes; ++u) {
    labels.push_back(rng.fork(2).uniform(u) < 0.1 ? -1 : static_cast<int>(rng.fork(3).below(num_classes, u)));
  }
  return tables_of(std::move(edges), std::move(labels), num_classes);
}

inline std::vector<Index> row_of(const Csr& a, Index u) { return {a.row(u).begin(), a.row(u).end()}; }

// "status: message" of the error that f throws, or "no error".
template <class F>
std::string error_text(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return join(static_cast<int>(error.status()), ": ", error.what());
  }
  return "no error";
}

}  // namespace gcnh::testing
