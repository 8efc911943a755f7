#include "gcnh/run/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gcnh {
namespace {

// A few nodes that are all right would ask for endless confidence. As much evidence as this many nodes give says 1.
constexpr double kPriorNodes = 2;
constexpr int kGridSteps = 20;  // to either side of 1
constexpr double kGolden = 0.6180339887498949;
constexpr int kGoldenSteps = 20;
constexpr int kHalvings = 12;

// row <- log softmax(row / t)
void log_softmax(double t, std::span<Real> row) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (Real value : row) sum += std::exp((value - largest) / t);
  const double shift = std::log(sum);
  for (Real& value : row) value = static_cast<Real>((value - largest) / t - shift);
}

// Of every node the sum over the classes of (p - [label])^2, p = softmax(logp / t): its share of the Brier score.
std::vector<double> squared_errors(const Matrix& logp, std::span<const int> labels, double t) {
  std::vector<double> out;
  std::vector<Real> row(static_cast<std::size_t>(logp.cols()));
  for (Index i = 0; i < logp.rows(); ++i) {
    std::copy_n(logp.row(i), row.size(), row.begin());
    log_softmax(t, row);
    double sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double p = std::exp(static_cast<double>(row[k]));
      sum += std::pow(p - (std::cmp_equal(k, labels[i]) ? 1 : 0), 2);
    }
    out.push_back(sum);
  }
  return out;
}

// Whether the mean of x - y lies above its standard error.
bool is_clearly_more(std::span<const double> x, std::span<const double> y) {
  const double n = static_cast<double>(x.size());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean += (x[i] - y[i]) / n;
  for (std::size_t i = 0; i < x.size(); ++i) squares += std::pow(x[i] - y[i] - mean, 2);
  return n > 1 && mean > std::sqrt(squares / (n - 1) / n);
}

// The logarithm of the temperature with the least error: the best of a coarse grid, then by golden section between its
// neighbours.
double best_logarithm(const Matrix& logp, std::span<const int> labels) {
  const auto loss = [&](double log_t) {
    const std::vector<double> errors = squared_errors(logp, labels, std::exp(log_t));
    return std::accumulate(errors.begin(), errors.end(), 0.0) + kPriorNodes / 2 * log_t * log_t;
  };
  const double width = std::log(kMostTemperature) / kGridSteps;
  double best = 0, least = loss(0);
  for (int i = -kGridSteps; i <= kGridSteps; ++i) {
    const double now = i == 0 ? least : loss(i * width);
    if (now >= least) continue;
    least = now;
    best = i * width;
  }
  double low = best - width, high = best + width;
  double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
  double at_a = loss(a), at_b = loss(b);
  for (int step = 0; step < kGoldenSteps; ++step) {
    if (at_a <= at_b) {
      high = std::exchange(b, a);
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = loss(a);
    } else {
      low = std::exchange(a, b);
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = loss(b);
    }
  }
  return std::clamp((low + high) / 2, std::log(kLeastTemperature), std::log(kMostTemperature));
}

}  // namespace

// The error grows from the best temperature towards 1; where it begins to be clearly more is found by halving.
double fit_temperature(const Matrix& logp, std::span<const int> labels) {
  const double best = best_logarithm(logp, labels);
  const std::vector<double> least = squared_errors(logp, labels, std::exp(best));
  const auto is_worse = [&](double log_t) {
    return is_clearly_more(squared_errors(logp, labels, std::exp(log_t)), least);
  };
  if (!is_worse(0)) return 1;
  double worse = 0, good = best;
  for (int step = 0; step < kHalvings; ++step) {
    const double middle = (worse + good) / 2;
    (is_worse(middle) ? worse : good) = middle;
  }
  return std::exp(good);
}

Matrix calibrated(Matrix logp, double temperature) {
  if (temperature != 1)
    for (Index i = 0; i < logp.rows(); ++i)
      log_softmax(temperature, {logp.row(i), static_cast<std::size_t>(logp.cols())});
  return logp;
}

Matrix mean_answers(std::span<const double> sums, std::span<const int> counts) {
  const std::size_t classes = sums.size() / counts.size();
  Matrix out(static_cast<Index>(counts.size()), static_cast<Index>(classes));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    Real* row = out.row(static_cast<Index>(i));
    for (std::size_t k = 0; k < classes; ++k) row[k] = static_cast<Real>(sums[i * classes + k] / counts[i]);
    log_softmax(1, {row, classes});
  }
  return out;
}

Matrix joint_answers(std::vector<Matrix> members) {
  if (members.size() == 1 || members[0].empty()) return std::move(members[0]);
  std::vector<double> sums(members[0].size(), 0);
  for (const Matrix& m : members)
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += m.values()[at];
  return mean_answers(sums,
                      std::vector<int>(static_cast<std::size_t>(members[0].rows()), static_cast<int>(members.size())));
}

}  // namespace gcnh
