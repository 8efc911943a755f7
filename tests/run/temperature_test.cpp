// The search for a temperature against a plain one, written from the rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gcnh/base/random.h"
#include "gcnh/run/calibration.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {
namespace {

std::size_t answer_of(const Matrix& logp, Index i) {
  return static_cast<std::size_t>(std::max_element(logp.row(i), logp.row(i) + logp.cols()) - logp.row(i));
}

// The share of right answers less their mean probability, in standard errors, with two nodes of a variance of 1/4 more.
double plain_modesty(const Matrix& logp, const std::vector<int>& labels, double log_t) {
  std::vector<double> gaps;
  for (Index i = 0; i < logp.rows(); ++i) {
    double sum = 0;
    for (Index k = 0; k < logp.cols(); ++k) sum += std::exp(static_cast<double>(logp(i, k)) / std::exp(log_t));
    const std::size_t answer = answer_of(logp, i);
    const double p = std::exp(static_cast<double>(logp.row(i)[answer]) / std::exp(log_t)) / sum;
    gaps.push_back((std::cmp_equal(answer, labels[i]) ? 1 : 0) - p);
  }
  const double n = static_cast<double>(gaps.size());
  double mean = 0, squares = 2 * 0.25;
  for (double gap : gaps) mean += gap / n;
  for (double gap : gaps) squares += (gap - mean) * (gap - mean);
  return mean / std::sqrt(squares / (n + 1) / n);
}

// Steps of a thousandth from 1, until the answers are too modest by half a standard error to one and a half.
double plain_temperature(const Matrix& logp, const std::vector<int>& labels) {
  constexpr double kStep = 1e-3;
  const int most = static_cast<int>(std::log(10) / kStep);
  int at = 0;
  while (at > -most && plain_modesty(logp, labels, at * kStep) > 1.5) --at;
  while (at < most && plain_modesty(logp, labels, at * kStep) < 0.5) ++at;
  return std::exp(at * kStep);
}

// Labels follow the answers for a share of the nodes, and are drawn evenly for the others.
std::vector<int> labels_following(const Matrix& logp, double share, const Rng& rng) {
  std::vector<int> out;
  for (Index i = 0; i < logp.rows(); ++i) {
    const auto node = static_cast<std::uint64_t>(i);
    out.push_back(rng.uniform(2 * node) < share ? static_cast<int>(answer_of(logp, i))
                                                : static_cast<int>(rng.uniform(2 * node + 1) * logp.cols()));
  }
  return out;
}

TEST(Temperature, IsThatOfAPlainSearch) {
  int higher = 0, lower = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Index nodes = seed % 2 == 0 ? 40 : 120, classes = seed % 3 == 0 ? 2 : 5;
    const auto reach = static_cast<Real>(seed % 4 == 0 ? 1 : 6);
    const Matrix logits = random_matrix(nodes, classes, Rng(seed).fork(0), -reach, reach);
    const Matrix logp = joint_answers({logits, logits});
    const std::vector<int> labels = labels_following(logp, 0.8, Rng(seed).fork(1));
    const double plain = plain_temperature(logp, labels), t = fit_temperature(logp, labels);
    EXPECT_NEAR(std::log(t), std::log(plain), 2e-3) << "seed " << seed;  // a step of the plain search, and a half
    higher += t > 1;
    lower += t < 1;
  }
  EXPECT_GE(higher, 2);
  EXPECT_GE(lower, 2);
}

// Answers that are as often right as they say on the nodes that chose the epoch are too sure of others.
TEST(Temperature, TakesNodesThatChoseTheEpochForFlattering) {
  Matrix logits(100, 2);
  for (Index i = 0; i < logits.rows(); ++i) logits(i, 0) = static_cast<Real>(std::log(4));
  const Matrix logp = joint_answers({logits, logits});  // sure by 0.8, with a standard error of 0.04
  std::vector<int> labels(100, 0);
  const auto with_wrong = [&](int wrong) {
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = std::cmp_less(i, wrong) ? 1 : 0;
    return fit_temperature(logp, labels);
  };
  EXPECT_GT(with_wrong(20), 1) << "as right as sure";
  EXPECT_EQ(with_wrong(16), 1) << "one error more right";
  EXPECT_LT(with_wrong(10), 1) << "by far more right";
}

TEST(Temperature, StaysWithinItsBounds) {
  Matrix logits(40, 2);
  for (Index i = 0; i < logits.rows(); ++i) logits(i, 0) = 400;
  const Matrix logp = joint_answers({logits, logits});
  EXPECT_NEAR(fit_temperature(logp, std::vector(40, 1)), kMostTemperature, 1e-9) << "sure and never right";
  for (Index i = 0; i < logits.rows(); ++i) logits(i, 0) = static_cast<Real>(1e-3);
  EXPECT_NEAR(fit_temperature(joint_answers({logits, logits}), std::vector(40, 0)), kLeastTemperature, 1e-9)
      << "unsure and always right";
}

}  // namespace
}  // namespace gcnh::testing
