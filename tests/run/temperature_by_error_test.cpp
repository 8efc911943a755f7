// The search for the temperature of a final model against a plain one, written from the rule.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gcnh/base/random.h"
#include "gcnh/run/calibration.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {
namespace {

using NodeErrors = std::vector<double>;

NodeErrors plain_errors(const Matrix& logp, const std::vector<int>& labels, double log_t) {
  NodeErrors out;
  for (Index i = 0; i < logp.rows(); ++i) {
    double sum = 0, error = 0;
    for (Index k = 0; k < logp.cols(); ++k) sum += std::exp(static_cast<double>(logp(i, k)) / std::exp(log_t));
    for (Index k = 0; k < logp.cols(); ++k) {
      const double p = std::exp(static_cast<double>(logp(i, k)) / std::exp(log_t)) / sum;
      error += std::pow(p - (k == labels[i] ? 1 : 0), 2);
    }
    out.push_back(error);
  }
  return out;
}

bool is_plainly_more(const NodeErrors& x, const NodeErrors& y) {
  const double n = static_cast<double>(x.size());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean += (x[i] - y[i]) / n;
  for (std::size_t i = 0; i < x.size(); ++i) squares += std::pow(x[i] - y[i] - mean, 2);
  return mean > std::sqrt(squares / (n - 1) / n);
}

// Every temperature in steps of a thousandth, with evidence of two nodes for 1; then back towards 1 step by step.
double plain_least_error(const Matrix& logp, const std::vector<int>& labels) {
  constexpr double kStep = 1e-3;
  const int most = static_cast<int>(std::log(10) / kStep);
  int best = 0;
  double least = INFINITY;
  for (int i = -most; i <= most; ++i) {
    double loss = i * kStep * i * kStep;
    for (double error : plain_errors(logp, labels, i * kStep)) loss += error;
    if (loss >= least) continue;
    least = loss;
    best = i;
  }
  const NodeErrors errors = plain_errors(logp, labels, best * kStep);
  int at = best;
  while (at != 0 && !is_plainly_more(plain_errors(logp, labels, (at + (at < 0 ? 1 : -1)) * kStep), errors))
    at += at < 0 ? 1 : -1;
  return std::exp(at * kStep);
}

// Labels follow the answers for a share of the nodes, and are drawn evenly for the others.
TEST(TemperatureByError, IsThatOfAPlainSearch) {
  int away_from_one = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Rng rng = Rng(seed).fork(1);
    const Index nodes = seed % 2 == 0 ? 40 : 120, classes = seed % 3 == 0 ? 2 : 5;
    const auto reach = static_cast<Real>(seed % 4 == 0 ? 1 : 6);
    const Matrix logits = random_matrix(nodes, classes, Rng(seed).fork(0), -reach, reach);
    const Matrix logp = joint_answers({logits, logits});
    std::vector<int> labels;
    for (Index i = 0; i < nodes; ++i) {
      const Real* row = logp.row(i);
      const auto answer = static_cast<int>(std::max_element(row, row + classes) - row);
      labels.push_back(rng.uniform(2 * i) < 0.7 ? answer : static_cast<int>(rng.uniform(2 * i + 1) * classes));
    }
    const double plain = plain_least_error(logp, labels), t = temperature_by_error(logp, labels);
    EXPECT_NEAR(std::log(t), std::log(plain), 2e-3) << "seed " << seed;  // a step of the plain search, and a half
    away_from_one += t != 1;
  }
  EXPECT_GE(away_from_one, 4);
}

// The differences of a single node have a mean of exactly their standard error, which is not above it.
TEST(TemperatureByError, IsNotDecidedByASingleNode) {
  Matrix logits(40, 2);
  for (Index i = 0; i < logits.rows(); ++i) logits(i, 0) = i == 0 ? 3 : 400;
  std::vector<int> labels(40, 0);
  labels[0] = 1;
  EXPECT_EQ(temperature_by_error(joint_answers({logits, logits}), labels), 1);
}

}  // namespace
}  // namespace gcnh::testing
