// The search for the temperature: fit_temperature of calibration.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gcnh/run/calibration.h"

namespace gcnh {
namespace {

// In standard errors: by how much nodes that chose the epoch flatter their answers, and what is left to chance.
constexpr double kFlattery = 1, kMargin = 0.5;
// A few nodes that are all right would ask for endless confidence: as many nodes more of the largest variance.
constexpr double kPriorNodes = 2, kLargestVariance = 0.25;
constexpr double kTolerance = 1e-4;  // of log t
constexpr int kMostSteps = 50;

// The share of right answers less their mean probability at a temperature t, which grows with t. The probability of an
// answer is 1 / sum of exp(z / t), z = logp less the largest of the node.
class Modesty {
 public:
  Modesty(const Matrix& logp, std::span<const int> labels)
      : nodes_(labels.size()), z_(logp.size()), right_(nodes_), sums_(nodes_) {
    const auto classes = static_cast<std::size_t>(logp.cols());
    for (std::size_t i = 0; i < nodes_; ++i) {
      const Real* row = logp.row(static_cast<Index>(i));
      const Real* answer = std::max_element(row, row + classes);
      for (std::size_t k = 0; k < classes; ++k)
        z_[k * nodes_ + i] = static_cast<float>(row[k]) - static_cast<float>(*answer);
      right_[i] = answer - row == labels[i];
    }
  }

  // Less so many standard errors.
  double beyond(double errors, double log_t) {
    const auto inverse = static_cast<float>(std::exp(-log_t));
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    for (std::size_t j = 0; j < z_.size(); j += nodes_)
      for (std::size_t i = 0; i < nodes_; ++i) sums_[i] += std::exp(inverse * z_[j + i]);
    const auto n = static_cast<double>(nodes_);
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < nodes_; ++i) {
      const double gap = right_[i] - 1 / static_cast<double>(sums_[i]);
      mean += gap / n;
      squares += gap * gap;
    }
    const double variance = std::max(0.0, squares - n * mean * mean) + kPriorNodes * kLargestVariance;
    return mean - errors * std::sqrt(variance / (n - 1 + kPriorNodes) / n);
  }

 private:
  std::size_t nodes_;
  std::vector<float> z_;  // (classes, nodes): what is summed over the classes is summed for several nodes at a time
  std::vector<double> right_;
  std::vector<float> sums_;
};

// Where the modesty is so many standard errors, between 0, where it is `at_zero` more, and the end: by false position,
// where an end of the bracket that stays counts half (Illinois). The end where it is not reached.
double logarithm_where(Modesty& modesty, double errors, double at_zero, double end) {
  double a = 0, b = end, at_a = at_zero, at_b = modesty.beyond(errors, end);
  if ((at_a > 0) == (at_b > 0)) return end;
  double at = end;
  for (int step = 0; step < kMostSteps; ++step) {
    const double last = at;
    at = a + (b - a) * at_a / (at_a - at_b);
    if (std::abs(at - last) < kTolerance) break;
    const double now = modesty.beyond(errors, at);
    const bool like_a = (now > 0) == (at_a > 0);
    (like_a ? a : b) = at;
    (like_a ? at_a : at_b) = now;
    (like_a ? at_b : at_a) /= 2;
  }
  return at;
}

}  // namespace

double fit_temperature(const Matrix& logp, std::span<const int> labels) {
  if (labels.size() < 2) return 1;
  Modesty modesty(logp, labels);
  const double modest = kFlattery + kMargin, bold = kFlattery - kMargin;
  if (const double left = modesty.beyond(modest, 0); left > 0)
    return std::exp(logarithm_where(modesty, modest, left, std::log(kLeastTemperature)));
  if (const double left = modesty.beyond(bold, 0); left < 0)
    return std::exp(logarithm_where(modesty, bold, left, std::log(kMostTemperature)));
  return 1;
}

}  // namespace gcnh
