// Products with what a layer reads. Dropout on sparse features touches the stored entries only: zeros stay zeros either
// way.
#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"

namespace gcnh {
namespace {

Real dot(const Real* a, const Real* b, Index count) {
  Real sum = 0;
  for (Index i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// dx[e] += <dy[u], w[j]> for every entry e = (u, j) of x
void watch_entries(Tape& t, const Csr& x, Var y, Var w, Matrix& dx) {
  t.on_backward(y, [&x, y, w, &dx] {
    for (Index u = 0; u < x.rows; ++u)
      for (Offset e = x.offsets[u]; e < x.offsets[u + 1]; ++e)
        dx.values()[e] += dot(y->grad.row(u), w->value.row(x.indices[e]), w->cols());
  });
}

// dx += dy w'
void watch_rows(Tape& t, Var y, Var w, Matrix& dx) {
  t.on_backward(y, [y, w, &dx] {
    for (Index u = 0; u < dx.rows(); ++u)
      for (Index j = 0; j < dx.cols(); ++j) dx(u, j) += dot(y->grad.row(u), w->value.row(j), w->cols());
  });
}

}  // namespace

Input::Input(const Features& features) {
  if (features.is_sparse()) {
    sparse_ = Propagator::of(features.sparse());
  } else {
    dense_ = &features.dense();
  }
}

Var Input::times(Tape& t, Var w, double dropout) const {
  if (hidden_) return matmul(t, gcnh::dropout(t, hidden_, dropout), w);
  require(cols() == w->rows(), "features have ", cols(), " columns, the weights expect ", w->rows());
  const double p = t.training() ? dropout : 0;
  return sparse_ ? sparse_times(t, w, p) : dense_times(t, w, p);
}

// y = X w;   dw += X' dy
Var Input::sparse_times(Tape& t, Var w, double dropout) const {
  const Propagator& p = *sparse_;
  const Csr& x = p.forward();
  Var y = t.node(x.rows, w->cols(), {w});
  if (dropout == 0) {
    kernels::spmm(x, x.values, w->value, y->value);
    if (watched_) watch_entries(t, x, y, w, *watched_);
    return t.on_backward(y, [p, w, y] { kernels::spmm_add(p.backward(), p.backward().values, y->grad, w->grad); });
  }
  Matrix& kept = t.scratch(1, static_cast<Index>(x.nnz()));
  kernels::dropout_factors(t.next_dropout(), dropout, kept.values());
  if (!x.values.empty())
    for (Offset e = 0; e < x.nnz(); ++e) kept.values()[e] *= x.values[e];
  kernels::spmm(x, kept.values(), w->value, y->value);
  const std::span<const Offset> source = p.source();
  Matrix& kept_transposed = t.scratch(1, static_cast<Index>(x.nnz()));
  for (Offset e = 0; e < x.nnz(); ++e) kept_transposed.values()[e] = kept.values()[source[e]];
  return t.on_backward(
      y, [p, w, y, &kept_transposed] { kernels::spmm_add(p.backward(), kept_transposed.values(), y->grad, w->grad); });
}

Var Input::dense_times(Tape& t, Var w, double dropout) const {
  Var y = t.node(rows(), w->cols(), {w});
  const Matrix* x = dense_;
  if (dropout > 0) {
    Matrix& factor = t.scratch(x->rows(), x->cols());
    Matrix& dropped = t.scratch(x->rows(), x->cols());
    kernels::dropout_factors(t.next_dropout(), dropout, factor.values());
    kernels::multiply(*x, factor.values(), dropped);
    x = &dropped;
  }
  kernels::gemm(*x, w->value, y->value);
  if (watched_ && dropout == 0) watch_rows(t, y, w, *watched_);
  return t.on_backward(y, [x, w, y] { kernels::gemm_transposed_add(*x, y->grad, w->grad); });
}

}  // namespace gcnh
