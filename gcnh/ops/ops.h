// The differentiable ops, one family per source file. Shapes in brackets.
#pragma once

#include <span>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/graph/propagator.h"
#include "gcnh/ops/tape.h"

namespace gcnh {

// The constant feature matrix with the transposed form that the gradient of the first weights needs (ops/input.cpp).
class Input {
 public:
  explicit Input(const Features& features);
  Index rows() const { return features_.rows(); }
  Index cols() const { return features_.cols(); }

  // y = dropout(X) w      X (n, f), w (f, k)
  Var times(Tape& t, Var w, double dropout = 0) const;

 private:
  Var sparse_times(Tape& t, Var w, double dropout) const;
  Var dense_times(Tape& t, Var w, double dropout) const;

  const Features& features_;
  Csr transposed_;
  std::vector<Offset> source_;  // position in the rows of each entry of the columns
};

// Dense products (ops/dense.cpp)
Var matmul(Tape& t, Var x, Var w);       // y = x w                x (n, k), w (k, m)
Var add_bias(Tape& t, Var x, Var bias);  // y = x + 1 bias         bias (1, k)

// Sparse products (ops/sparse.cpp)
Var spmm(Tape& t, const Propagator& p, Var x);                       // y = P x
Var spmax(Tape& t, const Propagator& p, Var x, bool floor_at_zero);  // y[u] = max of x over the row's entries

// Element-wise (ops/elementwise.cpp)
Var leaky_relu(Tape& t, Var x, Real slope);
Var relu(Tape& t, Var x);
Var elu(Tape& t, Var x);
Var dropout(Tape& t, Var x, double p);                         // identity outside training
Var gather_rows(Tape& t, Var x, std::span<const Index> rows);  // y[i] = x[rows[i]], rows distinct
// h = b z + (1 - b) a with b = sigmoid(theta), theta (1, 1) or (1, k)
Var mix(Tape& t, Var theta, Var z, Var a);
// The same with a constant b.
Var mix(Tape& t, Real b, Var z, Var a);

// Loss (ops/loss.cpp): mean over rows of -log softmax(logits)[label]
Var softmax_nll(Tape& t, Var logits, std::vector<int> labels);

}  // namespace gcnh
