// H2GCN: numbers that PyTorch printed for the small fixtures (to 1e-6), initial ranges, and the two ways through its
// rings.
#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/graph/second_ring.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// W = pat(3, 2, 2), and W_out = pat(rows, 2, 1) whose blocks of two rows are in the order of those numbers.
std::unique_ptr<Model> spec_h2gcn(const Dataset& d, const char* rounds, const std::vector<Index>& block_order) {
  auto model = make_model("h2gcn", d, {{"rounds", rounds}, {"hidden", "2"}, {"dropout", "0"}});
  set(*model, "encoder.weight", pat(3, 2, 2));
  Matrix& w = param(*model, "classifier.weight").value;
  const Matrix given = pat(w.rows(), 2, 1);
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < 2; ++j) w(i, j) = given(2 * block_order[i / 2] + i % 2, j);
  return model;
}

TEST(SpecH2gcn, Rings) {
  Tape t;
  t.start_evaluation();
  Node identity{matrix_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), {}}, r0{matrix_of({{0, .25}, {.125, 0}, {.25, 0}}), {}};
  const std::vector<Index> rows = {0, 1, 2};
  const NormalizedPattern s1(g3()), s2(second_ring(g3()));
  EXPECT_TRUE(matrices_near(s1.times(t, &identity, rows)->value,
                            matrix_of({{0, .707107, 0}, {.707107, 0, .707107}, {0, .707107, 0}}), kPrinted));
  EXPECT_TRUE(matrices_near(s2.times(t, &identity, rows)->value, matrix_of({{0, 0, 1}, {0, 0, 0}, {1, 0, 0}}), 0));
  EXPECT_TRUE(matrices_near(s1.times(t, &r0, rows)->value, matrix_of({{.088388, 0}, {.176777, .176777}, {.088388, 0}}),
                            kPrinted));
  EXPECT_TRUE(matrices_near(s2.times(t, &r0, rows)->value, matrix_of({{.25, 0}, {0, 0}, {0, .25}}), 0));
}

// The numbers were printed for [r2 | r0 | r1], the model concatenates [r0 | r1 | r2].
TEST(SpecH2gcn, TwoRounds) {
  const Dataset d = fixture(g3(), x3n());
  const auto model = spec_h2gcn(d, "2", {4, 5, 6, 0, 1, 2, 3});
  EXPECT_TRUE(matrices_near(logits(*model, d),
                            matrix_of({{-.102903, -.231694}, {-.119638, .119638}, {.084597, .268306}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .666895, kPrinted);
  // The weight decay of Adam adds the gradient of the regulariser, 2 lambda W.
  constexpr double kLambda = 5e-4;
  double regulariser = 0;
  for (const Param& p : model->params())
    for (Real v : p.value.values()) regulariser += kLambda * static_cast<double>(v) * static_cast<double>(v);
  EXPECT_NEAR(regulariser, .001937, kPrinted);
  Matrix gradient = param(*model, "encoder.weight").grad;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 2; ++j) gradient(i, j) += 2 * kLambda * param(*model, "encoder.weight").value(i, j);
  EXPECT_TRUE(matrices_near(gradient, matrix_of({{.06014, -.080902}, {-.06566, -.0005}, {-.12655, 0}}), kPrinted));
}

TEST(SpecH2gcn, OneRound) {
  const Dataset d = fixture(g3(), x3n());
  const auto model = spec_h2gcn(d, "1", {2, 0, 1});
  EXPECT_TRUE(
      matrices_near(logits(*model, d), matrix_of({{-.209597, -.0625}, {.0625, .025888}, {.102903, -.0625}}), kPrinted));
}

TEST(SpecH2gcn, InitialRangesAreGlorot) {
  const Dataset d = random_dataset({.nodes = 5}, 400, 9, Rng(1));
  const auto model = make_model("h2gcn", d, {{"hidden", "100"}});
  for (const Param& p : model->params()) {
    const double bound = std::sqrt(6.0 / (p.rows() + p.cols()));
    EXPECT_LE(largest(p.value), bound);
    EXPECT_GT(largest(p.value), 0.99 * bound);
  }
}

// Applying the classifier before the rings is the same as after them. A share of dropout that rounds to none takes the
// path of the equation without dropping anything.
TEST(SpecH2gcn, EarlyClassificationEqualsTheEquation) {
  for (int number = 0; number < 20; ++number) {
    const Dataset d = random_dataset({.nodes = 5 + number, .directed = number % 3 == 0}, 6, 3, Rng(number));
    for (const char* rounds : {"1", "2", "3"}) {
      SCOPED_TRACE(rounds);
      const auto make = [&](const char* dropout) {
        return make_model("h2gcn", d, {{"rounds", rounds}, {"hidden", "4"}, {"dropout", dropout}}, Rng(3));
      };
      const auto early = make("0"), blocks = make("1e-9");
      const std::vector<Index> rows = {3, 1, 4};
      EXPECT_NEAR(loss_and_gradients(*early, d, rows), loss_and_gradients(*blocks, d, rows), 1e-8);
      for (std::size_t i = 0; i < early->params().size(); ++i)
        EXPECT_TRUE(matrices_near(early->params()[i].grad, blocks->params()[i].grad, 1e-8));
    }
  }
}

}  // namespace
}  // namespace gcnh::testing
