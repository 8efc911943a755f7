// The search for the temperature: fit_temperature of calibration.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gcnh/run/calibration.h"

namespace gcnh {
namespace {

// A few nodes that are all right would ask for endless confidence. As much evidence as this many nodes give says 1.
constexpr double kPriorNodes = 2;
constexpr double kMostErrors = 1e3;  // standard errors that are told apart
constexpr int kMostSteps = 30;
constexpr double kTolerance = 1e-4;  // of log t; what is found is nearer by far

// What is made least, and its slope.
struct LossPoint {
  double log_t, loss, slope;
};

// The squared errors of labelled answers at a temperature t: of a node the sum over the classes of (p - [label])^2,
// p = softmax(z / t), z = logp less the largest of the node. Powers are q = exp(z / t), so p = q / sum of q.
class ScaledErrors {
 public:
  ScaledErrors(const Matrix& logp, std::span<const int> labels)
      : z_(logp.size()), labels_(labels), classes_(static_cast<std::size_t>(logp.cols())) {
    for (Index i = 0; i < logp.rows(); ++i) {
      const double largest = *std::max_element(logp.row(i), logp.row(i) + logp.cols());
      for (Index k = 0; k < logp.cols(); ++k) z_[i * classes_ + k] = static_cast<double>(logp(i, k)) - largest;
    }
  }

  // In float, whose seven digits are plenty and which takes half as long.
  std::vector<double> powers(double log_t) const {
    const double inverse = std::exp(-log_t);
    std::vector<double> q(z_.size());
    for (std::size_t j = 0; j < q.size(); ++j) q[j] = std::exp(static_cast<float>(inverse * z_[j]));
    return q;
  }

  std::vector<double> of_nodes(double log_t) const {
    const std::vector<double> q = powers(log_t);
    std::vector<double> out(labels_.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      double sum = 0, squares = 0;
      for (std::size_t j = i * classes_; j < (i + 1) * classes_; ++j) {
        sum += q[j];
        squares += q[j] * q[j];
      }
      out[i] = 1 + (squares / sum - 2 * q[i * classes_ + labels_[i]]) / sum;
    }
    return out;
  }

  // All errors and the prior. d error / d log t = 2/t sum of (p - [label]) p (m - z), m = sum of p z.
  LossPoint point(double log_t, std::span<const double> q) const {
    double errors = 0, slopes = 0;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      double sum = 0, squares = 0, first = 0, second = 0;  // of q, q^2, q z, q^2 z
      for (std::size_t j = i * classes_; j < (i + 1) * classes_; ++j) {
        const double square = q[j] * q[j];
        sum += q[j];
        squares += square;
        first += q[j] * z_[j];
        second += square * z_[j];
      }
      const std::size_t own = i * classes_ + labels_[i];
      errors += 1 + (squares / sum - 2 * q[own]) / sum;
      slopes += (first / sum * (squares / sum - q[own]) - second / sum + q[own] * z_[own]) / sum;
    }
    return {log_t, errors + kPriorNodes / 2 * log_t * log_t,
            2 * std::exp(-log_t) * slopes + kPriorNodes * log_t};
  }

 private:
  std::vector<double> z_;
  std::span<const int> labels_;
  std::size_t classes_;
};

// From the most to the least temperature. Half of a temperature squares the powers, which is cheaper than to take them.
std::vector<LossPoint> loss_grid(const ScaledErrors& errors) {
  std::vector<LossPoint> out;
  std::vector<double> q = errors.powers(std::log(kMostTemperature));
  for (double t = kMostTemperature; t > kLeastTemperature; t /= 2) {
    out.push_back(errors.point(std::log(t), q));
    for (double& value : q) value *= value;
  }
  const double last = std::log(kLeastTemperature);
  out.push_back(errors.point(last, errors.powers(last)));
  return out;
}

// Where the cubic through both points, with their slopes, is least.
double least_of_cubic(const LossPoint& a, const LossPoint& b) {
  const double width = b.log_t - a.log_t;
  const double d = a.slope + b.slope - 3 * (b.loss - a.loss) / width;
  const double root = std::sqrt(std::max(0.0, d * d - a.slope * b.slope));
  return b.log_t - width * (b.slope + root - d) / (b.slope - a.slope + 2 * root);
}

// The logarithm of the temperature with the least loss: the best of the grid, then by cubics between it and the
// neighbour on the side where the loss falls.
double best_logarithm(const ScaledErrors& errors) {
  const std::vector<LossPoint> grid = loss_grid(errors);
  const auto best = std::min_element(grid.begin(), grid.end(),
                                     [](const LossPoint& a, const LossPoint& b) { return a.loss < b.loss; });
  if (best == (best->slope < 0 ? grid.begin() : grid.end() - 1)) return best->log_t;
  LossPoint low = best->slope < 0 ? *best : best[1], high = best->slope < 0 ? best[-1] : *best;
  double at = best->log_t;
  for (int step = 0; step < kMostSteps; ++step) {
    const double last = at;
    at = std::clamp(least_of_cubic(low, high), low.log_t, high.log_t);
    if (std::abs(at - last) < kTolerance) break;
    const LossPoint now = errors.point(at, errors.powers(at));
    (now.slope > 0 ? high : low) = now;
  }
  return at;
}

// By how many of its standard errors the mean of x - y lies above 0, less the one that is allowed.
double lead(std::span<const double> x, std::span<const double> y) {
  const double n = static_cast<double>(x.size());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean += (x[i] - y[i]) / n;
  for (std::size_t i = 0; i < x.size(); ++i) squares += (x[i] - y[i] - mean) * (x[i] - y[i] - mean);
  if (n < 2 || !(mean > 0)) return -1;
  return std::min(kMostErrors, mean / std::sqrt(squares / (n - 1) / n)) - 1;
}

}  // namespace

// The error grows from the best temperature towards 1. Where it begins to be clearly more is found by false position:
// a bracket, and the secant through its ends, of which one that stays counts half (Illinois).
double fit_temperature(const Matrix& logp, std::span<const int> labels) {
  const ScaledErrors errors(logp, labels);
  double good = best_logarithm(errors), worse = 0;
  const std::vector<double> least = errors.of_nodes(good);
  double at_good = -1, at_worse = lead(errors.of_nodes(worse), least);
  if (!(at_worse > kTolerance)) return 1;
  double at = worse;
  bool was_worse = true;
  for (int step = 0; step < kMostSteps; ++step) {
    const double last = at;
    at = good + (worse - good) * at_good / (at_good - at_worse);
    if (std::abs(at - last) < kTolerance) break;
    const double now = lead(errors.of_nodes(at), least);
    const bool is_worse = now > 0, stays = is_worse == was_worse;
    (is_worse ? worse : good) = at;
    (is_worse ? at_worse : at_good) = now;
    if (stays && step > 0) (is_worse ? at_good : at_worse) /= 2;
    was_worse = is_worse;
  }
  return std::exp(at);
}

}  // namespace gcnh
