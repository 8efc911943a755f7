// The same numbers in another shape.
#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"

namespace gcnh {

// y = x, row after row;   dx += dy
Var reshape(Tape& t, Var x, Index rows, Index cols) {
  Var y = t.node(rows, cols, {x});
  require(y->value.size() == x->value.size(), "reshape: ", x->rows(), " x ", x->cols(), " numbers do not make ", rows,
          " x ", cols);
  std::copy_n(x->value.data(), x->value.size(), y->value.data());
  if (y->has_grad()) t.on_backward([x, y] { kernels::add(y->grad, x->grad); });
  return y;
}

}  // namespace gcnh
