// MLP on the small fixtures, against numbers that PyTorch printed (to 1e-6).
#include <gtest/gtest.h>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

TEST(SpecMlp, ValuesAndGradients) {
  const Dataset d = fixture(g3(), x3n());
  const auto model = make_model("mlp", d, {{"hidden", "2"}, {"dropout", "0"}});
  set_linear(*model, "layers.0", 0, 1);
  set_linear(*model, "layers.1", 2, 3);
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.877114, -.537823}, {-.893687, -.526184}, {-.771835, -.620202}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .725044, kPrinted);
  expect_gradient(*model, "layers.0.weight",
                  matrix_of({{.036581, -.241251}, {-.003455, -.029461}, {-.017048, .060178}}));
  expect_gradient(*model, "layers.0.bias", matrix_of({{.016078, -.210534}}));
  expect_gradient(*model, "layers.1.weight", matrix_of({{.173256, -.173256}, {.027036, -.027036}}));
  expect_gradient(*model, "layers.1.bias", matrix_of({{-.23757, .23757}}));
}

TEST(SpecMlp, Hidden) {
  const Features features = x3n();
  Node w{pat(3, 2, 0), {}}, b{pat(1, 2, 1), {}};
  Tape t;
  t.start_evaluation();
  const Var hidden = elu(t, add_bias(t, Input(features).times(t, &w), &b));
  EXPECT_TRUE(matrices_near(hidden->value, matrix_of({{-.527633, -.221199}, {0, -.117503}, {-.393469, 0}}), kPrinted));
}

}  // namespace
}  // namespace gcnh::testing
