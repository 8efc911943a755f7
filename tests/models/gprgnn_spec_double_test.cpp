// GPR-GNN: numbers that PyTorch printed for the small fixtures (to 1e-6), and what the weights of the steps start
// with.
#include <gtest/gtest.h>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

std::unique_ptr<Model> spec_gprgnn(const Dataset& d) {
  auto model = make_model(
      "gprgnn", d, {{"steps", "2"}, {"alpha", "0.1"}, {"hidden", "2"}, {"dropout", "0"}, {"propagation_dropout", "0"}});
  set_linear(*model, "hidden", 2, 3);
  set_linear(*model, "output", 1, 4);
  return model;
}

TEST(SpecGprgnn, Undirected) {
  const Dataset d = fixture(g3(), x3n());
  const auto model = spec_gprgnn(d);
  EXPECT_TRUE(matrices_near(logits(*model, d),
                            matrix_of({{.511239, -.219616}, {.571276, -.320386}, {.456942, -.284772}}), kPrinted));
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.393053, -1.123908}, {-.343571, -1.235233}, {-.389537, -1.131251}}),
                            kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .672608, kPrinted);
  EXPECT_TRUE(matrices_near(param(*model, "gamma").grad, matrix_of({{.034202, .057282, .053431}}), kPrinted));
  EXPECT_TRUE(matrices_near(param(*model, "output.bias").grad, matrix_of({{.062782, -.062782}}), kPrinted));
}

// Messages travel from u to v along u -> v, and a loop counts once.
TEST(SpecGprgnn, Directed) {
  const Dataset d = fixture(d3(), x3n());
  const auto model = spec_gprgnn(d);
  EXPECT_TRUE(
      matrices_near(logits(*model, d), matrix_of({{.625, -.125}, {.739625, -.245659}, {.552815, -.313141}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .680170, kPrinted);
  EXPECT_TRUE(matrices_near(param(*model, "gamma").grad, matrix_of({{.04748, .07072, .076987}}), kPrinted));
}

// With all weight on step 0 the model is its MLP; with all on step 1 it shows the operator.
TEST(SpecGprgnn, PredictionsAndOperator) {
  const Matrix z = matrix_of({{.625, -.125}, {.46875, -.375}, {.46875, -.3125}});
  for (const Csr& graph : {g3(), d3()}) {
    const Dataset d = fixture(graph, x3n());
    const auto model = spec_gprgnn(d);
    set(*model, "gamma", matrix_of({{1, 0, 0}}));
    EXPECT_TRUE(matrices_near(logits(*model, d), z, kPrinted));
  }
  const Dataset d = fixture(d3(), x3n());
  const auto model = spec_gprgnn(d);
  set(*model, "gamma", matrix_of({{0, 1, 0}}));
  const Matrix p = matrix_of({{1, 0, 0}, {.707107, .5, 0}, {0, .5, .5}});
  Matrix expected(3, 2);
  kernels::gemm(p, z, expected);
  EXPECT_TRUE(matrices_near(logits(*model, d), expected, kPrinted));
}

TEST(SpecGprgnn, StepsStartWithPageRank) {
  const Dataset d = fixture(g3(), x3n());
  const auto gamma = [&](const char* steps, const char* alpha) {
    return param(*make_model("gprgnn", d, {{"steps", steps}, {"alpha", alpha}}), "gamma").value;
  };
  EXPECT_TRUE(matrices_near(gamma("2", "0.1"), matrix_of({{.1, .09, .81}}), 1e-15));
  EXPECT_TRUE(matrices_near(gamma("3", "1"), matrix_of({{1, 0, 0, 0}}), 0));
  EXPECT_TRUE(matrices_near(gamma("3", "0"), matrix_of({{0, 0, 0, 1}}), 0));
  EXPECT_TRUE(matrices_near(
      gamma("10", "0.1"),
      matrix_of({{.1, .09, .081, .0729, .06561, .059049, .053144, .04783, .043047, .038742, .348678}}), kPrinted));
  EXPECT_THROW(gamma("2", "1.1"), Error);
  EXPECT_THROW(gamma("2", "-0.1"), Error);
}

}  // namespace
}  // namespace gcnh::testing
