#include "gcnh/study/statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "gcnh/base/error.h"

namespace gcnh::study {
namespace {

constexpr std::size_t kExactRanks = 25;
constexpr double kSameValue = 1e-12;  // relative to the largest

void check_values(std::span<const double> values) {
  require(!values.empty(), "statistics: no values; at least one is needed");
  for (double x : values) require(std::isfinite(x), "statistics: the value ", x, " is not finite");
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The interval and p value of a mean whose variance is s^2 `factor`.
MeanTest student_test(std::span<const double> values, double factor, double level) {
  check_values(values);
  require(level > 0 && level < 1, "statistics: confidence level ", level, " outside 0..1");
  const double mean = mean_of(values), endless = std::numeric_limits<double>::infinity();
  if (values.size() == 1) return {mean, {-endless, endless}, 1};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return {*least, {*least, *least}, *least == 0 ? 1.0 : 0.0};  // the mean of equals may be rounded
  const double error = sample_std(values) * std::sqrt(factor);
  const boost::math::students_t student(static_cast<double>(values.size() - 1));
  const double reach = error * boost::math::quantile(student, (1 + level) / 2);
  const double p = 2 * boost::math::cdf(boost::math::complement(student, std::abs(mean) / error));
  return {mean, {mean - reach, mean + reach}, p};
}

// The differences that are not 0, by absolute value.
std::vector<double> by_size(std::span<const double> differences, double tolerance) {
  std::vector<double> out;
  for (double d : differences)
    if (std::abs(d) > tolerance) out.push_back(d);
  std::sort(out.begin(), out.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return out;
}

// Twice the ranks of values sorted by size, whole numbers with ties too: a tie of ranks i..j has i + j.
std::vector<std::size_t> doubled_ranks(std::span<const double> sorted, double tolerance) {
  std::vector<std::size_t> ranks(sorted.size());
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    for (end = begin + 1; end < sorted.size() && std::abs(sorted[end]) - std::abs(sorted[end - 1]) <= tolerance;) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks[i] = begin + 1 + end;
  }
  return ranks;
}

// P(sum of a random subset of the ranks <= limit), by counting subsets sum by sum; 2^25 is exact in double.
double exact_tail(std::span<const std::size_t> ranks, std::size_t limit) {
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<double> subsets(total + 1);
  subsets[0] = 1;
  for (std::size_t rank : ranks)
    for (std::size_t sum = total; sum >= rank; --sum) subsets[sum] += subsets[sum - rank];
  const double count = std::accumulate(subsets.begin(), subsets.begin() + static_cast<std::ptrdiff_t>(limit) + 1, 0.0);
  return std::ldexp(count, -static_cast<int>(ranks.size()));
}

// 2 P(Z >= |z|) of the sum of a random subset of the ranks, taken as normal; the factors 2 of the ranks cancel.
double normal_p(std::span<const std::size_t> ranks, double sum) {
  double total = 0, squares = 0;
  for (std::size_t rank : ranks) {
    total += static_cast<double>(rank);
    squares += static_cast<double>(rank) * static_cast<double>(rank);
  }
  const double z = (sum - total / 2) / std::sqrt(squares / 4);
  return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

}  // namespace

double sample_std(std::span<const double> values) {
  check_values(values);
  if (values.size() == 1) return std::numeric_limits<double>::quiet_NaN();
  const double mean = mean_of(values);
  double squares = 0;
  for (double x : values) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

MeanTest corrected_t_test(std::span<const double> differences, double test_per_train, double level) {
  require(test_per_train >= 0 && std::isfinite(test_per_train), "corrected t-test: test nodes per training node ",
          test_per_train, " is not a ratio of two sizes");
  return student_test(differences, 1 / static_cast<double>(differences.size()) + test_per_train, level);
}

SignedRankTest wilcoxon_signed_rank(std::span<const double> differences) {
  check_values(differences);
  double largest = 0;
  for (double d : differences) largest = std::max(largest, std::abs(d));
  const double tolerance = kSameValue * largest;
  const std::vector<double> sorted = by_size(differences, tolerance);
  if (sorted.empty()) return {};
  const std::vector<std::size_t> ranks = doubled_ranks(sorted, tolerance);
  std::size_t plus = 0, minus = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) (sorted[i] > 0 ? plus : minus) += ranks[i];
  const double p = sorted.size() <= kExactRanks ? std::min(1.0, 2 * exact_tail(ranks, std::min(plus, minus)))
                                                : normal_p(ranks, static_cast<double>(plus));
  return {static_cast<double>(plus) / 2, sorted.size(), p};
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  for (double p : p_values) require(p >= 0 && p <= 1, "Holm: p value ", p, " outside 0..1");
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> out(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double scaled = static_cast<double>(order.size() - i) * p_values[order[i]];
    largest = std::max(largest, std::min(1.0, scaled));
    out[order[i]] = largest;
  }
  return out;
}

}  // namespace gcnh::study
