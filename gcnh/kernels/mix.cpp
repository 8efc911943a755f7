// The weighted mean of a node's own encoding and its neighbourhood's, one weight per column.
#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::kernels {

void mix(const Matrix& b, const Matrix& z, const Matrix& a, Matrix& h) {
  const Index k = z.cols();
  parallel_for(z.rows(), k, [&](std::int64_t begin, std::int64_t end) {
    for (Index i = static_cast<Index>(begin); i < end; ++i)
      for (Index j = 0; j < k; ++j) h(i, j) = b(0, j) * z(i, j) + (1 - b(0, j)) * a(i, j);
  });
}

void mix_backward_add(const Matrix& b, const Matrix& z, const Matrix& a, const Matrix& dh, Matrix& dz, Matrix& da,
                      Matrix& db) {
  const Index k = z.cols();
  parallel_for(z.rows(), k, [&](std::int64_t begin, std::int64_t end) {
    for (Index i = static_cast<Index>(begin); i < end; ++i) {
      if (!dz.empty())
        for (Index j = 0; j < k; ++j) dz(i, j) += b(0, j) * dh(i, j);
      if (!da.empty())
        for (Index j = 0; j < k; ++j) da(i, j) += (1 - b(0, j)) * dh(i, j);
    }
  });
  if (db.empty()) return;
  for (Index i = 0; i < z.rows(); ++i)
    for (Index j = 0; j < k; ++j) db(0, j) += dh(i, j) * (z(i, j) - a(i, j));
}

void mix_rows(std::span<const Index> rows, const Matrix& b, const Matrix& z, const Matrix& a, const Matrix* factor,
              Matrix& h) {
  const Index k = z.cols();
  const Real* weight = b.data();
  parallel_for(static_cast<std::int64_t>(rows.size()), k, [&](std::int64_t begin, std::int64_t end) {
    for (Index i = static_cast<Index>(begin); i < end; ++i) {
      const Index u = rows[i];
      const Real *zu = z.row(u), *au = a.row(u);
      Real* hu = h.row(u);
      for (Index j = 0; j < k; ++j) hu[j] = weight[j] * zu[j] + (1 - weight[j]) * au[j];
      if (!factor) continue;
      const Real* f = factor->row(i);
      for (Index j = 0; j < k; ++j) hu[j] *= f[j];
    }
  });
}

void mix_rows_backward(std::span<const Index> rows, const Matrix& b, const Matrix& z, const Matrix& a,
                       const Matrix* factor, const Matrix& dh, Real slope, Matrix& g, Matrix& dz, Matrix& db) {
  const Index k = z.cols();
  const Real* weight = b.data();
  std::vector<Real> d(k);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Index u = rows[i];
    const Real *zu = z.row(u), *au = a.row(u), *from = dh.row(u);
    Real *gu = g.row(u), *dzu = dz.row(u), *sum = db.data();
    std::copy_n(from, k, d.data());
    if (factor)
      for (Index j = 0; j < k; ++j) d[j] *= (*factor)(static_cast<Index>(i), j);
    for (Index j = 0; j < k; ++j) gu[j] = (1 - weight[j]) * d[j];
    for (Index j = 0; j < k; ++j) dzu[j] = weight[j] * d[j] * (zu[j] > 0 ? Real{1} : slope);
    for (Index j = 0; j < k; ++j) sum[j] += d[j] * (zu[j] - au[j]);
  }
}

}  // namespace gcnh::kernels
