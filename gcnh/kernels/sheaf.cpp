// The parts of sheaf diffusion that are sums and scalings of short rows, and diagonal maps: there every stalk
// coordinate is a graph of its own whose edges have a number at each end.
#include "gcnh/kernels/sheaf.h"

#include <cmath>

#include "gcnh/base/parallel.h"

namespace gcnh::kernels {
namespace {

// body(u, visit) for all nodes, in parallel; visit(f) calls f(e, whether u is the first end of e) for the edges of u.
// `width` numbers are added per edge.
template <class Body>
void for_nodes(const EdgeList& g, Index width, const Body& body) {
  parallel_each(g.num_nodes(), g.rows.per_row() * width, [&](Index u) {
    body(u, [&](const auto& f) {
      for (Offset i = g.rows.offsets[u]; i < g.rows.offsets[u + 1]; ++i) f(g.edge[i], u < g.rows.indices[i]);
    });
  });
}

}  // namespace

void edge_sums(const EdgeList& g, const Matrix& x, Matrix& sums) {
  const Index k = x.cols();
  for_nodes(g, k, [&](Index u, const auto& visit) {
    Real* sum = sums.row(u);
    std::fill_n(sum, k, Real{0});
    visit([&](Index e, bool) {
      for (Index j = 0; j < k; ++j) sum[j] += x(e, j);
    });
  });
}

void edge_ends_add(const EdgeList& g, const Matrix& dends, Matrix& dp) {
  const Index k = dends.cols() / 2;
  for_nodes(g, 2 * k, [&](Index u, const auto& visit) {
    Real* sum = dp.row(u);
    visit([&](Index e, bool first) {
      const Real *away = dends.row(e), *towards = away + k;
      if (!first) std::swap(away, towards);
      for (Index j = 0; j < k; ++j) sum[j] += away[j];
      for (Index j = 0; j < k; ++j) sum[k + j] += towards[j];
    });
  });
}

void row_products(const Matrix& x, const Matrix& y, Matrix& products) {
  parallel_each(x.rows(), x.cols(), [&](Index i) {
    Real sum = 0;
    for (Index j = 0; j < x.cols(); ++j) sum += x(i, j) * y(i, j);
    products(i, 0) = sum;
  });
}

void normalize_blocks(const EdgeList& g, const Matrix& degree, Matrix& root, Matrix& diagonal, Matrix& blocks) {
  for (Index u = 0; u < g.num_nodes(); ++u) {
    root(u, 0) = 1 / std::sqrt(degree(u, 0) + 1);
    diagonal(u, 0) = degree(u, 0) / (degree(u, 0) + 1);
  }
  parallel_each(g.num_edges(), blocks.cols(), [&](Index e) {
    const Real factor = -root(g.ends[e].u, 0) * root(g.ends[e].v, 0);
    for (Index j = 0; j < blocks.cols(); ++j) blocks(e, j) *= factor;
  });
}

void diagonal_maps(const EdgeList& g, int d, const Matrix& p, Matrix& maps) {
  constexpr Index kTanhCost = 20;  // in additions
  parallel_each(g.num_edges(), 2 * d * kTanhCost, [&](Index e) {
    const Real *u = p.row(g.ends[e].u), *v = p.row(g.ends[e].v);
    for (int k = 0; k < d; ++k) {
      maps(e, k) = std::tanh(u[k] + v[d + k]);
      maps(e, d + k) = std::tanh(v[k] + u[d + k]);
    }
  });
}

void diagonal_blocks(const EdgeList& g, int k, const Matrix& maps, Matrix& root, Matrix& diagonal, Matrix& blocks) {
  const Index d = maps.cols() / 2;
  for_nodes(g, 1, [&](Index u, const auto& visit) {
    Real degree = 0;
    visit([&](Index e, bool first) {
      const Real own = maps(e, first ? k : d + k);
      degree += own * own;
    });
    root(u, k) = 1 / std::sqrt(degree + 1);
    diagonal(u, 0) = degree / (degree + 1);
  });
  parallel_each(g.num_edges(), 4, [&](Index e) {
    blocks(e, 0) = -root(g.ends[e].u, k) * root(g.ends[e].v, k) * maps(e, k) * maps(e, d + k);
  });
}

void diagonal_blocks_backward(const EdgeList& g, int k, const Matrix& maps, const Matrix& root, const Matrix& blocks,
                              const Matrix& ddiagonal, const Matrix& dblocks, Matrix& ddegree, Matrix& dends) {
  const Index d = maps.cols() / 2;
  for_nodes(g, 1, [&](Index u, const auto& visit) {
    Real product = 0;
    visit([&](Index e, bool) { product += blocks(e, 0) * dblocks(e, 0); });
    const Real square = root(u, k) * root(u, k);
    ddegree(u, 0) = square * (square * ddiagonal(u, 0) - product / 2);
  });
  parallel_each(g.num_edges(), 12, [&](Index e) {
    const auto [u, v] = g.ends[e];
    const Real a = maps(e, k), b = maps(e, d + k), share = -root(u, k) * root(v, k) * dblocks(e, 0);
    dends(e, k) = (share * b + 2 * a * ddegree(u, 0)) * (1 - a * a);
    dends(e, d + k) = (share * a + 2 * b * ddegree(v, 0)) * (1 - b * b);
  });
}

void scaled_difference(const Matrix& b, const Matrix& x, const Matrix& z, Matrix& y) {
  const Index k = x.cols();
  parallel_each(x.rows(), k, [&](Index i) {
    for (Index j = 0; j < k; ++j) y(i, j) = b(0, j) * x(i, j) - z(i, j);
  });
}

void scaled_difference_backward_add(const Matrix& b, const Matrix& x, const Matrix& dy, Matrix& dx, Matrix& dz,
                                    Matrix& db) {
  const Index k = x.cols();
  parallel_each(x.rows(), 2 * k, [&](Index i) {
    if (!dx.empty())
      for (Index j = 0; j < k; ++j) dx(i, j) += b(0, j) * dy(i, j);
    if (!dz.empty())
      for (Index j = 0; j < k; ++j) dz(i, j) -= dy(i, j);
  });
  if (db.empty()) return;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < k; ++j) db(0, j) += dy(i, j) * x(i, j);
}

}  // namespace gcnh::kernels
