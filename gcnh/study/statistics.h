// What can be said of a mean of few values: intervals and tests for models measured on the same splits.
// Differences are paired: one value per split, model minus model on the very same test nodes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gcnh::study {

// s = sqrt(sum (x - mean)^2 / (n - 1)); not a number for a single value. (MeanStd in run/outcome.h divides by n.)
double sample_std(std::span<const double> values);

struct Interval {
  double low = 0;
  double high = 0;
  bool contains(double x) const { return low <= x && x <= high; }
};

struct MeanTest {
  double mean = 0;
  Interval interval = {};
  double p = 1;  // two-sided, of the hypothesis that the true mean is 0
};

// The corrected resampled t-test for k differences over random splits of the same nodes:
//   t = mean / (s sqrt(1/k + n_test / n_train)),  k - 1 degrees of freedom,
// and the interval mean +- t(k-1, (1 + level) / 2) s sqrt(1/k + n_test / n_train), t the quantile of Student's
// distribution.
// Training sets that overlap make the differences correlated; 1/k alone would understate their variance. With
// test_per_train = n_test / n_train = 0 it is the ordinary paired t-test.
// One difference says nothing of its spread: p = 1 and an endless interval. Differences that are all the same give an
// interval of length 0, and p = 0, or 1 where all of them are 0.
// Nadeau and Bengio, Inference for the generalization error, Machine Learning 52:239-281, 2003.
MeanTest corrected_t_test(std::span<const double> differences, double test_per_train, double level = 0.95);

struct SignedRankTest {
  double w_plus = 0;     // sum of the ranks of the positive differences
  std::size_t used = 0;  // differences that are not 0
  double p = 1;          // two-sided
};

// Wilcoxon's signed-rank test. Zeros are dropped (Wilcoxon's own convention), equal absolute values share their mean
// rank; values closer than 1e-12 of the largest one are equal, since 0.83 - 0.80 and 0.53 - 0.50 differ in their last
// bits only. All 2^n signs are equally likely under the hypothesis:
//   n <= 25  p = min(1, 2 P(W <= min(w_plus, w_minus))), exact with ties too: the distribution of these very ranks;
//   n > 25   z = (w_plus - sum(r) / 2) / sqrt(sum(r^2) / 4) is taken as normal, without a continuity correction. The
//            sum over the shared ranks r is the usual variance n (n+1) (2n+1) / 24 - sum (t^3 - t) / 48 over ties of t.
// No differences left: p = 1.
// Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1:80-83, 1945.
SignedRankTest wilcoxon_signed_rank(std::span<const double> differences);

// Adjusted p values, in the order given: with p(1) <= ... <= p(m), p'(i) = max over j <= i of min(1, (m - j + 1) p(j)).
// Rejecting where p' <= a makes any false rejection among all m at most as likely as a, however they depend on each
// other. Holm, A simple sequentially rejective multiple test procedure, Scandinavian J. of Statistics 6:65-70, 1979.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace gcnh::study
