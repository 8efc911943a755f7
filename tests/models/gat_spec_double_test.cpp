// GAT on the small fixtures, against numbers that PyTorch printed (to 1e-6), and its initial
// ranges.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// W of two heads side by side: pat(3, 2, 0) and pat(3, 2, 1).
Matrix first_weight() {
  Matrix w(3, 4);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 4; ++j) w(i, j) = pat(3, 2, j / 2)(i, j % 2);
  return w;
}

// a of two heads: the halves of pat(4, 1, 1) and pat(4, 1, 2).
Matrix first_attention() {
  Matrix a(2, 4);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 4; ++j) a(i, j) = pat(4, 1, 1 + j / 2)(2 * i + j % 2, 0);
  return a;
}

std::unique_ptr<Model> spec_gat(const Dataset& d, const std::string& attention) {
  auto model = make_model("gat", d, {{"hidden", "2"}, {"heads", "2"}, {"dropout", "0"}, {"attention", attention}});
  set(*model, "layers.0.weight", first_weight());
  set(*model, "layers.0.attention", first_attention());
  set(*model, "layers.1.weight", pat(4, 2, 2));
  set(*model, "layers.1.attention",
      matrix_of({{pat(4, 1, 3)(0, 0), pat(4, 1, 3)(1, 0)}, {pat(4, 1, 3)(2, 0), pat(4, 1, 3)(3, 0)}}));
  return model;
}

// a1 and a2 of head 0, one after the other.
void expect_first_attention_gradient(Model& model, const std::vector<double>& expected) {
  const Matrix& grad = param(model, "layers.0.attention").grad;
  for (Index j = 0; j < 4; ++j) EXPECT_NEAR(grad(j / 2, j % 2), expected[j], kPrinted) << j;
}

// The first layer step by step.
struct SpecGat : ::testing::Test {
  Matrix dense(Var edge_values, Index head) const {
    Matrix m(3, 3);
    for (Index u = 0; u < 3; ++u)
      for (Offset e = edges.forward().offsets[u]; e < edges.forward().offsets[u + 1]; ++e)
        m(u, edges.forward().indices[e]) = edge_values->value(static_cast<Index>(e), head);
    return m;
  }
  Tape tape;
  const Features features = x3n();
  const Input input{features};
  const Propagator edges{pattern_with_loops(g3())};
  Node w{first_weight(), {}}, a{first_attention(), {}};
  Var wh = (tape.start_evaluation(), input.times(tape, &w));
  Var scores = edge_scores(tape, edges, matmul(tape, wh, block_diagonal(tape, &a, 2)), 0.2);
  const Dataset d = fixture(g3(), x3n());
};

TEST_F(SpecGat, SoftmaxIntermediateValues) {
  const Var alpha = edge_softmax(tape, edges, scores);
  EXPECT_TRUE(matrices_near(
      dense(alpha, 0), matrix_of({{.46257, .53743, 0}, {.323679, .340274, .336047}, {0, .51562, .48438}}), kPrinted));
  EXPECT_TRUE(
      matrices_near(dense(alpha, 1), matrix_of({{.5, .5, 0}, {1. / 3, 1. / 3, 1. / 3}, {0, .5, .5}}), kPrinted));
  EXPECT_TRUE(matrices_near(elu(tape, edge_spmm(tape, edges, alpha, wh))->value,
                            matrix_of({{-.092378, -.167083, -.170971, .0625},
                                       {-.148523, -.116138, -.117503, .125},
                                       {.00781, -.062419, -.060587, .1875}}),
                            kPrinted));
}

TEST_F(SpecGat, ExpIntermediateValues) {
  EXPECT_TRUE(matrices_near(dense(edge_shares(tape, edges, exp_negative(tape, scores)), 0),
                            matrix_of({{.53743, .46257, 0}, {.343121, .326387, .330492}, {0, .48438, .51562}}),
                            kPrinted));
}

TEST_F(SpecGat, Softmax) {
  const auto model = spec_gat(d, "softmax");
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.743829, -.644911}, {-.743368, -.645329}, {-.738321, -.649926}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .709160, kPrinted);
  expect_first_attention_gradient(*model, {-.000639, -.000114, .001109, -.000469});
}

TEST_F(SpecGat, Exp) {
  const auto model = spec_gat(d, "exp");
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.74255, -.646071}, {-.741169, -.647326}, {-.73649, -.651605}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .708789, kPrinted);
  expect_first_attention_gradient(*model, {.000618, .000104, -.00106, .000464});
}

// Weights of the graph do not matter, and a loop of the graph is the one every node has.
TEST_F(SpecGat, OnlyThePatternCounts) {
  Dataset weighted =
      fixture(make_csr(3, 3, {{0, 1, 4}, {1, 0, 2}, {1, 2, 1}, {2, 1, 1}, {2, 2, 3}}, Repeats::add), x3n());
  const auto here = spec_gat(d, "softmax"), there = spec_gat(weighted, "softmax");
  EXPECT_TRUE(matrices_equal(log_probabilities(*there, weighted), log_probabilities(*here, d)));
}

TEST(GatParameters, CountsAreThePapers) {
  const Dataset cora = shape_only(1433, 7);
  EXPECT_EQ(make_model("gat", cora, {})->num_parameters(), 92302u);
}

double deviation(const Matrix& m) {
  double sum = 0;
  for (Real v : m.values()) sum += static_cast<double>(v * v);
  return std::sqrt(sum / static_cast<double>(m.size()));
}

// Xavier with gain 1.414 and the fans of one head: uniform for softmax, normal for exp.
TEST(GatParameters, InitialRangesAreAsSpecified) {
  const Dataset d = shape_only(500, 9);
  const OptionValues options = {{"hidden", "100"}, {"heads", "4"}};
  const auto uniform = make_model("gat", d, options);
  const double bound = 1.414 * std::sqrt(6.0 / 600), attention_bound = 1.414 * std::sqrt(6.0 / 201);
  EXPECT_LE(largest(param(*uniform, "layers.0.weight").value), bound);
  EXPECT_GT(largest(param(*uniform, "layers.0.weight").value), 0.99 * bound);
  EXPECT_LE(largest(param(*uniform, "layers.0.attention").value), attention_bound);
  EXPECT_GT(largest(param(*uniform, "layers.0.attention").value), 0.95 * attention_bound);
  EXPECT_LE(largest(param(*uniform, "layers.1.weight").value), 1.414 * std::sqrt(6.0 / 409));

  OptionValues exp = options;
  exp["attention"] = "exp";
  const auto normal = make_model("gat", d, exp);
  EXPECT_NEAR(deviation(param(*normal, "layers.0.weight").value), 1.414 * std::sqrt(2.0 / 600), 0.001);
  EXPECT_NEAR(deviation(param(*normal, "layers.0.attention").value), 1.414 * std::sqrt(2.0 / 201), 0.01);
  EXPECT_GT(largest(param(*normal, "layers.0.weight").value), 3 * 1.414 * std::sqrt(2.0 / 600));
}

TEST(GatParameters, WrongOptionsAreRefused) {
  const Dataset d = shape_only(5, 2);
  EXPECT_THROW(make_model("gat", d, {{"heads", "0"}}), Error);
  EXPECT_THROW(make_model("gat", d, {{"attention", "cosine"}}), Error);
}

}  // namespace
}  // namespace gcnh::testing
