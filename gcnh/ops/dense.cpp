// Products with trained weights, and their biases.
#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"

namespace gcnh {

// y = x w;   dw += x' dy,  dx += dy w'
Var matmul(Tape& t, Var x, Var w) {
  require(x->cols() == w->rows(), "matmul: input has ", x->cols(), " columns, weights have ", w->rows(), " rows");
  Var y = t.node(x->rows(), w->cols(), {x, w});
  kernels::gemm(x->value, w->value, y->value);
  if (!y->has_grad()) return y;
  Matrix& wt = t.scratch(w->cols(), w->rows());
  return t.on_backward(y, [x, w, y, &wt] {
    if (w->has_grad()) kernels::gemm_transposed_add(x->value, y->grad, w->grad);
    if (!x->has_grad()) return;
    kernels::transpose(w->value, wt);
    kernels::gemm_add(y->grad, wt, x->grad);
  });
}

// y = x + 1 b;   dx += dy,  db += column sums of dy
Var add_bias(Tape& t, Var x, Var bias) {
  require(bias->rows() == 1 && bias->cols() == x->cols(), "add_bias: input has ", x->cols(), " columns, bias has ",
          bias->cols());
  Var y = t.node(x->rows(), x->cols(), {x, bias});
  y->value = x->value;
  kernels::add_row(bias->value, y->value);
  return t.on_backward(y, [x, bias, y] {
    if (x->has_grad()) kernels::add(y->grad, x->grad);
    if (bias->has_grad()) kernels::column_sums_add(y->grad, bias->grad);
  });
}

}  // namespace gcnh
