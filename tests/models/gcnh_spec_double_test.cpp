// GCNH on the small fixtures, against numbers that PyTorch printed (to 1e-6).
#include <gtest/gtest.h>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// GCNH with one layer, or with two.
std::unique_ptr<Model> spec_gcnh(const Dataset& d, OptionValues options) {
  options.insert({{"hidden", "2"}, {"dropout", "0"}});
  auto model = make_model("gcnh", d, options);
  set_linear(*model, "layers.0.self", 0, 1);
  set_linear(*model, "layers.0.neighbours", 2, 3);
  set(*model, "layers.0.theta", matrix_of({{0.4}}));
  if (options["layers"] == "2") {
    set_linear(*model, "layers.1.self", 3, 0);
    set_linear(*model, "layers.1.neighbours", 4, 2);
    set(*model, "layers.1.theta", matrix_of({{-0.3}}));
  }
  set_linear(*model, "classifier", 1, 4);
  return model;
}

// LeakyReLU(X W + b) with W = pat(3, 2, s), b = pat(1, 2, t).
struct SpecOps : ::testing::Test {
  SpecOps() { tape.start_evaluation(); }
  Var encode(int s, int t) {
    Node &w = nodes.emplace_back(Node{pat(3, 2, s), {}}), &b = nodes.emplace_back(Node{pat(1, 2, t), {}});
    return leaky_relu(tape, add_bias(tape, input.times(tape, &w), &b), 0.01);
  }
  Tape tape;
  std::deque<Node> nodes;
  const Features features = x3();
  const Input input{features};
  const Propagator path{g3()};
};

TEST_F(SpecOps, GcnhIntermediateValues) {
  const Var z = encode(0, 1), m = encode(2, 3);
  EXPECT_TRUE(matrices_near(z->value, matrix_of({{-.0075, -.0025}, {.25, -.0025}, {-.0075, 0}}), kPrinted));
  EXPECT_TRUE(matrices_near(m->value, matrix_of({{.25, .75}, {.5, 0}, {.75, .25}}), kPrinted));
  const Var a = spmm(tape, path, m);
  EXPECT_TRUE(matrices_near(a->value, matrix_of({{.5, 0}, {1, 1}, {.5, 0}}), kPrinted));
  Node theta{matrix_of({{0.4}}), {}};
  EXPECT_TRUE(matrices_near(mix(tape, &theta, z, a)->value,
                            matrix_of({{.196166, -.001497}, {.550984, .399816}, {.196166, 0}}), kPrinted));
}

TEST_F(SpecOps, GcnhNegativeMessages) {
  const Var m = encode(0, 0);
  EXPECT_TRUE(matrices_near(m->value, matrix_of({{-.01, -.005}, {0, -.005}, {-.01, -.0025}}), kPrinted));
  EXPECT_TRUE(matrices_near(spmax(tape, path, m, true)->value, Matrix(3, 2), kPrinted));
  EXPECT_TRUE(
      matrices_near(spmax(tape, path, m, false)->value, matrix_of({{0, -.005}, {-.01, -.0025}, {0, -.005}}), kPrinted));
  EXPECT_TRUE(matrices_near(spmm(tape, path, m)->value, matrix_of({{0, -.005}, {-.02, -.0075}, {0, -.005}}), kPrinted));
}

TEST_F(SpecOps, GcnhSelfLoopStays) {
  const Propagator loop(d3_undirected());
  EXPECT_TRUE(
      matrices_near(spmm(tape, loop, encode(2, 3))->value, matrix_of({{.5, 0}, {1, 1}, {1.25, .25}}), kPrinted));
}

TEST(SpecGcnh, Sum) {
  const Dataset d = fixture(g3(), x3());
  const auto model = spec_gcnh(d, {});
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.326585, -1.277918}, {-.382941, -1.145241}, {-.326689, -1.277648}}),
                            kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .599505, kPrinted);
  expect_gradient(*model, "layers.0.theta", matrix_of({{.018248}}));
  expect_gradient(*model, "layers.0.neighbours.weight",
                  matrix_of({{-.045606, -.045606}, {-.004165, -.022617}, {.018638, .000186}}));
  expect_gradient(*model, "layers.0.self.weight",
                  matrix_of({{.000278, .000278}, {-.033879, -.000201}, {-.034018, -.00034}}));
  EXPECT_NEAR(model->readings().at("beta").at(0), .598688, kPrinted);
}

TEST(SpecGcnh, Mean) {
  const Dataset d = fixture(g3(), x3());
  const auto model = spec_gcnh(d, {{"aggregation", "mean"}});
  const Matrix logp = log_probabilities(*model, d);
  EXPECT_NEAR(logp(1, 0), -.3521, kPrinted);
  EXPECT_NEAR(logp(1, 1), -1.214729, kPrinted);
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .622668, kPrinted);
  expect_gradient(*model, "layers.0.theta", matrix_of({{.004918}}));
}

TEST(SpecGcnh, Max) {
  const Dataset d = fixture(g3(), x3());
  for (const char* floor : {"true", "false"}) {  // all messages of this fixture are positive or 0
    const auto model = spec_gcnh(d, {{"aggregation", "max"}, {"max_floor", floor}});
    const Matrix logp = log_probabilities(*model, d);
    EXPECT_NEAR(logp(1, 0), -.367253, kPrinted);
    EXPECT_NEAR(logp(1, 1), -1.179717, kPrinted);
    EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .610997, kPrinted);
    expect_gradient(*model, "layers.0.theta", matrix_of({{.011693}}));
    if (std::string(floor) == "false") continue;  // at a message of exactly 0 only the floor blocks the gradient
    expect_gradient(*model, "layers.0.neighbours.weight",
                    matrix_of({{-.023164, -.023164}, {-.004526, 0}, {.018638, 0}}));
  }
}

// With all messages negative, the floor leaves nothing of the neighbours and no gradient for their encoder.
TEST(SpecGcnh, ZeroFloorBlocksTheGradient) {
  const Dataset d = fixture(g3(), x3());
  for (const char* floor : {"true", "false"}) {
    const auto model = spec_gcnh(d, {{"aggregation", "max"}, {"max_floor", floor}});
    set_linear(*model, "layers.0.neighbours", 0, 0);
    loss_and_gradients(*model, d, {0, 1, 2});
    const double gradient = largest(param(*model, "layers.0.neighbours.bias").grad);
    if (std::string(floor) == "true") {
      EXPECT_EQ(gradient, 0);
    } else {
      EXPECT_GT(gradient, 1e-5);  // small: the slope of LeakyReLU
    }
  }
}

TEST(SpecGcnh, TwoLayers) {
  const Dataset d = fixture(g3(), x3());
  const auto model = spec_gcnh(d, {{"layers", "2"}});
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.319919, -1.295386}, {-.332909, -1.261727}, {-.319919, -1.295387}}),
                            kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .633855, kPrinted);
  expect_gradient(*model, "layers.0.theta", matrix_of({{-.000794}}));
  expect_gradient(*model, "layers.0.neighbours.bias", matrix_of({{.01032, -.005038}}));
}

}  // namespace
}  // namespace gcnh::testing
