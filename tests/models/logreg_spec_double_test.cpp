// Logistic regression on a small fixture, against numbers that PyTorch printed (to 1e-6).
#include <gtest/gtest.h>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

TEST(SpecLogreg, ValuesAndGradients) {
  const Dataset d = fixture(g3(), x3n());
  const auto model = make_model("logreg", d, {});
  set_linear(*model, "classifier", 0, 1);
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.974077, -.474077}, {-.632599, -.757599}, {-.974077, -.474077}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .901918, kPrinted);
  expect_gradient(*model, "classifier.weight",
                  matrix_of({{-.311230, .311230}, {-.015208, .015208}, {.088535, -.088535}}));
  expect_gradient(*model, "classifier.bias", matrix_of({{-.237903, .237903}}));
}

TEST(SpecLogreg, TheGraphDoesNotMatter) {
  const Dataset with = fixture(g3(), x3()), without = fixture(make_csr(3, 3, {}, Repeats::add), x3());
  const auto a = make_model("logreg", with, {}, Rng(5)), b = make_model("logreg", without, {}, Rng(5));
  EXPECT_TRUE(matrices_equal(logits(*a, with), logits(*b, without)));
}

}  // namespace
}  // namespace gcnh::testing
