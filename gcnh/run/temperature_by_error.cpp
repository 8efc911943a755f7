// The search for the temperature of a final model: temperature_by_error of calibration.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gcnh/run/calibration.h"

namespace gcnh {
namespace {

// A few nodes that are all right would ask for endless confidence. As much evidence as this many nodes give says 1.
constexpr double kNodesForOne = 2;
constexpr double kMostErrors = 1e3;  // standard errors that are told apart
constexpr int kMostCubics = 30;
constexpr std::size_t kNodesAtATime = 64;
constexpr double kNearEnough = 1e-4;  // of log t; what is found is nearer by far

// What is made least, and its slope.
struct LossPoint {
  double log_t, loss, slope;
};

// The squared errors of labelled answers at a temperature t: of a node the sum over the classes of (p - [label])^2,
// p = softmax(z / t), z = logp less the largest of the node. Powers are q = exp(z / t), so p = q / sum of q. Both are
// arrays (classes, nodes): what is summed over the classes is summed for several nodes at a time.
class ScaledErrors {
 public:
  ScaledErrors(const Matrix& logp, std::span<const int> labels)
      : nodes_(labels.size()),
        classes_(static_cast<std::size_t>(logp.cols())),
        z_(logp.size()),
        q_(logp.size()),
        own_(nodes_) {
    for (std::size_t i = 0; i < nodes_; ++i) {
      const Real* row = logp.row(static_cast<Index>(i));
      const double largest = *std::max_element(row, row + classes_);
      for (std::size_t k = 0; k < classes_; ++k) z_[k * nodes_ + i] = static_cast<double>(row[k]) - largest;
      own_[i] = static_cast<std::size_t>(labels[i]) * nodes_ + i;
    }
  }

  // At this temperature. Powers are taken in float, whose seven digits are plenty and which takes half as long.
  LossPoint point(double log_t) {
    take_powers(log_t);
    return sum_up(log_t);
  }
  std::vector<double> of_nodes(double log_t) {
    take_powers(log_t);
    std::vector<double> out(nodes_);
    for (std::size_t begin = 0; begin < nodes_; begin += kNodesAtATime) {
      const std::size_t size = std::min(kNodesAtATime, nodes_ - begin);
      double sum[kNodesAtATime] = {}, squares[kNodesAtATime] = {};
      for (std::size_t k = 0; k < classes_; ++k) {
        const double* qk = &q_[k * nodes_ + begin];
        for (std::size_t i = 0; i < size; ++i) {
          sum[i] += qk[i];
          squares[i] += qk[i] * qk[i];
        }
      }
      for (std::size_t i = 0; i < size; ++i) out[begin + i] = error(sum[i], squares[i], q_[own_[begin + i]]);
    }
    return out;
  }

  // From the most to the least temperature. Half of one squares the powers, which is cheaper than to take them.
  std::vector<LossPoint> grid() {
    std::vector<LossPoint> out;
    take_powers(std::log(kMostTemperature));
    for (double t = kMostTemperature; t > kLeastTemperature; t /= 2) {
      out.push_back(sum_up(std::log(t)));
      for (double& q : q_) q *= q;
    }
    out.push_back(point(std::log(kLeastTemperature)));
    return out;
  }

 private:
  static double error(double sum, double squares, double own) { return 1 + (squares / sum - 2 * own) / sum; }

  void take_powers(double log_t) {
    const double inverse = std::exp(-log_t);
    for (std::size_t j = 0; j < q_.size(); ++j) q_[j] = std::exp(static_cast<float>(inverse * z_[j]));
  }

  // All errors and the prior. d error / d log t = 2/t sum of (p - [label]) p (m - z), m = sum of p z.
  LossPoint sum_up(double log_t) const {
    double errors = 0, slopes = 0;
    for (std::size_t begin = 0; begin < nodes_; begin += kNodesAtATime) {
      const std::size_t size = std::min(kNodesAtATime, nodes_ - begin);
      double sum[kNodesAtATime] = {}, squares[kNodesAtATime] = {};   // of q, q^2
      double first[kNodesAtATime] = {}, second[kNodesAtATime] = {};  // of q z, q^2 z
      for (std::size_t k = 0; k < classes_; ++k) {
        const double *qk = &q_[k * nodes_ + begin], *zk = &z_[k * nodes_ + begin];
        for (std::size_t i = 0; i < size; ++i) {
          const double square = qk[i] * qk[i];
          sum[i] += qk[i];
          squares[i] += square;
          first[i] += qk[i] * zk[i];
          second[i] += square * zk[i];
        }
      }
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t at = own_[begin + i];
        errors += error(sum[i], squares[i], q_[at]);
        slopes += (first[i] / sum[i] * (squares[i] / sum[i] - q_[at]) - second[i] / sum[i] + q_[at] * z_[at]) / sum[i];
      }
    }
    return {log_t, errors + kNodesForOne / 2 * log_t * log_t, 2 * std::exp(-log_t) * slopes + kNodesForOne * log_t};
  }

  std::size_t nodes_, classes_;
  std::vector<double> z_, q_;
  std::vector<std::size_t> own_;  // places of the labels
};

// Where the cubic through both points, with their slopes, is least.
double least_of_cubic(const LossPoint& a, const LossPoint& b) {
  const double width = b.log_t - a.log_t;
  const double d = a.slope + b.slope - 3 * (b.loss - a.loss) / width;
  const double root = std::sqrt(std::max(0.0, d * d - a.slope * b.slope));
  return b.log_t - width * (b.slope + root - d) / (b.slope - a.slope + 2 * root);
}

// The logarithm of the temperature with the least loss: the best of the grid, then by cubics between it and the
// neighbour on the side where the loss falls.
double best_logarithm(ScaledErrors& errors) {
  const std::vector<LossPoint> grid = errors.grid();
  const auto best = std::min_element(grid.begin(), grid.end(),
                                     [](const LossPoint& a, const LossPoint& b) { return a.loss < b.loss; });
  if (best == (best->slope < 0 ? grid.begin() : grid.end() - 1)) return best->log_t;
  LossPoint low = best->slope < 0 ? *best : best[1], high = best->slope < 0 ? best[-1] : *best;
  double at = best->log_t;
  for (int step = 0; step < kMostCubics; ++step) {
    const double last = at;
    at = std::clamp(least_of_cubic(low, high), low.log_t, high.log_t);
    if (std::abs(at - last) < kNearEnough) break;
    const LossPoint now = errors.point(at);
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
double temperature_by_error(const Matrix& logp, std::span<const int> labels) {
  ScaledErrors errors(logp, labels);
  double good = best_logarithm(errors), worse = 0;
  const std::vector<double> least = errors.of_nodes(good);
  double at_good = -1, at_worse = lead(errors.of_nodes(worse), least);
  if (!(at_worse > kNearEnough)) return 1;
  double at = worse;
  bool was_worse = true;
  for (int step = 0; step < kMostCubics; ++step) {
    const double last = at;
    at = good + (worse - good) * at_good / (at_good - at_worse);
    if (std::abs(at - last) < kNearEnough) break;
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
