// Small graphs and weights on which PyTorch was run, and shorthands to run a model on them.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/models/model.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {

// entry [i][j] = (((i c + j + s) mod 5) - 2) / 4
inline Matrix pat(Index rows, Index cols, int s) {
  Matrix m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) m(i, j) = static_cast<Real>((i * cols + j + s) % 5 - 2) / 4;
  return m;
}

// The path 0 - 1 - 2.
inline Csr g3() { return make_csr(3, 3, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}}, Repeats::add); }
// 0 -> 1, 1 -> 2, 2 -> 2.
inline Csr d3() { return make_csr(3, 3, {{0, 1, 1}, {1, 2, 1}, {2, 2, 1}}, Repeats::add); }
// max(D3, D3')
inline Csr d3_undirected() {
  return make_csr(3, 3, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 2, 1}}, Repeats::add);
}

inline Features x3() {
  return sparse_features(make_csr(3, 3, {{0, 0, 1}, {1, 1, 1}, {1, 2, 1}, {2, 0, 1}, {2, 1, 1}}, Repeats::add));
}
// X3 with rows that sum to 1.
inline Features x3n() {
  const Real half = Real(0.5);
  return sparse_features(
      make_csr(3, 3, {{0, 0, 1}, {1, 1, half}, {1, 2, half}, {2, 0, half}, {2, 1, half}}, Repeats::add));
}

inline Dataset fixture(Csr adjacency, Features features) {
  return make_test_dataset(std::move(adjacency), std::move(features), {0, 1, 0}, 2);
}

inline Param& param(Model& model, const std::string& name) {
  for (Param& p : model.params())
    if (p.name == name) return p;
  fail(Status::usage, "no parameter '", name, "'");
}

inline void set(Model& model, const std::string& name, const Matrix& value) {
  Param& p = param(model, name);
  require(value.same_shape(p.value), name, " has another shape");
  p.value = value;
}

// Weight pat(in, out, s) and bias pat(1, out, t).
inline void set_linear(Model& model, const std::string& name, int s, int t) {
  Param& weight = param(model, name + ".weight");
  weight.value = pat(weight.rows(), weight.cols(), s);
  set(model, name + ".bias", pat(1, weight.cols(), t));
}

// Logits of all nodes without dropout.
inline Matrix logits(Model& model, const Dataset& d) {
  Tape t;
  t.start_evaluation();
  const std::vector<Index> rows = all_nodes(d);
  return model.forward(t, rows)->value;
}

inline Matrix log_probabilities(Model& model, const Dataset& d) {
  const Matrix found = logits(model, d);
  Matrix logp(found.rows(), found.cols());
  kernels::log_softmax(found, logp);
  return logp;
}

// The loss over the given nodes; leaves its gradients in the parameters. Dropout draws from rng.
inline double loss_and_gradients(Model& model, const Dataset& d, const std::vector<Index>& rows,
                                 const Rng& rng = Rng(0)) {
  for (Param& p : model.params()) p.grad = Matrix(p.rows(), p.cols());
  Tape t;
  t.start_training(rng);
  const Var loss = softmax_nll(t, model.forward(t, rows), labels_of(d, rows));
  t.backward(loss);
  return static_cast<double>(loss->value(0, 0));
}

constexpr double kPrinted = 1e-6;  // PyTorch's numbers were printed with six decimals

inline void expect_gradient(Model& model, const std::string& name, const Matrix& expected) {
  EXPECT_TRUE(matrices_near(param(model, name).grad, expected, kPrinted)) << name;
}

inline std::unique_ptr<Model> make_model(const std::string& name, const Dataset& d, const OptionValues& options,
                                         const Rng& rng = Rng(0)) {
  return find_model_type(name).make(d, options, rng);
}

// One node is enough for what does not depend on the graph: parameters, their first values, refused options.
inline Dataset shape_only(Index num_features, int num_classes) {
  return make_test_dataset(make_csr(1, 1, {}, Repeats::add),
                           sparse_features(make_csr(1, num_features, {}, Repeats::add)), {0}, num_classes);
}

}  // namespace gcnh::testing
