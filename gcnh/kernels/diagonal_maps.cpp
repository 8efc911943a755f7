// Diagonal maps of edges: every stalk coordinate is a graph of its own whose edges have a number at each end.
#include <cmath>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/sheaf.h"

namespace gcnh::kernels {
namespace {

// body(e) for all edges, in parallel.
template <class Body>
void for_edges(const EdgeList& g, Index cost, const Body& body) {
  parallel_for(g.num_edges(), cost, [&](std::int64_t begin, std::int64_t end) {
    for (Index e = static_cast<Index>(begin); e < end; ++e) body(e);
  });
}

// body(u, visit) for all nodes, in parallel; visit(f) calls f(e, whether u is the first end of e) for the edges of u.
template <class Body>
void for_nodes(const EdgeList& g, const Body& body) {
  const std::int64_t cost = g.rows.nnz() / std::max<Index>(1, g.num_nodes()) + 1;
  parallel_for(g.num_nodes(), cost, [&](std::int64_t begin, std::int64_t end) {
    for (Index u = static_cast<Index>(begin); u < end; ++u)
      body(u, [&](const auto& f) {
        for (Offset i = g.rows.offsets[u]; i < g.rows.offsets[u + 1]; ++i) f(g.edge[i], u < g.rows.indices[i]);
      });
  });
}

}  // namespace

void diagonal_maps(const EdgeList& g, int d, const Matrix& p, Matrix& maps) {
  constexpr Index kTanhCost = 20;  // in additions
  for_edges(g, 2 * d * kTanhCost, [&](Index e) {
    const Real *u = p.row(g.ends[e].u), *v = p.row(g.ends[e].v);
    for (int k = 0; k < d; ++k) {
      maps(e, k) = std::tanh(u[k] + v[d + k]);
      maps(e, d + k) = std::tanh(v[k] + u[d + k]);
    }
  });
}

void diagonal_blocks(const EdgeList& g, int k, const Matrix& maps, Matrix& root, Matrix& diagonal, Matrix& blocks) {
  const Index d = maps.cols() / 2;
  for_nodes(g, [&](Index u, const auto& visit) {
    Real degree = 0;
    visit([&](Index e, bool first) {
      const Real own = maps(e, first ? k : d + k);
      degree += own * own;
    });
    root(u, k) = 1 / std::sqrt(degree + 1);
    diagonal(u, 0) = degree / (degree + 1);
  });
  for_edges(g, 4, [&](Index e) {
    blocks(e, 0) = -root(g.ends[e].u, k) * root(g.ends[e].v, k) * maps(e, k) * maps(e, d + k);
  });
}

void diagonal_blocks_backward(const EdgeList& g, int k, const Matrix& maps, const Matrix& root, const Matrix& blocks,
                              const Matrix& ddiagonal, const Matrix& dblocks, Matrix& ddegree, Matrix& dends) {
  const Index d = maps.cols() / 2;
  for_nodes(g, [&](Index u, const auto& visit) {
    Real product = 0;
    visit([&](Index e, bool) { product += blocks(e, 0) * dblocks(e, 0); });
    const Real square = root(u, k) * root(u, k);
    ddegree(u, 0) = square * (square * ddiagonal(u, 0) - product / 2);
  });
  for_edges(g, 12, [&](Index e) {
    const auto [u, v] = g.ends[e];
    const Real a = maps(e, k), b = maps(e, d + k), share = -root(u, k) * root(v, k) * dblocks(e, 0);
    dends(e, k) = (share * b + 2 * a * ddegree(u, 0)) * (1 - a * a);
    dends(e, d + k) = (share * a + 2 * b * ddegree(v, 0)) * (1 - b * b);
  });
}

}  // namespace gcnh::kernels
