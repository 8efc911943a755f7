// A graph as nettack's arrays. The reader is in npz_graph.cpp.
#include <algorithm>
#include <numeric>

#include "gcnh/io/arrays.h"
#include "gcnh/io/npz.h"
#include "gcnh/io/npz_graph.h"

namespace gcnh {
namespace {

template <class T>
void add(NpzMembers& out, const std::string& name, const std::vector<T>& values) {
  out.emplace_back(name, make_npy(std::span<const T>(values), {static_cast<std::int64_t>(values.size())}));
}

void add_sparse(NpzMembers& out, const std::string& prefix, const Csr& a) {
  std::vector<Real> values = a.values;
  values.resize(a.indices.size(), Real{1});
  add(out, prefix + "_data", values);
  add(out, prefix + "_indices", a.indices);
  add(out, prefix + "_indptr", a.offsets);
  add(out, prefix + "_shape", std::vector<std::int64_t>{a.rows, a.cols});
}

// Repeated edges stay repeated entries, with their weights as values.
Csr edge_matrix(const Tables& tables) {
  const Index num_nodes = tables.num_nodes();
  std::vector<std::size_t> order(tables.edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tables.edges[a].source < tables.edges[b].source; });
  Csr out{num_nodes, num_nodes, std::vector<Offset>(num_nodes + std::size_t{1}), {}, {}};
  for (std::size_t e : order) {
    ++out.offsets[tables.edges[e].source + 1];
    out.indices.push_back(tables.edges[e].target);
    if (!tables.edge_weights.empty()) out.values.push_back(tables.edge_weights[e]);
  }
  for (Index u = 0; u < num_nodes; ++u) out.offsets[u + 1] += out.offsets[u];
  return out;
}

void add_masks(NpzMembers& out, const std::string& name, const std::vector<Split>& splits,
               std::vector<Index> Split::*nodes, Index num_nodes) {
  std::vector<std::uint8_t> masks(splits.size() * num_nodes);
  for (std::size_t k = 0; k < splits.size(); ++k)
    for (Index node : splits[k].*nodes) masks[k * num_nodes + node] = 1;
  out.emplace_back(
      name, make_npy(std::span<const std::uint8_t>(masks), {static_cast<std::int64_t>(splits.size()), num_nodes}));
}

}  // namespace

std::string npz_graph_bytes(const Tables& tables) {
  const Index num_nodes = tables.num_nodes();
  NpzMembers out;
  const Csr edges = edge_matrix(tables);
  add_sparse(out, "adj", edges);
  if (!edges.values.empty()) add(out, "edge_weights", edges.values);
  add_sparse(out, "attr", sparse_form(tables.features));
  add(out, "labels", tables.labels);
  if (!tables.splits.empty()) {
    add_masks(out, "train_masks", tables.splits, &Split::train, num_nodes);
    add_masks(out, "val_masks", tables.splits, &Split::val, num_nodes);
    add_masks(out, "test_masks", tables.splits, &Split::test, num_nodes);
  }
  return npz_bytes(out);
}

void write_npz_graph(const std::filesystem::path& file, const Tables& tables) {
  write_atomically(file, npz_graph_bytes(tables));
}

}  // namespace gcnh
