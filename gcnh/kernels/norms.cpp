// Rows brought to one length. Sums over a row are made of eight interleaved ones, the same on every machine.
#include <cmath>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::kernels {
namespace {

constexpr Index kSums = 8;

Real row_dot(const Real* x, const Real* y, Index k) {
  Real sum[kSums] = {};
  Index j = 0;
  for (; j + kSums <= k; j += kSums)
    for (Index q = 0; q < kSums; ++q) sum[q] += x[j + q] * y[j + q];
  for (; j < k; ++j) sum[0] += x[j] * y[j];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

}  // namespace

void unit_rows(const Matrix& x, Matrix& y, std::span<Real> scale) {
  const Index k = x.cols();
  parallel_each(x.rows(), 2 * k, [&](Index i) {
    const Real square = row_dot(x.row(i), x.row(i), k), s = square > 0 ? 1 / std::sqrt(square) : 0;
    const Real* from = x.row(i);
    Real* to = y.row(i);
    for (Index j = 0; j < k; ++j) to[j] = s * from[j];
    scale[i] = s;
  });
}

void unit_rows_backward_add(const Matrix& y, std::span<const Real> scale, const Matrix& dy, Matrix& dx) {
  const Index k = y.cols();
  parallel_each(y.rows(), 3 * k, [&](Index i) {
    const Real *unit = y.row(i), *from = dy.row(i);
    const Real along = row_dot(unit, from, k), s = scale[i];
    Real* to = dx.row(i);
    for (Index j = 0; j < k; ++j) to[j] += s * (from[j] - along * unit[j]);
  });
}

}  // namespace gcnh::kernels
