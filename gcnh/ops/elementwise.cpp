// Ops that look at one number, one row or one column at a time: activations, dropout, rows and columns taken out,
// another shape, GCNH's mix of a node with its neighbours.
#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"
#include "gcnh/ops/share.h"

namespace gcnh {

// y = x > 0 ? x : s x;   dx += x > 0 ? dy : s dy
Var leaky_relu(Tape& t, Var x, Real slope) {
  Var y = t.node(x->rows(), x->cols(), {x});
  kernels::leaky_relu(x->value, slope, y->value);
  return t.on_backward(y, [x, y, slope] { kernels::leaky_relu_backward_add(x->value, slope, y->grad, x->grad); });
}

Var relu(Tape& t, Var x) { return leaky_relu(t, x, 0); }

// y = x > 0 ? x : e^x - 1;   dx += x > 0 ? dy : (y + 1) dy
Var elu(Tape& t, Var x) {
  Var y = t.node(x->rows(), x->cols(), {x});
  kernels::elu(x->value, y->value);
  return t.on_backward(y, [x, y] { kernels::elu_backward_add(y->value, y->grad, x->grad); });
}

// y = x * f, f random 0 or 1 / (1 - p);   dx += f dy
Var dropout(Tape& t, Var x, double p) {
  if (!t.training() || p == 0) return x;
  Var y = t.node(x->rows(), x->cols(), {x});
  Matrix& factor = t.scratch(x->rows(), x->cols());
  draw_dropout(t, p, x, factor);
  kernels::multiply(x->value, factor.values(), y->value);
  return t.on_backward(y, [x, y, &factor] { kernels::multiply_add(y->grad, factor.values(), x->grad); });
}

// y[i] = x[rows[i]];   dx[rows[i]] += dy[i]
Var gather_rows(Tape& t, Var x, std::span<const Index> rows) {
  Var y = of_listed(t, t.node(static_cast<Index>(rows.size()), x->cols(), {x}));
  kernels::gather_rows(x->value, rows, y->value);
  return t.on_backward(y, [x, y, rows] { kernels::scatter_rows_add(y->grad, rows, x->grad); });
}

// y = the columns of x from begin on;   dx's columns += dy
Var columns(Tape& t, Var x, Index begin, Index count) {
  require(begin + count <= x->cols(), "columns: ", begin + count, " of ", x->cols());
  Var y = t.node(x->rows(), count, {x});
  kernels::take_columns(x->value, begin, y->value);
  return t.on_backward(y, [x, y, begin] { kernels::put_columns_add(y->grad, begin, x->grad); });
}

// z = x + c y;   dx += dz,  dy += c dz
Var add_scaled(Tape& t, Var x, Real c, Var y) {
  require(x->value.same_shape(y->value), "add_scaled: ", x->rows(), " x ", x->cols(), " and ", y->rows(), " x ",
          y->cols());
  Var z = t.node(x->rows(), x->cols(), {x, y});
  z->value = x->value;
  kernels::add_scaled(c, y->value, z->value);
  return t.on_backward(z, [x, c, y, z] {
    if (x->has_grad()) kernels::add(z->grad, x->grad);
    if (y->has_grad()) kernels::add_scaled(c, z->grad, y->grad);
  });
}

Var add(Tape& t, Var a, Var b) { return add_scaled(t, a, 1, b); }

// y = x, row after row;   dx += dy
Var reshape(Tape& t, Var x, Index rows, Index cols) {
  Var y = t.node(rows, cols, {x});
  require(y->value.size() == x->value.size(), "reshape: ", x->rows(), " x ", x->cols(), " numbers do not make ", rows,
          " x ", cols);
  std::copy_n(x->value.data(), x->value.size(), y->value.data());
  return t.on_backward(y, [x, y] { kernels::add(y->grad, x->grad); });
}

// b = sigmoid(theta), one per column (repeated when theta is a single number)
// h = b z + (1 - b) a;   dz += b dh,  da += (1 - b) dh,  dtheta += b (1 - b) sum_i dh (z - a)
Var mix(Tape& t, Var theta, Var z, Var a) {
  const Index k = z->cols();
  require(theta->cols() == 1 || theta->cols() == k, "mix: ", theta->cols(), " weights for ", k, " columns");
  Var h = t.node(z->rows(), k, {theta, z, a});
  Matrix& b = t.scratch(1, k);
  for (Index j = 0; j < k; ++j) b(0, j) = 1 / (1 + std::exp(-theta->value(0, theta->cols() == 1 ? 0 : j)));
  kernels::mix(b, z->value, a->value, h->value);
  Matrix& db = t.scratch(1, theta->has_grad() ? k : 0);
  return t.on_backward(h, [theta, z, a, h, &b, &db] {
    db.fill(0);
    kernels::mix_backward_add(b, z->value, a->value, h->grad, z->grad, a->grad, db);
    for (Index j = 0; j < db.cols(); ++j)
      theta->grad(0, theta->cols() == 1 ? 0 : j) += b(0, j) * (1 - b(0, j)) * db(0, j);
  });
}

Var mix(Tape& t, Real weight, Var z, Var a) {
  Var h = t.node(z->rows(), z->cols(), {z, a});
  Matrix& b = t.scratch(1, z->cols());
  b.fill(weight);
  kernels::mix(b, z->value, a->value, h->value);
  return t.on_backward(h, [z, a, h, &b] {
    Matrix none;
    kernels::mix_backward_add(b, z->value, a->value, h->grad, z->grad, a->grad, none);
  });
}

}  // namespace gcnh
