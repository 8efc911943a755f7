// Products with the feature matrix. Dropout on sparse features touches the stored entries only: zeros stay zeros either
// way.
#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"

namespace gcnh {

Input::Input(const Features& features) : features_(features) {
  if (features.is_sparse) transposed_ = transpose(features.sparse, &source_);
}

Var Input::times(Tape& t, Var w, double dropout) const {
  require(cols() == w->rows(), "features have ", cols(), " columns, the weights expect ", w->rows());
  const double p = t.training() ? dropout : 0;
  return features_.is_sparse ? sparse_times(t, w, p) : dense_times(t, w, p);
}

// y = X w;   dw += X' dy
Var Input::sparse_times(Tape& t, Var w, double dropout) const {
  const Csr& x = features_.sparse;
  Var y = t.node(x.rows, w->cols(), {w});
  if (dropout == 0) {
    kernels::spmm(x, x.values, w->value, y->value);
    if (y->has_grad())
      t.on_backward([this, w, y] { kernels::spmm_add(transposed_, transposed_.values, y->grad, w->grad); });
    return y;
  }
  Matrix& kept = t.scratch(1, static_cast<Index>(x.nnz()));
  kernels::dropout_factors(t.next_dropout(), dropout, kept.values());
  if (!x.values.empty())
    for (Offset e = 0; e < x.nnz(); ++e) kept.values()[e] *= x.values[e];
  kernels::spmm(x, kept.values(), w->value, y->value);
  Matrix& kept_transposed = t.scratch(1, static_cast<Index>(x.nnz()));
  for (Offset e = 0; e < x.nnz(); ++e) kept_transposed.values()[e] = kept.values()[source_[e]];
  if (y->has_grad()) {
    t.on_backward(
        [this, w, y, &kept_transposed] { kernels::spmm_add(transposed_, kept_transposed.values(), y->grad, w->grad); });
  }
  return y;
}

Var Input::dense_times(Tape& t, Var w, double dropout) const {
  Var y = t.node(rows(), w->cols(), {w});
  const Matrix* x = &features_.dense;
  if (dropout > 0) {
    Matrix& factor = t.scratch(x->rows(), x->cols());
    Matrix& dropped = t.scratch(x->rows(), x->cols());
    kernels::dropout_factors(t.next_dropout(), dropout, factor.values());
    kernels::multiply(*x, factor.values(), dropped);
    x = &dropped;
  }
  kernels::gemm(*x, w->value, y->value);
  if (y->has_grad()) t.on_backward([x, w, y] { kernels::gemm_transposed_add(*x, y->grad, w->grad); });
  return y;
}

}  // namespace gcnh
