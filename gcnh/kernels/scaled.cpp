// One pass over memory each, which the compiler vectorises; the sparse products beside them take far longer.
#include "gcnh/kernels/scaled.h"

#include <algorithm>

#include "gcnh/base/parallel.h"

namespace gcnh::kernels {

void scaled_add(Real c, const Matrix& x, Matrix& y) {
  parallel_for(static_cast<std::int64_t>(x.size()), 4,
               [c, from = x.data(), to = y.data()](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) to[i] += c * from[i];
               });
}

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
  parallel_for(x.rows(), k, [&](std::int64_t begin, std::int64_t end) {
    for (Index i = static_cast<Index>(begin); i < end; ++i) f(scale[i], x.row(i), y.row(i), k);
  });
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
