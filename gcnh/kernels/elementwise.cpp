// Maps over the elements or rows of matrices; compilers vectorise these loops as they stand.
#include <cmath>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::kernels {
namespace {

// f(i) for every element number, in parallel pieces.
template <class F>
void each(std::size_t count, const F& f) {
  parallel_for(static_cast<std::int64_t>(count), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) f(i);
  });
}

}  // namespace

void add_row(const Matrix& row, Matrix& y) {
  const Index k = y.cols();
  const Real* b = row.data();
  parallel_for(y.rows(), k, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Real* to = y.row(static_cast<Index>(i));
      for (Index j = 0; j < k; ++j) to[j] += b[j];
    }
  });
}

void column_sums_add(const Matrix& x, Matrix& row) {
  const Index k = x.cols();
  Real* sum = row.data();
  for (Index i = 0; i < x.rows(); ++i) {
    const Real* from = x.row(i);
    for (Index j = 0; j < k; ++j) sum[j] += from[j];
  }
}

void add(const Matrix& x, Matrix& y) {
  each(x.size(), [from = x.data(), to = y.data()](std::int64_t i) { to[i] += from[i]; });
}

void multiply(const Matrix& x, std::span<const Real> factor, Matrix& y) {
  each(x.size(), [from = x.data(), f = factor.data(), to = y.data()](std::int64_t i) { to[i] = from[i] * f[i]; });
}

void multiply_add(const Matrix& x, std::span<const Real> factor, Matrix& y) {
  each(x.size(), [from = x.data(), f = factor.data(), to = y.data()](std::int64_t i) { to[i] += from[i] * f[i]; });
}

void leaky_relu(const Matrix& x, Real slope, Matrix& y) {
  each(x.size(),
       [slope, from = x.data(), to = y.data()](std::int64_t i) { to[i] = from[i] > 0 ? from[i] : slope * from[i]; });
}

void leaky_relu_backward_add(const Matrix& x, Real slope, const Matrix& dy, Matrix& dx) {
  each(x.size(), [slope, from = x.data(), d = dy.data(), to = dx.data()](std::int64_t i) {
    to[i] += from[i] > 0 ? d[i] : slope * d[i];
  });
}

void elu(const Matrix& x, Matrix& y) {
  each(x.size(),
       [from = x.data(), to = y.data()](std::int64_t i) { to[i] = from[i] > 0 ? from[i] : std::expm1(from[i]); });
}

void elu_backward_add(const Matrix& y, const Matrix& dy, Matrix& dx) {
  each(y.size(), [out = y.data(), d = dy.data(), to = dx.data()](std::int64_t i) {
    to[i] += out[i] > 0 ? d[i] : (out[i] + 1) * d[i];
  });
}

void gather_rows(const Matrix& x, std::span<const Index> rows, Matrix& y) {
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(x.row(rows[i]), x.cols(), y.row(static_cast<Index>(i)));
}

void scatter_rows_add(const Matrix& y, std::span<const Index> rows, Matrix& x) {
  const Index k = y.cols();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Real* from = y.row(static_cast<Index>(i));
    Real* to = x.row(rows[i]);
    for (Index j = 0; j < k; ++j) to[j] += from[j];
  }
}

void zero_rows(std::span<const Index> rows, Matrix& y) {
  for (Index u : rows) std::fill_n(y.row(u), y.cols(), Real{0});
}

void gate_rows(std::span<const Index> rows, const Matrix& gate, Real slope, Matrix& y) {
  const Index k = y.cols();
  for (Index u : rows) {
    const Real* sign = gate.row(u);
    Real* to = y.row(u);
    for (Index j = 0; j < k; ++j) to[j] *= sign[j] > 0 ? Real{1} : slope;
  }
}

void add_rows(std::span<const Index> rows, const Matrix& x, Matrix& y) {
  const Index k = y.cols();
  for (Index u : rows) {
    const Real* from = x.row(u);
    Real* to = y.row(u);
    for (Index j = 0; j < k; ++j) to[j] += from[j];
  }
}

void column_sums_rows_add(std::span<const Index> rows, const Matrix& x, Matrix& row) {
  const Index k = x.cols();
  Real* sum = row.data();
  for (Index u : rows) {
    const Real* from = x.row(u);
    for (Index j = 0; j < k; ++j) sum[j] += from[j];
  }
}

}  // namespace gcnh::kernels
