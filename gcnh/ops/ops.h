// The differentiable ops, one family per source file. Shapes in brackets.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/graph/propagator.h"
#include "gcnh/ops/tape.h"

namespace gcnh {

// What a layer reads: the constant features, which outlive whoever reads them, the rows of an operator, or a hidden
// matrix (ops/input.cpp).
class Input {
 public:
  explicit Input(const Features& features);
  explicit Input(Features&&) = delete;
  explicit Input(Propagator rows) : sparse_(std::move(rows)) {}
  Input(Var hidden) : hidden_(hidden) {}
  Var hidden() const { return hidden_; }  // null: it is constant
  Index rows() const { return hidden_ ? hidden_->rows() : dense_ ? dense_->rows() : sparse_->rows(); }
  Index cols() const { return hidden_ ? hidden_->cols() : dense_ ? dense_->cols() : sparse_->cols(); }

  // y = dropout(x) w      x (n, f), w (f, k)
  Var times(Tape& t, Var w, double dropout = 0) const;
  // y = LeakyReLU(x w + bias), or without it where the slope is 1; the same bits as step by step
  Var encode(Tape& t, Var w, Var bias, Real slope) const;
  // From now on backward passes without dropout add d(loss)/dx of the constant features to the gradient as well, entry
  // by entry: (1, entries) where they are sparse, (n, f) where they are dense.
  void watch(Matrix* gradient) { watched_ = gradient; }

 private:
  void take_gradient(const Matrix& dy, Matrix& dw) const;
  Var sparse_times(Tape& t, Var w, double dropout) const;
  Var dense_times(Tape& t, Var w, double dropout) const;

  std::optional<Propagator> sparse_;  // with the transpose that the gradient of the first weights needs
  const Matrix* dense_ = nullptr;
  Var hidden_ = nullptr;
  Matrix* watched_ = nullptr;
};

// Dense products (ops/dense.cpp)
Var matmul(Tape& t, Var x, Var w);       // y = x w                x (n, k), w (k, m)
Var add_bias(Tape& t, Var x, Var bias);  // y = x + 1 bias         bias (1, k)

// Sparse products (ops/sparse.cpp)
Var spmm(Tape& t, const Propagator& p, Var x);                       // y = P x
Var spmax(Tape& t, const Propagator& p, Var x, bool floor_at_zero);  // y[u] = max of x over the row's entries

// Propagation (ops/propagate.cpp)
Var power_sum(Tape& t, const Propagator& p, Var gamma, Var x);  // y = sum over k of gamma_k P^k x, gamma (1, K + 1)
// D^-1/2 N D^-1/2 for a symmetric N with row sums D; rows without entries stay 0. For patterns of ones so large (second
// rings) that a Propagator's values would be in the way: none are made, and listed rows are computed alone.
class NormalizedPattern {
 public:
  explicit NormalizedPattern(Csr pattern);
  // y[i] = row rows[i] of D^-1/2 N D^-1/2 x, rows distinct
  Var times(Tape& t, Var x, std::span<const Index> rows) const;

 private:
  Csr pattern_;
  std::vector<Real> scale_;  // D^-1/2
};

// Element-wise (ops/elementwise.cpp)
Var leaky_relu(Tape& t, Var x, Real slope);
Var relu(Tape& t, Var x);
Var elu(Tape& t, Var x);
Var dropout(Tape& t, Var x, double p);                         // identity outside training
Var gather_rows(Tape& t, Var x, std::span<const Index> rows);  // y[i] = x[rows[i]], rows distinct
Var columns(Tape& t, Var x, Index begin, Index count);         // y[i][j] = x[i][begin + j]
// The same numbers, row after row, in another shape: a row of k blocks becomes k rows.
Var reshape(Tape& t, Var x, Index rows, Index cols);
Var add(Tape& t, Var a, Var b);                 // a + b
Var add_scaled(Tape& t, Var x, Real c, Var y);  // x + c y
// h = b z + (1 - b) a with b = sigmoid(theta), theta (1, 1) or (1, k)
Var mix(Tape& t, Var theta, Var z, Var a);
// The same with a constant b.
Var mix(Tape& t, Real b, Var z, Var a);

// Several matrices with the same rows (ops/parts.cpp)
// h = sum_c w[c] z_c with w = softmax of theta over the parts, theta (parts, 1) or (parts, k)
Var mix(Tape& t, Var theta, const std::vector<Var>& parts);
Var largest_of(Tape& t, const std::vector<Var>& parts);  // y = max_c z_c, entry by entry
Var concat(Tape& t, const std::vector<Var>& parts);      // y = [z_1 | z_2 | ...]

// Norms (ops/norms.cpp)
Var unit_rows(Tape& t, Var x);  // y[i] = x[i] / |x[i]|, 0 for a row of zeros
// y[i] = (x[i] - mean of x[i]) / sqrt(variance of x[i] + 1e-5)
Var standard_rows(Tape& t, Var x);
// The same by columns in training, when it moves the running mean and variance (1, k); elsewhere with those.
Var standard_columns(Tape& t, Var x, Matrix& mean, Matrix& variance);
Var scale_and_shift(Tape& t, Var x, Var scale, Var shift);  // y[i] = scale x[i] + shift      scale, shift (1, k)

// Edge values (ops/edges.cpp): (entries, heads) in the order of the pattern's entries; uv is the entry in row u and
// column v. Of a node matrix, head h has the h-th of as many equal blocks of columns.
// y[u, block h] = sum over v of a[uv, h] x[v, block h]      a (entries, heads), x (n, k)
Var edge_spmm(Tape& t, const Propagator& edges, Var a, Var x);
// e[uv, h] = LeakyReLU(st[u, h] + st[v, heads + h])         st (n, 2 heads), slope > 0
Var edge_scores(Tape& t, const Propagator& edges, Var st, Real slope);
// a[uv, h] = exp(e[uv, h]) / sum over w of exp(e[uw, h])
Var edge_softmax(Tape& t, const Propagator& edges, Var e);
// a[uv, h] = k[uv, h] / max(sum over w of k[uw, h], 1e-9)
Var edge_shares(Tape& t, const Propagator& edges, Var k);
Var exp_negative(Tape& t, Var x);  // y = exp(-x)
// c[uv] = <x[u], x[v]> / max(|x[u]| |x[v]|, 1e-9)
Var edge_cosines(Tape& t, const Propagator& edges, Var x);
// w[uv] = g (c[uv] > 0 ? k[0] : k[1]) c[uv] p[uv] softplus(a[0] r[uv] + a[1]) + (u == v ? g k[2] : 0)
// g = softplus(s), k = softmax(kappa), p[uv] the pattern's values      c (entries, 1), a (1, 2), kappa (1, 3), s (1, 1)
Var signed_weights(Tape& t, const Propagator& edges, std::span<const Real> r, Var c, Var a, Var kappa, Var s);
// b[h w + j][i heads + h] = a[i][h w + j], 0 elsewhere: x b has the products of x's blocks with those of a's rows
// a (m, k), b (k, m heads), w = k / heads
Var block_diagonal(Tape& t, Var a, Index heads);

// Loss (ops/loss.cpp): mean over rows of -log softmax(logits)[label]
Var softmax_nll(Tape& t, Var logits, std::vector<int> labels);
// The same with a weight for each class: sum w[label] -log softmax(logits)[label] / sum w[label]
Var softmax_nll(Tape& t, Var logits, std::vector<int> labels, std::vector<Real> w);
// Of some of the rows, where the loss is of more (a part of a graph): returns the sum above the fraction line and adds
// the gradient of the loss to that of the logits, for a backward pass that begins there. w may be empty: all 1; `total`
// is what stands below the line.
double softmax_nll_share(Tape& t, Var logits, std::span<const int> labels, std::span<const Real> w, double total);

}  // namespace gcnh
