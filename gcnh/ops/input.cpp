// Products with what a layer reads. Dropout on sparse features touches the stored entries only: zeros stay zeros either
// way.
#include "gcnh/base/error.h"
#include "gcnh/kernels/dropout.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"
#include "gcnh/ops/share.h"

namespace gcnh {
namespace {

Real dot(const Real* a, const Real* b, Index count) {
  Real sum = 0;
  for (Index i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// dx[e] += <dy[u], w[j]> for every entry e = (u, j) of x
void add_to_entries(const Csr& x, const Matrix& dy, const Matrix& w, Matrix& dx) {
  for (Index u = 0; u < x.rows; ++u)
    for (Offset e = x.offsets[u]; e < x.offsets[u + 1]; ++e)
      dx.values()[e] += dot(dy.row(u), w.row(x.indices[e]), w.cols());
}

// dx += dy w'
void add_to_rows(const Matrix& dy, const Matrix& w, Matrix& dx) {
  for (Index u = 0; u < dx.rows(); ++u)
    for (Index j = 0; j < dx.cols(); ++j) dx(u, j) += dot(dy.row(u), w.row(j), w.cols());
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

// y = s(x w + b), s = LeakyReLU;   with d = dy s'(y):  dw += x' d,  db += column sums of d,  dx += d w'
// The sign of y is that of what was activated.
Var Input::encode(Tape& t, Var w, Var bias, Real slope) const {
  require(cols() == w->rows(), "input has ", cols(), " columns, the weights expect ", w->rows());
  Var y = t.node(rows(), w->cols(), {w, bias, hidden_ ? hidden_ : w});
  if (!hidden_) of_nodes(t, y);
  const kernels::Epilogue activate{&bias->value, nullptr, slope};
  const kernels::RowMap all = kernels::RowMap::all(rows());
  if (sparse_) {
    kernels::spmm_rows(sparse_->forward(), sparse_->forward().values, all, w->value, activate, y->value);
  } else {
    kernels::gemm_rows(all, hidden_ ? hidden_->value : *dense_, w->value, activate, y->value);
  }
  Matrix& wt = t.scratch(hidden_ ? w->cols() : 0, w->rows());
  return t.on_backward(y, [x = *this, w, bias, slope, y, &wt] {
    if (slope != 1) kernels::gate(y->value, slope, y->grad);
    if (bias->has_grad()) kernels::column_sums_add(y->grad, bias->grad);
    if (w->has_grad()) x.take_gradient(y->grad, w->grad);
    if (x.hidden_ && x.hidden_->has_grad()) {
      kernels::transpose(w->value, wt);
      kernels::gemm_add(y->grad, wt, x.hidden_->grad);
    }
    if (x.watched_ && x.sparse_) add_to_entries(x.sparse_->forward(), y->grad, w->value, *x.watched_);
    if (x.watched_ && x.dense_) add_to_rows(y->grad, w->value, *x.watched_);
  });
}

// dw += x' dy
void Input::take_gradient(const Matrix& dy, Matrix& dw) const {
  if (sparse_) {
    kernels::spmm_add(sparse_->backward(), sparse_->backward().values, dy, dw);
  } else {
    kernels::gemm_transposed_add(hidden_ ? hidden_->value : *dense_, dy, dw);
  }
}

// y = X w;   dw += X' dy
Var Input::sparse_times(Tape& t, Var w, double dropout) const {
  const Propagator& p = *sparse_;
  const Csr& x = p.forward();
  Var y = of_nodes(t, t.node(x.rows, w->cols(), {w}));
  if (dropout == 0) {
    kernels::spmm(x, x.values, w->value, y->value);
    return t.on_backward(y, [p, w, y, watched = watched_] {
      kernels::spmm_add(p.backward(), p.backward().values, y->grad, w->grad);
      if (watched) add_to_entries(p.forward(), y->grad, w->value, *watched);
    });
  }
  Matrix& kept = t.scratch(1, static_cast<Index>(x.nnz()));
  const Rng rng = t.next_dropout();
  if (t.share()) {
    kernels::dropout_factors_at(rng, dropout, t.share()->feature_entries(), x.offsets, kept.values());
  } else {
    kernels::dropout_factors(rng, dropout, kept.values());
  }
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
  Var y = of_nodes(t, t.node(rows(), w->cols(), {w}));
  const Matrix* x = dense_;
  if (dropout > 0) {
    Matrix& factor = t.scratch(x->rows(), x->cols());
    Matrix& dropped = t.scratch(x->rows(), x->cols());
    draw_dropout(t, dropout, y, factor);
    kernels::multiply(*x, factor.values(), dropped);
    x = &dropped;
  }
  kernels::gemm(*x, w->value, y->value);
  return t.on_backward(y, [x, w, y, watched = dropout == 0 ? watched_ : nullptr] {
    kernels::gemm_transposed_add(*x, y->grad, w->grad);
    if (watched) add_to_rows(y->grad, w->value, *watched);
  });
}

}  // namespace gcnh
