#include "gcnh/graph/relations.h"

#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/close_pairs.h"

namespace gcnh {
namespace {

// 2 [u.x <= v.x] + [u.y <= v.y]
int direction(Point u, Point v) { return 2 * (u.x <= v.x) + (u.y <= v.y); }

// The nodes of the largest component, of equals that of the smallest node.
std::vector<Index> largest_component(const Csr& graph) {
  std::vector<Index> best, nodes;
  std::vector<bool> seen(graph.rows, false);
  for (Index start = 0; start < graph.rows; ++start) {
    if (seen[start]) continue;
    nodes = {start};
    seen[start] = true;
    for (std::size_t next = 0; next < nodes.size(); ++next) {
      for (Index v : graph.row(nodes[next])) {
        if (seen[v]) continue;
        seen[v] = true;
        nodes.push_back(v);
      }
    }
    if (nodes.size() > best.size()) std::swap(best, nodes);
  }
  return best;
}

}  // namespace

std::vector<Csr> split_relations(const Csr& numbers) {
  std::vector<Csr> out(kRelations, Csr{numbers.rows, numbers.cols, {0}, {}, {}});
  for (Index v = 0; v < numbers.rows; ++v) {
    for (Offset e = numbers.offsets[v]; e < numbers.offsets[v + 1]; ++e)
      out[static_cast<std::size_t>(numbers.value(e))].indices.push_back(numbers.indices[e]);
    for (Csr& relation : out) relation.offsets.push_back(relation.nnz());
  }
  return out;
}

std::vector<Csr> relations_in(const Embedding& embedding, const Csr& graph, double latent) {
  std::vector<Triple> entries;
  const auto add = [&](Index v, Index u, int first) {
    entries.push_back({v, u, static_cast<Real>(first + direction(embedding.points[u], embedding.points[v]))});
  };
  for (Index v = 0; v < graph.rows; ++v)
    for (Index u : graph.row(v)) add(v, u, 0);
  const std::vector<Index> nodes = largest_component(graph);
  Embedding joined{embedding.geometry, {}};
  double neighbours = 0;
  for (Index u : nodes) {
    joined.points.push_back(embedding.points[u]);
    neighbours += static_cast<double>(graph.row(u).size());
  }
  const ClosePairs pairs(joined);
  pairs.visit(pairs.limit_for(std::llround(latent * neighbours)), [&](Index i, Index j) {
    const Index v = nodes[i], u = nodes[j];
    const auto row = graph.row(v);
    if (!std::binary_search(row.begin(), row.end(), u)) add(v, u, kRelations / 2);
    return true;
  });
  return split_relations(make_csr(graph.rows, graph.cols, std::move(entries), Repeats::keep_one));
}

std::vector<Csr> compute_relations(const Csr& adjacency, EmbeddingKind embedding, double latent) {
  const Csr graph = simple_graph(adjacency);
  return relations_in(embedding == EmbeddingKind::mds ? isomap(graph) : poincare(graph), graph, latent);
}

Csr relation_blocks(const std::vector<Csr>& relations) {
  require(!relations.empty(), "the dataset has no relations; make_dataset_for adds what a model derives");
  const Index num_nodes = relations[0].rows, count = static_cast<Index>(relations.size()) + 1;
  std::vector<double> root(num_nodes);
  for (Index v = 0; v < num_nodes; ++v) {
    std::size_t degree = 1;
    for (const Csr& relation : relations) degree += relation.row(v).size();
    root[v] = std::sqrt(static_cast<double>(degree));
  }
  Csr out{num_nodes * count, num_nodes * count, {0}, {}, {}};
  for (Index v = 0; v < num_nodes; ++v) {
    const auto add = [&](Index u, Index block) {
      out.indices.push_back(u * count + block);
      out.values.push_back(static_cast<Real>(1 / (root[u] * root[v])));
    };
    for (Index block = 0; block + 1 < count; ++block) {
      for (Index u : relations[block].row(v)) add(u, block);
      out.offsets.push_back(out.nnz());
    }
    add(v, count - 1);
    out.offsets.push_back(out.nnz());
  }
  return out;
}

Csr mean_of_blocks(const Csr& blocks, Index num_nodes) {
  const Index count = blocks.rows / num_nodes;
  std::vector<Triple> entries;
  entries.reserve(blocks.indices.size());
  for (Index row = 0; row < blocks.rows; ++row)
    for (Offset e = blocks.offsets[row]; e < blocks.offsets[row + 1]; ++e)
      entries.push_back({row / count, blocks.indices[e], blocks.values[e] / static_cast<Real>(count)});
  return make_csr(num_nodes, blocks.cols, std::move(entries), Repeats::keep_one);
}

}  // namespace gcnh
