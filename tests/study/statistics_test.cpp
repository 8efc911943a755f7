// Against SciPy 1.10, hand cases and published examples.
#include "gcnh/study/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"

namespace gcnh::study {
namespace {

const std::vector<double> kTen = {0.031, 0.012, -0.004, 0.027, 0.019, 0.008, 0.041, -0.011, 0.023, 0.016};

double signed_rank_p(const std::vector<double>& differences) { return wilcoxon_signed_rank(differences).p; }

// p by its definition: the share of all signs whose smaller rank sum is at most the observed one.
double enumerated_p(const std::vector<double>& ranks, double w_plus) {
  double total = 0, at_most = 0;
  for (double r : ranks) total += r;
  const double observed = std::min(w_plus, total - w_plus);
  const std::size_t signs = std::size_t{1} << ranks.size();
  for (std::size_t s = 0; s < signs; ++s) {
    double plus = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) plus += (s >> i & 1) != 0 ? ranks[i] : 0;
    at_most += std::min(plus, total - plus) <= observed;
  }
  return at_most / static_cast<double>(signs);
}

TEST(SampleStd, DividesByOneLess) {
  EXPECT_DOUBLE_EQ(sample_std(std::vector{1.0, 2.0, 3.0, 4.0}), std::sqrt(5.0 / 3));
  EXPECT_NEAR(sample_std(kTen), 0.01576775894736542, 1e-15) << "numpy.std(d, ddof=1)";
  EXPECT_EQ(sample_std(std::vector{2.0, 2.0, 2.0}), 0);
  EXPECT_TRUE(std::isnan(sample_std(std::vector{2.0})));
}

// mean(d) -+ q * scipy.stats.sem(d), q the root of scipy.stats.t.sf(q, 9) = (1 - level) / 2 found by
// scipy.optimize.brentq: the quantile scipy.stats.t.ppf is right to eleven digits only.
TEST(CorrectedTTest, ItsIntervalAgreesWithSciPy) {
  const Interval usual = corrected_t_test(kTen, 0).interval, wide = corrected_t_test(kTen, 0, 0.99).interval;
  EXPECT_NEAR(usual.low, 0.004920424745321412, 1e-14);
  EXPECT_NEAR(usual.high, 0.027479575254678586, 1e-14);
  EXPECT_NEAR(wide.low, -4.340334768992288e-06, 1e-14);
  EXPECT_NEAR(wide.high, 0.032404340334768994, 1e-14);
}

// scipy.stats.ttest_1samp(d, 0)
TEST(CorrectedTTest, WithoutOverlapIsThePairedTTest) {
  const MeanTest test = corrected_t_test(kTen, 0);
  EXPECT_NEAR(test.mean, 0.0162, 1e-16);
  EXPECT_NEAR(test.p, 0.010013937264724276, 1e-13);
}

// e = std(d, ddof=1) * sqrt(1/10 + 456/1092); 2 * scipy.stats.t.sf(mean(d) / e, 9); mean(d) -+ q e with the q above
TEST(CorrectedTTest, WidensByTheShareOfTestNodes) {
  const MeanTest test = corrected_t_test(kTen, 456.0 / 1092);
  EXPECT_NEAR(test.p, 0.18703400921406857, 1e-13);
  EXPECT_NEAR(test.interval.low, -0.009461527461994607, 1e-14);
  EXPECT_NEAR(test.interval.high, 0.041861527461994605, 1e-14);
  EXPECT_TRUE(test.interval.contains(0));
}

TEST(CorrectedTTest, TurnsWithTheSign) {
  std::vector<double> turned = kTen;
  for (double& d : turned) d = -d;
  const MeanTest test = corrected_t_test(kTen, 0.4), other = corrected_t_test(turned, 0.4);
  EXPECT_DOUBLE_EQ(test.p, other.p);
  EXPECT_DOUBLE_EQ(test.interval.low, -other.interval.high);
}

TEST(CorrectedTTest, LimitingCases) {
  const MeanTest zeros = corrected_t_test(std::vector<double>(5, 0.0), 0.4);
  EXPECT_EQ(zeros.p, 1);
  EXPECT_TRUE(zeros.interval.contains(0));
  const MeanTest equal = corrected_t_test(std::vector<double>(10, 0.1), 0.4);
  EXPECT_EQ(equal.p, 0);
  EXPECT_EQ(equal.interval.low, 0.1) << "though the sum of ten 0.1 is not 1";
  EXPECT_EQ(equal.interval.high, 0.1);
  const MeanTest one = corrected_t_test(std::vector{0.3}, 0.4);
  EXPECT_EQ(one.p, 1);
  EXPECT_EQ(one.mean, 0.3);
  EXPECT_TRUE(one.interval.contains(-1e300) && one.interval.contains(1e300));
}

TEST(CorrectedTTest, RefusesWhatIsNoMeasurement) {
  EXPECT_THROW(corrected_t_test(std::vector<double>{}, 0.4), Error);
  EXPECT_THROW(corrected_t_test(std::vector<double>{1, NAN}, 0.4), Error);
  EXPECT_THROW(corrected_t_test(kTen, -0.1), Error);
  EXPECT_THROW(corrected_t_test(kTen, 0.4, 1), Error);
}

// scipy.stats.wilcoxon(d, mode='exact'); its statistic is the smaller of both sums, alternative='greater' tells W+.
TEST(Wilcoxon, AgreesWithSciPyWithoutTies) {
  const SignedRankTest ten = wilcoxon_signed_rank(kTen);
  EXPECT_EQ(ten.w_plus, 51);
  EXPECT_EQ(ten.used, 10u);
  EXPECT_EQ(ten.p, 0.013671875);
  std::vector<double> many;
  for (int i = 1; i <= 25; ++i) many.push_back(i % 3 == 0 ? -i : i);
  EXPECT_EQ(signed_rank_p(many), 0.14847958087921143) << "25: exact";
  many.push_back(26);
  EXPECT_NEAR(signed_rank_p(many), 0.08646199403769568, 1e-13) << "26: mode='approx', correction=False";
}

TEST(Wilcoxon, TiesStayExact) {
  const std::vector<double> d = {3, 3, -3, 1, 1, 0, 2, -1, 5, 0, 4, 4, -2};
  const SignedRankTest test = wilcoxon_signed_rank(d);
  EXPECT_EQ(test.used, 11u) << "zeros are dropped";
  EXPECT_EQ(test.w_plus, 52.5) << "scipy.stats.rankdata";
  EXPECT_EQ(test.p, 0.0947265625) << "all 2^11 signs enumerated in Python";
  EXPECT_EQ(test.p, enumerated_p({7, 7, 7, 2, 2, 4.5, 2, 11, 9.5, 9.5, 4.5}, 52.5));
  EXPECT_EQ(signed_rank_p({1, 1, 1, -1, 2, 2}), 0.15625);
  EXPECT_EQ(signed_rank_p({1, 1, 1, -1, 2, 2}), enumerated_p({2.5, 2.5, 2.5, 2.5, 5.5, 5.5}, 18.5));
}

// scipy.stats.wilcoxon(d, zero_method='wilcox', correction=False, mode='approx'), which corrects for ties.
TEST(Wilcoxon, ManyDifferencesWithTiesAreTakenAsNormal) {
  const SignedRankTest test = wilcoxon_signed_rank(
      std::vector<double>{3, 1,  6,  3, -1, 4, 10, 8,  -2, -6, -2, 2, -12, 1, -5, -2, -1, 0, 4, 8,
                          1, 10, -2, 4, 7,  3, -2, -4, -1, 3,  -4, 1, 1,   5, 3,  4,  -2, 1, 7, 11});
  EXPECT_EQ(test.w_plus, 540);
  EXPECT_EQ(test.used, 39u);
  EXPECT_NEAR(test.p, 0.0357914799248021, 1e-13);
}

TEST(Wilcoxon, LimitingCases) {
  EXPECT_EQ(signed_rank_p({0, 0, 0}), 1);
  EXPECT_EQ(wilcoxon_signed_rank(std::vector{0.0, 0.0}).used, 0u);
  EXPECT_EQ(signed_rank_p({0.3}), 1) << "both signs are as extreme";
  EXPECT_EQ(signed_rank_p({1, -1}), 1);
  for (int n : {5, 10, 25}) EXPECT_EQ(signed_rank_p(std::vector<double>(n, 0.2)), std::ldexp(2, -n)) << n;
  EXPECT_EQ(signed_rank_p({1, 2, 3, 4, -5}), signed_rank_p({-1, -2, -3, -4, 5}));
}

TEST(Wilcoxon, TheLastBitsOfADifferenceDoNotBreakTies) {
  ASSERT_NE(0.83 - 0.80, 0.53 - 0.50);
  EXPECT_EQ(signed_rank_p({0.83 - 0.80, 0.50 - 0.53, 0.63 - 0.60, 0.1, 0.2}), signed_rank_p({3, -3, 3, 10, 20}));
}

// Benjamini and Hochberg, J. R. Statist. Soc. B 57:289-300, 1995, section 3.2: fifteen p values, of which procedures
// that control the chance of any false rejection at 0.05 reject three.
TEST(Holm, RejectsThreeOfThePublishedFifteen) {
  const std::vector<double> p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<double> adjusted = holm_adjusted(p);
  EXPECT_EQ(std::count_if(adjusted.begin(), adjusted.end(), [](double a) { return a <= 0.05; }), 3);
  EXPECT_NEAR(adjusted[0], 0.0015, 1e-15);
  EXPECT_NEAR(adjusted[2], 13 * 0.0019, 1e-15);
  EXPECT_NEAR(adjusted[3], 12 * 0.0095, 1e-15);
  EXPECT_EQ(adjusted[14], 1);
}

// The example of the documentation of pingouin.holm.
TEST(Holm, KeepsTheOrderGivenAndNeverDecreases) {
  const std::vector<double> adjusted = holm_adjusted(std::vector{0.50, 0.003, 0.32, 0.054, 0.0003});
  const std::vector<double> expected = {0.64, 0.012, 0.64, 0.162, 0.0015};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-15) << i;
}

TEST(Holm, LimitingCases) {
  EXPECT_TRUE(holm_adjusted(std::vector<double>{}).empty());
  EXPECT_EQ(holm_adjusted(std::vector{0.02}), std::vector{0.02});
  EXPECT_EQ(holm_adjusted(std::vector{0.6, 0.6}), (std::vector{1.0, 1.0}));
  EXPECT_THROW(holm_adjusted(std::vector{1.2}), Error);
}

}  // namespace
}  // namespace gcnh::study
