// A graph as nettack's arrays. The reader is in npz_graph.cpp.
#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/io/npz.h"
#include "gcnh/io/npz_graph.h"

namespace gcnh {
namespace {

using Members = std::vector<std::pair<std::string, NpyArray>>;

template <class T>
void add(Members& out, const std::string& name, const std::vector<T>& values) {
  out.emplace_back(name, make_npy(std::span<const T>(values), {static_cast<std::int64_t>(values.size())}));
}

void add_sparse(Members& out, const std::string& prefix, const Csr& a) {
  std::vector<Real> values = a.values;
  values.resize(a.indices.size(), Real{1});
  add(out, prefix + "_data", values);
  add(out, prefix + "_indices", a.indices);
  add(out, prefix + "_indptr", a.offsets);
  add(out, prefix + "_shape", std::vector<std::int64_t>{a.rows, a.cols});
}

// Repeated edges stay repeated entries.
Csr edge_matrix(std::vector<Edge> edges, Index num_nodes) {
  std::stable_sort(edges.begin(), edges.end(), [](Edge a, Edge b) { return a.source < b.source; });
  Csr out{num_nodes, num_nodes, std::vector<Offset>(num_nodes + std::size_t{1}), {}, {}};
  for (Edge edge : edges) {
    ++out.offsets[edge.source + 1];
    out.indices.push_back(edge.target);
  }
  for (Index u = 0; u < num_nodes; ++u) out.offsets[u + 1] += out.offsets[u];
  return out;
}

Csr sparse_features(const Features& features) {
  if (features.is_sparse()) return features.sparse();
  const Matrix& x = features.dense();
  std::vector<Triple> triples;
  for (Index i = 0; i < features.rows(); ++i)
    for (Index j = 0; j < features.cols(); ++j)
      if (x(i, j) != Real{0}) triples.push_back({i, j, x(i, j)});
  return make_csr(features.rows(), features.cols(), std::move(triples), Repeats::keep_one);
}

void add_masks(Members& out, const std::string& name, const std::vector<Split>& splits,
               std::vector<Index> Split::*nodes, Index num_nodes) {
  std::vector<std::uint8_t> masks(splits.size() * num_nodes);
  for (std::size_t k = 0; k < splits.size(); ++k)
    for (Index node : splits[k].*nodes) masks[k * num_nodes + node] = 1;
  out.emplace_back(
      name, make_npy(std::span<const std::uint8_t>(masks), {static_cast<std::int64_t>(splits.size()), num_nodes}));
}

}  // namespace

void write_npz_graph(const std::filesystem::path& file, const Tables& tables) {
  const Index num_nodes = tables.num_nodes();
  Members out;
  add_sparse(out, "adj", edge_matrix(tables.edges, num_nodes));
  add_sparse(out, "attr", sparse_features(tables.features));
  add(out, "labels", tables.labels);
  if (!tables.splits.empty()) {
    add_masks(out, "train_masks", tables.splits, &Split::train, num_nodes);
    add_masks(out, "val_masks", tables.splits, &Split::val, num_nodes);
    add_masks(out, "test_masks", tables.splits, &Split::test, num_nodes);
  }
  write_npz(file, out);
}

}  // namespace gcnh
