// Sums and maxima over the neighbours, along a constant operator.
#include <memory>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"
#include "gcnh/ops/share.h"

namespace gcnh {

// y = P x;   dx += P' dy
Var spmm(Tape& t, const Propagator& p, Var x) {
  require(p.cols() == x->rows(), "spmm: operator has ", p.cols(), " columns, input has ", x->rows(), " rows");
  borrow(t, x);
  Var y = propagated(t, p, t.node(p.rows(), x->cols(), {x}));
  kernels::spmm(p.forward(), p.forward().values, x->value, y->value);
  return t.on_backward(y, [p, x, y] { kernels::spmm_add(p.backward(), p.backward().values, y->grad, x->grad); });
}

// y[u][j] = x[w][j], w the entry of row u where it is largest;   dx[w][j] += dy[u][j]
Var spmax(Tape& t, const Propagator& p, Var x, bool floor_at_zero) {
  require(p.cols() == x->rows(), "spmax: operator has ", p.cols(), " columns, input has ", x->rows(), " rows");
  borrow(t, x);
  Var y = propagated(t, p, t.node(p.rows(), x->cols(), {x}));
  auto winner = std::make_shared<std::vector<Index>>();
  kernels::spmax(p.forward(), x->value, floor_at_zero, y->value, *winner);
  return t.on_backward(y, [p, x, y, winner] { kernels::spmax_backward_add(p.backward(), *winner, y->grad, x->grad); });
}

}  // namespace gcnh
