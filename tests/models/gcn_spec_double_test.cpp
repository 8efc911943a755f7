// GCN on the small fixtures, against numbers that PyTorch printed (to 1e-6).
#include <gtest/gtest.h>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

std::unique_ptr<Model> spec_gcn(const Dataset& d) {
  auto model = make_model("gcn", d, {{"hidden", "2"}, {"dropout", "0"}});
  set_linear(*model, "layers.0", 2, 3);
  set_linear(*model, "layers.1", 1, 4);
  return model;
}

Matrix gcn_hidden(const Csr& adjacency) {
  const Features features = x3n();
  const Propagator s(symmetric_normalized_with_loops(adjacency));
  Node w{pat(3, 2, 2), {}}, b{pat(1, 2, 3), {}};
  Tape t;
  t.start_evaluation();
  return relu(t, add_bias(t, spmm(t, s, Input(features).times(t, &w)), &b))->value;
}

TEST(SpecGcn, Undirected) {
  const Dataset d = fixture(g3(), x3n());
  EXPECT_TRUE(matrices_near(to_dense(symmetric_normalized_with_loops(d.adjacency)),
                            matrix_of({{.5, .408248, 0}, {.408248, .333333, .408248}, {0, .408248, .5}}), kPrinted));
  EXPECT_TRUE(matrices_near(gcn_hidden(d.adjacency),
                            matrix_of({{.301031, .522938}, {.393729, .467698}, {.426031, .335438}}), kPrinted));
  const auto model = spec_gcn(d);
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.368293, -1.177378}, {-.381638, -1.14804}, {-.365893, -1.18279}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .627408, kPrinted);
  expect_gradient(*model, "layers.0.weight",
                  matrix_of({{-.006622, -.006622}, {-.006151, -.006151}, {-.003933, -.003933}}));
  expect_gradient(*model, "layers.1.weight", matrix_of({{.027279, -.027279}, {.032138, -.032138}}));
}

TEST(SpecGcn, Directed) {
  const Dataset d = fixture(d3(), x3n());
  EXPECT_TRUE(matrices_near(to_dense(symmetric_normalized_with_loops(d.adjacency)),
                            matrix_of({{.5, .5, 0}, {0, .5, .5}, {0, 0, 1}}), kPrinted));
  EXPECT_TRUE(matrices_near(gcn_hidden(d.adjacency), matrix_of({{.3125, .5}, {.4375, .3125}, {.5, .375}}), kPrinted));
  const auto model = spec_gcn(d);
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.36965, -1.174337}, {-.372071, -1.168946}, {-.376951, -1.158201}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .638516, kPrinted);
  expect_gradient(*model, "layers.0.weight",
                  matrix_of({{.001202, .001202}, {-.005979, -.005979}, {-.000742, -.000742}}));
}

}  // namespace
}  // namespace gcnh::testing
