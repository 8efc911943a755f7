// The parts of sheaf diffusion that are sums and scalings of short rows.
#include "gcnh/kernels/sheaf.h"

#include <cmath>

#include "gcnh/base/parallel.h"

namespace gcnh::kernels {
namespace {

// body(u) for all nodes, in parallel; `width` numbers are added per entry.
template <class Body>
void for_nodes(const EdgeList& g, Index width, const Body& body) {
  const std::int64_t cost = (g.rows.nnz() / std::max<Index>(1, g.num_nodes()) + 1) * width;
  parallel_for(g.num_nodes(), cost, [&](std::int64_t begin, std::int64_t end) {
    for (Index u = static_cast<Index>(begin); u < end; ++u) body(u);
  });
}

}  // namespace

void edge_sums(const EdgeList& g, const Matrix& x, Matrix& sums) {
  const Index k = x.cols();
  for_nodes(g, k, [&](Index u) {
    Real* sum = sums.row(u);
    std::fill_n(sum, k, Real{0});
    for (Offset e = g.rows.offsets[u]; e < g.rows.offsets[u + 1]; ++e)
      for (Index j = 0; j < k; ++j) sum[j] += x(g.edge[e], j);
  });
}

void edge_ends_add(const EdgeList& g, const Matrix& dends, Matrix& dp) {
  const Index k = dends.cols() / 2;
  for_nodes(g, 2 * k, [&](Index u) {
    Real* sum = dp.row(u);
    for (Offset e = g.rows.offsets[u]; e < g.rows.offsets[u + 1]; ++e) {
      const Real *away = dends.row(g.edge[e]), *towards = away + k;
      if (g.rows.indices[e] < u) std::swap(away, towards);
      for (Index j = 0; j < k; ++j) sum[j] += away[j];
      for (Index j = 0; j < k; ++j) sum[k + j] += towards[j];
    }
  });
}

void row_products(const Matrix& x, const Matrix& y, Matrix& products) {
  parallel_for(x.rows(), x.cols(), [&](std::int64_t begin, std::int64_t end) {
    for (Index i = static_cast<Index>(begin); i < end; ++i) {
      Real sum = 0;
      for (Index j = 0; j < x.cols(); ++j) sum += x(i, j) * y(i, j);
      products(i, 0) = sum;
    }
  });
}

void normalize_blocks(const EdgeList& g, const Matrix& degree, Matrix& root, Matrix& diagonal, Matrix& blocks) {
  for (Index u = 0; u < g.num_nodes(); ++u) {
    root(u, 0) = 1 / std::sqrt(degree(u, 0) + 1);
    diagonal(u, 0) = degree(u, 0) / (degree(u, 0) + 1);
  }
  parallel_for(g.num_edges(), blocks.cols(), [&](std::int64_t begin, std::int64_t end) {
    for (Index e = static_cast<Index>(begin); e < end; ++e) {
      const Real factor = -root(g.ends[e].u, 0) * root(g.ends[e].v, 0);
      for (Index j = 0; j < blocks.cols(); ++j) blocks(e, j) *= factor;
    }
  });
}

void scaled_difference(const Matrix& b, const Matrix& x, const Matrix& z, Matrix& y) {
  const Index k = x.cols();
  parallel_for(x.rows(), k, [&](std::int64_t begin, std::int64_t end) {
    for (Index i = static_cast<Index>(begin); i < end; ++i)
      for (Index j = 0; j < k; ++j) y(i, j) = b(0, j) * x(i, j) - z(i, j);
  });
}

void scaled_difference_backward_add(const Matrix& b, const Matrix& x, const Matrix& dy, Matrix& dx, Matrix& dz,
                                    Matrix& db) {
  const Index k = x.cols();
  parallel_for(x.rows(), 2 * k, [&](std::int64_t begin, std::int64_t end) {
    for (Index i = static_cast<Index>(begin); i < end; ++i) {
      if (!dx.empty())
        for (Index j = 0; j < k; ++j) dx(i, j) += b(0, j) * dy(i, j);
      if (!dz.empty())
        for (Index j = 0; j < k; ++j) dz(i, j) -= dy(i, j);
    }
  });
  if (db.empty()) return;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < k; ++j) db(0, j) += dy(i, j) * x(i, j);
}

}  // namespace gcnh::kernels
