// Ops that bring rows to one length, and rows or columns to mean 0 and variance 1.
#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"

namespace gcnh {

// y[i] = x[i] / |x[i]|, 0 for a row of zeros, which has no gradient;   dx[i] += (dy[i] - <y[i], dy[i]> y[i]) / |x[i]|
Var unit_rows(Tape& t, Var x) {
  Var y = t.node(x->rows(), x->cols(), {x});
  Matrix& scale = t.scratch(1, x->rows());
  kernels::unit_rows(x->value, y->value, scale.values());
  return t.on_backward(y,
                       [x, y, &scale] { kernels::unit_rows_backward_add(y->value, scale.values(), y->grad, x->grad); });
}

// y[i] = s_i (x[i] - mean of x[i]), s_i = 1 / sqrt(variance of x[i] + 1e-5)
// dx[i] += s_i (dy[i] - mean of dy[i] - (mean of y[i] dy[i]) y[i])
Var standard_rows(Tape& t, Var x) {
  Var y = t.node(x->rows(), x->cols(), {x});
  Matrix& scale = t.scratch(1, x->rows());
  kernels::standard_rows(x->value, y->value, scale.values());
  return t.on_backward(
      y, [x, y, &scale] { kernels::standard_rows_backward_add(y->value, scale.values(), y->grad, x->grad); });
}

// The same by columns in training, where the running moments go a tenth of the way to those of x, the variance to
// that of a sample. Elsewhere y = s (x - mean), s = 1 / sqrt(variance + 1e-5) with the running ones;   dx += s dy
Var standard_columns(Tape& t, Var x, Matrix& mean, Matrix& variance) {
  require(mean.cols() == x->cols() && variance.cols() == x->cols(), "standard_columns: moments of ", mean.cols(),
          " columns for ", x->cols());
  Var y = t.node(x->rows(), x->cols(), {x});
  Matrix &m = t.scratch(1, x->cols()), &scale = t.scratch(1, x->cols());
  if (!t.training()) {
    kernels::scales_of(variance, scale);
    kernels::standard_columns(x->value, mean, scale, y->value);
    return t.on_backward(y, [x, y, &scale] { kernels::scale_columns_add(y->grad, scale, x->grad); });
  }
  Matrix& v = t.scratch(1, x->cols());
  kernels::column_moments(x->value, m, v);
  kernels::scales_of(v, scale);
  kernels::standard_columns(x->value, m, scale, y->value);
  const Real n = static_cast<Real>(x->rows()), of_sample = n / std::max<Real>(1, n - 1);
  for (Index j = 0; j < x->cols(); ++j) {
    mean(0, j) += Real(0.1) * (m(0, j) - mean(0, j));
    variance(0, j) += Real(0.1) * (of_sample * v(0, j) - variance(0, j));
  }
  return t.on_backward(y,
                       [x, y, &scale] { kernels::standard_columns_backward_add(y->value, scale, y->grad, x->grad); });
}

// y[i] = scale x[i] + shift;   dx[i] += scale dy[i],  dscale += sum_i x[i] dy[i],  dshift += sum_i dy[i]
Var scale_and_shift(Tape& t, Var x, Var scale, Var shift) {
  require(scale->cols() == x->cols() && shift->cols() == x->cols(), "scale_and_shift: ", scale->cols(), " and ",
          shift->cols(), " numbers for ", x->cols(), " columns");
  Var y = t.node(x->rows(), x->cols(), {x, scale, shift});
  y->value.fill(0);
  kernels::scale_columns_add(x->value, scale->value, y->value);
  kernels::add_row(shift->value, y->value);
  return t.on_backward(y, [x, scale, shift, y] {
    if (x->has_grad()) kernels::scale_columns_add(y->grad, scale->value, x->grad);
    if (scale->has_grad()) kernels::column_products_add(x->value, y->grad, scale->grad);
    if (shift->has_grad()) kernels::column_sums_add(y->grad, shift->grad);
  });
}

}  // namespace gcnh
