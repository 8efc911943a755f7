// Ops that bring rows to one length.
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

}  // namespace gcnh
