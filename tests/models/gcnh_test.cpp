// One layer of width 1 on a graph of three nodes, worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// Nodes 0 - 1 joined by an edge of weight 2, node 2 alone; the one feature is 1, 2, 3; beta = 1/4.
//   z = 1 x = (1, 2, 3),  m = leaky(x - 2) = (-0.01, 0, 1)
//   sum: a = (2 * 0, 2 * -0.01, 0);   h = z / 4 + 3 a / 4 = (0.25, 0.485, 0.75)
//   logits = (h, 0): the log-odds of class 0 are h
struct HandTest : ::testing::Test {
  std::unique_ptr<Model> model(OptionValues options) {
    options.insert({{"hidden", "1"}, {"beta", "0.25"}, {"dropout", "0"}});
    auto m = make_model("gcnh", d, options);
    set(*m, "layers.0.self.weight", matrix_of({{1}}));
    set(*m, "layers.0.self.bias", matrix_of({{0}}));
    set(*m, "layers.0.neighbours.weight", matrix_of({{1}}));
    set(*m, "layers.0.neighbours.bias", matrix_of({{-2}}));
    set(*m, "classifier.weight", matrix_of({{1, 0}}));
    set(*m, "classifier.bias", matrix_of({{0, 0}}));
    return m;
  }
  std::vector<double> log_odds(const OptionValues& options) {
    const Matrix logp = log_probabilities(*model(options), d);
    std::vector<double> out;
    for (Index u = 0; u < 3; ++u) out.push_back(static_cast<double>(logp(u, 0) - logp(u, 1)));
    return out;
  }
  void expect_log_odds(const OptionValues& options, const std::vector<double>& expected) {
    const std::vector<double> found = log_odds(options);
    for (std::size_t u = 0; u < 3; ++u) EXPECT_NEAR(found[u], expected[u], 1e-6) << "node " << u;
  }
  const Dataset d = make_test_dataset(make_csr(3, 3, {{0, 1, 2}, {1, 0, 2}}, Repeats::add),
                                      dense_features(matrix_of({{1}, {2}, {3}})), {0, 1, 0}, 2);
};

TEST_F(HandTest, Sum) { expect_log_odds({{"aggregation", "sum"}}, {0.25, 0.485, 0.75}); }
TEST_F(HandTest, Mean) { expect_log_odds({{"aggregation", "mean"}}, {0.25, 0.4925, 0.75}); }
TEST_F(HandTest, Max) { expect_log_odds({{"aggregation", "max"}}, {0.25, 0.4925, 0.75}); }
TEST_F(HandTest, MaxWithFloor) { expect_log_odds({{"aggregation", "max"}, {"max_floor", "true"}}, {0.25, 0.5, 0.75}); }
TEST_F(HandTest, OnlyTheNodeItself) { expect_log_odds({{"beta", "1"}}, {1, 2, 3}); }
TEST_F(HandTest, OnlyTheNeighbours) { expect_log_odds({{"beta", "0"}}, {0, -0.02, 0}); }

// loss = mean of log(1 + e^-h), log(1 + e^h), log(1 + e^-h); d loss / d bias of class 0 = mean of (sigmoid(h) - truth)
TEST_F(HandTest, LossAndGradient) {
  const auto m = model({});
  const double loss = (std::log1p(std::exp(-0.25)) + std::log1p(std::exp(0.485)) + std::log1p(std::exp(-0.75))) / 3;
  EXPECT_NEAR(loss_and_gradients(*m, d, {0, 1, 2}), loss, 1e-6);
  const auto sigmoid = [](double h) { return 1 / (1 + std::exp(-h)); };
  const double d0 = sigmoid(0.25) - 1, d1 = sigmoid(0.485), d2 = sigmoid(0.75) - 1;
  EXPECT_NEAR(static_cast<double>(param(*m, "classifier.bias").grad(0, 0)), (d0 + d1 + d2) / 3, 1e-6);
  // z = x for every node: d loss / d self.weight = mean of d_u beta x_u
  EXPECT_NEAR(static_cast<double>(param(*m, "layers.0.self.weight").grad(0, 0)), 0.25 * (d0 + 2 * d1 + 3 * d2) / 3,
              1e-6);
  // messages: m_0 has slope 0.01 and goes to node 1, m_1 sits at the kink (slope 0.01) and goes to node 0, both with
  // weight 2
  EXPECT_NEAR(static_cast<double>(param(*m, "layers.0.neighbours.bias").grad(0, 0)), 0.75 * 2 * 0.01 * (d1 + d0) / 3,
              1e-6);
}

}  // namespace
}  // namespace gcnh::testing
