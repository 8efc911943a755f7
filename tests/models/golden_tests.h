// Values, gradients, fifty losses and the trained parameters against PyTorch (tests/oracle). Included by a file of the
// float and one of the double suite; the float one is held to 1e-4, the double one to 1e-9.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gcnh/train/make_stepper.h"
#include "tests/support/fixtures.h"
#include "tests/support/golden.h"

namespace gcnh::testing {

constexpr double kGolden = sizeof(Real) == 8 ? 1e-9 : 1e-4;
constexpr double kOracleRounding = 1e-15;  // PyTorch's own, in double

// Relative to the largest entry: small entries are sums of large terms that cancel. Where even the largest is such a
// sum, relative to the size of its terms. Where all terms cancel, as in the attention of a node that hears only itself
// or in a bias before columns are normalised, PyTorch keeps their rounding and we keep ours, that of the largest
// gradient.
inline ::testing::AssertionResult near_golden(const Matrix& found, const Matrix& expected, double summed = 0,
                                              double rounding = 0) {
  const double scale = std::max<double>(largest(expected), summed);
  return matrices_near(found, expected, kGolden * scale + kOracleRounding + rounding, kGolden);
}

// Small losses are differences of larger logits.
inline double loss_tolerance(double loss) { return kGolden * std::max(loss, 0.1); }

// Losses to compare: in float up to the first step near a kink, where a maximum or an activation may fall to the other
// side.
inline std::size_t comparable_losses(const GoldenCase& c) {
  return sizeof(Real) == 8 ? c.losses.size() : std::min(c.smooth_steps + 1, c.losses.size());
}

// Logits and the gradients of the first step, on a tape.
inline void check_first_step(const GoldenCase& c) {
  const Dataset& d = c.dataset;
  const auto model = make_model(c.model, d, c.options);
  set_parameters(*model, c.parameters);
  Tape t;
  t.start_evaluation();
  const std::vector<Index> rows = all_nodes(d);
  EXPECT_TRUE(near_golden(model->forward(t, rows)->value, c.logits));
  const double loss = loss_and_gradients(*model, d, c.batches[0], Rng(c.seed).fork(0));
  EXPECT_NEAR(loss, c.losses[0], loss_tolerance(c.losses[0]));
  ASSERT_EQ(c.gradients.size(), model->params().size());
  if (comparable_losses(c) < 2) return;
  double most = 0;
  for (const auto& [name, gradient] : c.gradients) most = std::max<double>(most, largest(gradient));
  for (const Param& p : model->params()) {
    const auto summed = c.summed.find(p.name);
    const Matrix& expected = c.gradients.at(p.name);
    const double rounding = 4 * kEpsilon * most;
    EXPECT_TRUE(near_golden(p.grad, expected, summed == c.summed.end() ? 0 : summed->second,
                            largest(expected) <= rounding ? rounding : 0))  // for what cancels to 0 alone
        << "gradient of " << p.name;
  }
}

// Losses of all steps, then log-probabilities and parameters. Returns the engine that took the steps.
inline std::string check_training(const GoldenCase& c, const std::string& wanted) {
  const Dataset& d = c.dataset;
  const auto model = make_model(c.model, d, c.options);
  set_parameters(*model, c.parameters);
  const auto stepper = make_stepper(wanted, *model, {c.lr, c.weight_decay, c.batches.size() == 1}, c.adam);
  const std::string engine = stepper->engine();
  SCOPED_TRACE(engine);
  for (std::size_t step = 0; step < comparable_losses(c); ++step) {
    const double loss = stepper->step(c.batches[step % c.batches.size()], Rng(c.seed).fork(step));
    EXPECT_NEAR(loss, c.losses[step], loss_tolerance(c.losses[step])) << "step " << step + 1;
    if (::testing::Test::HasFailure()) return engine;
    stepper->log_probabilities(c.batches[0]);  // must not disturb the training
  }
  EXPECT_TRUE(near_golden(stepper->log_probabilities(all_nodes(d)), log_probabilities(*model, d)));
  if (sizeof(Real) < 8) return engine;  // in float, steps of Adam on gradients near 0 have no digits to compare
  for (const Param& p : model->params()) EXPECT_TRUE(near_golden(p.value, c.final.at(p.name))) << p.name;
  return engine;
}

TEST(Golden, FirstStepEqualsPyTorch) {
  for (const auto& file : golden_files()) {
    SCOPED_TRACE(file.string());
    check_first_step(read_golden(file));
  }
}

TEST(Golden, TrainingEqualsPyTorch) {
  int fused = 0;
  for (const auto& file : golden_files()) {
    SCOPED_TRACE(file.string());
    const GoldenCase c = read_golden(file);
    check_training(c, "tape");
    if (c.model == "gcnh") fused += check_training(c, "auto") == "fused";
  }
  EXPECT_TRUE(fused > 0 || std::getenv("GCNH_GOLDEN")) << "no case for the fused step";
}

}  // namespace gcnh::testing
