// One pass over memory each, which the compiler vectorises; the sparse products beside them take far longer.
#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::kernels {

// Four interleaved sums hide the latency of the addition.
double dot(const Matrix& x, const Matrix& y) {
  double sum[4] = {0, 0, 0, 0};
  for (std::size_t i = 0; i < x.size(); ++i)
    sum[i % 4] += static_cast<double>(x.data()[i]) * static_cast<double>(y.data()[i]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

namespace {

// f(scale[i], row of x, row of y, columns that both have) for all rows
template <class F>
void each_row(std::span<const Real> scale, const Matrix& x, Matrix& y, const F& f) {
  const Index k = std::min(x.cols(), y.cols());
  parallel_each(x.rows(), k, [&](Index i) { f(scale[i], x.row(i), y.row(i), k); });
}

}  // namespace

void scale_rows(std::span<const Real> scale, const Matrix& x, Matrix& y) {
  each_row(scale, x, y, [rest = y.cols()](Real s, const Real* from, Real* to, Index k) {
    for (Index j = 0; j < k; ++j) to[j] = s * from[j];
    std::fill(to + k, to + rest, Real{0});
  });
}

void scale_rows_add(std::span<const Real> scale, const Matrix& x, Matrix& y) {
  each_row(scale, x, y, [](Real s, const Real* from, Real* to, Index k) {
    for (Index j = 0; j < k; ++j) to[j] += s * from[j];
  });
}

}  // namespace gcnh::kernels
