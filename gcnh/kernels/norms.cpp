// Rows brought to one length, and rows or columns to mean 0 and variance 1. Sums over a row are made of eight
// interleaved ones, the same on every machine; sums over a column are made row after row, in double.
#include <cmath>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::kernels {
namespace {

constexpr Index kSums = 8;
constexpr Real kLeastVariance = Real(1e-5);  // added to a variance, as in PyTorch

// The sum of f(j) for j = 0 .. k - 1
template <class F>
Real sum_of(Index k, const F& f) {
  Real sum[kSums] = {};
  Index j = 0;
  for (; j + kSums <= k; j += kSums)
    for (Index q = 0; q < kSums; ++q) sum[q] += f(j + q);
  for (; j < k; ++j) sum[0] += f(j);
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

Real row_dot(const Real* x, const Real* y, Index k) {
  return sum_of(k, [=](Index j) { return x[j] * y[j]; });
}

Real row_mean(const Real* x, Index k) {
  return sum_of(k, [=](Index j) { return x[j]; }) / static_cast<Real>(k);
}

// Means over the rows of f(i, j), for every column j.
template <class F>
std::vector<double> column_means(Index rows, Index k, const F& f) {
  std::vector<double> out(static_cast<std::size_t>(k), 0);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < k; ++j) out[j] += static_cast<double>(f(i, j));
  for (double& sum : out) sum /= std::max<Index>(1, rows);
  return out;
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

void standard_rows(const Matrix& x, Matrix& y, std::span<Real> scale) {
  const Index k = x.cols();
  parallel_each(x.rows(), 4 * k, [&](Index i) {
    const Real* from = x.row(i);
    Real* to = y.row(i);
    const Real mean = row_mean(from, k);
    for (Index j = 0; j < k; ++j) to[j] = from[j] - mean;
    const Real s = 1 / std::sqrt(row_dot(to, to, k) / static_cast<Real>(k) + kLeastVariance);
    for (Index j = 0; j < k; ++j) to[j] *= s;
    scale[i] = s;
  });
}

void standard_rows_backward_add(const Matrix& y, std::span<const Real> scale, const Matrix& dy, Matrix& dx) {
  const Index k = y.cols();
  parallel_each(y.rows(), 4 * k, [&](Index i) {
    const Real *standard = y.row(i), *from = dy.row(i);
    const Real mean = row_mean(from, k), along = row_dot(standard, from, k) / static_cast<Real>(k), s = scale[i];
    Real* to = dx.row(i);
    for (Index j = 0; j < k; ++j) to[j] += s * (from[j] - mean - along * standard[j]);
  });
}

void column_moments(const Matrix& x, Matrix& mean, Matrix& variance) {
  const std::vector<double> means = column_means(x.rows(), x.cols(), [&](Index i, Index j) { return x(i, j); });
  const std::vector<double> squares = column_means(x.rows(), x.cols(), [&](Index i, Index j) {
    const double d = static_cast<double>(x(i, j)) - means[j];
    return d * d;
  });
  for (Index j = 0; j < x.cols(); ++j) {
    mean(0, j) = static_cast<Real>(means[j]);
    variance(0, j) = static_cast<Real>(squares[j]);
  }
}

void scales_of(const Matrix& variance, Matrix& scale) {
  for (Index j = 0; j < variance.cols(); ++j)
    scale(0, j) = 1 / std::sqrt(std::max<Real>(0, variance(0, j)) + kLeastVariance);
}

void standard_columns(const Matrix& x, const Matrix& mean, const Matrix& scale, Matrix& y) {
  const Real *m = mean.data(), *s = scale.data();
  parallel_each(x.rows(), x.cols(), [&, m, s](Index i) {
    const Real* from = x.row(i);
    Real* to = y.row(i);
    for (Index j = 0; j < x.cols(); ++j) to[j] = s[j] * (from[j] - m[j]);
  });
}

void standard_columns_backward_add(const Matrix& y, const Matrix& scale, const Matrix& dy, Matrix& dx) {
  const std::vector<double> means = column_means(y.rows(), y.cols(), [&](Index i, Index j) { return dy(i, j); });
  const std::vector<double> along = column_means(y.rows(), y.cols(), [&](Index i, Index j) {
    return static_cast<double>(y(i, j)) * static_cast<double>(dy(i, j));
  });
  parallel_each(y.rows(), 4 * y.cols(), [&](Index i) {
    const Real *standard = y.row(i), *from = dy.row(i);
    Real* to = dx.row(i);
    for (Index j = 0; j < y.cols(); ++j)
      to[j] += scale(0, j) * (from[j] - static_cast<Real>(means[j]) - static_cast<Real>(along[j]) * standard[j]);
  });
}

void scale_columns_add(const Matrix& x, const Matrix& scale, Matrix& y) {
  const Real* s = scale.data();
  parallel_each(x.rows(), x.cols(), [&, s](Index i) {
    const Real* from = x.row(i);
    Real* to = y.row(i);
    for (Index j = 0; j < x.cols(); ++j) to[j] += s[j] * from[j];
  });
}

void column_products_add(const Matrix& x, const Matrix& y, Matrix& sum) {
  for (Index i = 0; i < x.rows(); ++i) {
    const Real *a = x.row(i), *b = y.row(i);
    for (Index j = 0; j < x.cols(); ++j) sum(0, j) += a[j] * b[j];
  }
}

}  // namespace gcnh::kernels
