// Temperatures, sets and decisions against what they are by their equations.
#include "gcnh/run/decision.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/base/random.h"
#include "gcnh/run/calibration.h"
#include "gcnh/run/decision_scores.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {
namespace {

// Random log-probabilities, and labels drawn from them after they were sharpened: true p = softmax(logp / t).
struct DrawnAnswers {
  Matrix logp;
  std::vector<int> labels;
};

Matrix normalised(Matrix m) { return joint_answers({m, m}); }

DrawnAnswers drawn_answers(Index nodes, Index classes, double t, std::uint64_t seed) {
  DrawnAnswers out{normalised(random_matrix(nodes, classes, Rng(seed).fork(0), -4, 4)), {}};
  const Matrix truth = calibrated(out.logp, t);
  for (Index i = 0; i < nodes; ++i) {
    double u = Rng(seed).fork(1).uniform(i);
    int label = 0;
    while (label + 1 < classes && (u -= std::exp(static_cast<double>(truth(i, label)))) > 0) ++label;
    out.labels.push_back(label);
  }
  return out;
}

TEST(Decision, TheTemperatureIsTheOneTheLabelsWereDrawnWith) {
  for (double t : {0.5, 1.0, 2.5}) {
    const DrawnAnswers a = drawn_answers(20'000, 4, t, 7);
    const Decision d = fit_decision(a.logp, a.labels, {});
    EXPECT_NEAR(d.temperature, t, 0.05 * t);
    const DecisionScores s = score_decision(d, a.logp, a.labels, {});
    EXPECT_LE(s.ece_after, 0.02);
    if (t != 1.0) {
      EXPECT_GT(s.ece_before, 2 * s.ece_after);
    }
  }
}

TEST(Decision, FewNodesThatAreAllRightDoNotMakeAnswersCertain) {
  const Matrix logp = normalised(matrix_of({{2, 0}, {2, 0}, {0, 2}}));
  const double t = fit_decision(logp, std::vector{0, 0, 1}, {}).temperature;
  EXPECT_GE(t, 1);
  EXPECT_LT(t, 2);
}

// Labels that the probabilities as they are have drawn: what a few nodes seem to say is chance and moves little.
TEST(Decision, FewNodesOfCalibratedAnswersMoveTheTemperatureLittle) {
  double mean = 0;
  int lower = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const DrawnAnswers a = drawn_answers(60, 4, 1, seed);
    const double t = fit_temperature(a.logp, a.labels);
    mean += std::abs(std::log(t)) / 50;
    lower += t < 1;
  }
  EXPECT_LE(mean, 0.3);
  EXPECT_LE(lower, 10) << "one and a half standard errors: 7 % of 50";
}

TEST(Decision, TheTemperatureMakesAnswersAboutAsSureAsTheyAreRight) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const DrawnAnswers a = drawn_answers(300, 4, 2.5, seed), others = drawn_answers(3000, 4, 2.5, seed + 100);
    const double t = fit_temperature(a.logp, a.labels);
    EXPECT_GT(t, 1.3) << seed;
    for (Metric metric : {Metric::ece, Metric::brier})
      EXPECT_LT(measure(metric, calibrated(others.logp, t), others.labels), measure(metric, others.logp, others.labels))
          << seed;
  }
}

TEST(Decision, OneNodeHasNoTemperature) {
  EXPECT_EQ(fit_temperature(normalised(matrix_of({{2, 0}})), std::vector{0}), 1);
  EXPECT_EQ(fit_temperature(normalised(matrix_of({{2, 0}})), std::vector{1}), 1);
}

TEST(Decision, ATemperatureOfOneChangesNoBit) {
  const Matrix logp = normalised(random_matrix(50, 3, Rng(3)));
  EXPECT_TRUE(calibrated(logp, 1) == logp);
  EXPECT_FALSE(calibrated(logp, 1.1) == logp);
}

TEST(Decision, MembersAnswerByTheMeanOfTheirLogits) {
  const Matrix a = random_matrix(6, 3, Rng(1), -3, 3), b = random_matrix(6, 3, Rng(2), -3, 3);
  Matrix shifted = b;  // as log-probabilities are logits less a number per row
  for (Index i = 0; i < b.rows(); ++i)
    for (Index k = 0; k < b.cols(); ++k) shifted(i, k) -= static_cast<Real>(i);
  const Matrix joint = joint_answers({a, shifted});
  for (Index i = 0; i < a.rows(); ++i) {
    double sum = 0;
    for (Index k = 0; k < a.cols(); ++k) sum += std::exp((static_cast<double>(a(i, k)) + b(i, k)) / 2);
    for (Index k = 0; k < a.cols(); ++k)
      EXPECT_NEAR(joint(i, k), (static_cast<double>(a(i, k)) + b(i, k)) / 2 - std::log(sum), 1e-5);
  }
  EXPECT_TRUE(joint_answers({a}) == a) << "a single member's answers are its own";
}

TEST(Decision, TheBoundOfASetIsTheRankThatTheLevelAsksFor) {
  Decision d;
  for (int i = 1; i <= 9; ++i) d.scores.push_back(Real(0.1) * static_cast<Real>(i));
  EXPECT_EQ(set_bound(d, 0.9), static_cast<double>(d.scores[8]));  // ceil(10 * 0.9) = 9
  EXPECT_EQ(set_bound(d, 0.5), static_cast<double>(d.scores[4]));
  EXPECT_EQ(set_bound(d, 0.51), static_cast<double>(d.scores[5]));
  EXPECT_GT(set_bound(d, 0.95), 1) << "nine nodes cannot promise it: every class is in the set";
  const Matrix logp = normalised(matrix_of({{std::log(0.7), std::log(0.25), std::log(0.05)}}));
  EXPECT_EQ(set_of(set_bound(d, 0.5), logp, 0), std::vector{0});
  EXPECT_EQ(set_of(0.76, logp, 0), (std::vector{0, 1}));
  EXPECT_EQ(set_of(set_bound(d, 0.95), logp, 0), (std::vector{0, 1, 2}));
  EXPECT_TRUE(set_of(0.2, logp, 0).empty());
}

// Of n nodes and one more, exchangeable, the set misses with probability at most 1 - level, and not much less. Over 40
// draws of 400 nodes to fit and 1000 to measure the mean is 0.9 to within 5 of its deviations.
TEST(Decision, SetsCoverWhatTheyPromise) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const DrawnAnswers fit = drawn_answers(400, 5, 1.7, 100 + seed), other = drawn_answers(1000, 5, 1.7, 200 + seed);
    sum += score_decision(fit_decision(fit.logp, fit.labels, {}), other.logp, other.labels, {}).coverage / 40;
  }
  const double deviation = std::sqrt(0.9 * 0.1 * (1.0 / 400 + 1.0 / 1000) / 40);
  EXPECT_NEAR(sum, 0.9, 5 * deviation);
}

TEST(Decision, TheAnswerIsTheOneThatCostsLeast) {
  Decision d;
  const Matrix logp = normalised(matrix_of({{std::log(0.9), std::log(0.1)}, {std::log(0.97), std::log(0.03)}}));
  EXPECT_EQ(decide(d, logp, 0), 0);
  d.costs = matrix_of({{0, 1}, {20, 0}});  // missing the second class costs twenty false alarms
  EXPECT_EQ(decide(d, logp, 0), 1);        // 0.1 * 20 > 0.9 * 1
  EXPECT_EQ(decide(d, logp, 1), 0);        // 0.03 * 20 < 0.97 * 1
  d.weights = {1, 2};
  EXPECT_EQ(decide(d, logp, 1), 1);
}

TEST(Decision, WeightsRaiseTheMetricTheyAreFittedFor) {
  DrawnAnswers a = drawn_answers(4000, 3, 1, 5);
  for (Index i = 0; i < a.logp.rows(); ++i) a.logp(i, 2) -= 2;  // a model that shuns the third class
  a.logp = normalised(a.logp);
  for (Metric metric : {Metric::balanced_accuracy, Metric::macro_f1, Metric::mcc}) {
    Aims aims;
    aims.metric = metric;
    const DecisionScores s = score_decision(fit_decision(a.logp, a.labels, aims), a.logp, a.labels, aims);
    EXPECT_EQ(s.aim, to_word(metric));
    EXPECT_GT(s.after, s.before + 0.05) << s.aim;
  }
  Aims costs;
  costs.costs = matrix_of({{0, 1, 1}, {1, 0, 1}, {10, 10, 0}});
  const DecisionScores s = score_decision(fit_decision(a.logp, a.labels, costs), a.logp, a.labels, costs);
  EXPECT_EQ(s.aim, "cost");
  EXPECT_LT(s.after, 0.8 * s.before);
}

TEST(Decision, WhatNothingFittedIsRefused) {
  Decision good;
  good.scores = {0, Real(0.5), 1};
  check_decision(good, 2, "m");
  const auto refused = [&](const std::string& word, const std::function<void(Decision&)>& change) {
    Decision d = good;
    change(d);
    try {
      check_decision(d, 2, "m");
      ADD_FAILURE() << word;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  refused("temperature", [](Decision& d) { d.temperature = 0; });
  refused("temperature", [](Decision& d) { d.temperature = NAN; });
  refused("level", [](Decision& d) { d.level = 1; });
  refused("scores", [](Decision& d) { d.scores = {1, 0}; });
  refused("scores", [](Decision& d) { d.scores = {0, 2}; });
  refused("costs of 3 x 3", [](Decision& d) { d.costs = Matrix(3, 3); });
  refused("weights of 1", [](Decision& d) { d.weights = {1}; });
  refused("weight of 0", [](Decision& d) { d.weights = {1, 0}; });
}

TEST(Decision, OfTwoClassesTheAnswersTurnAtTheThreshold) {
  Decision d;
  d.costs = matrix_of({{0, 1}, {25, 0}});
  d.weights = {1, 7};
  const double from = threshold(d).value();
  EXPECT_NEAR(from, 1.0 / (1 + 7 * 25), 1e-12);
  for (double p : {from / 1.01, from * 1.01}) {
    const Matrix logp = normalised(matrix_of({{std::log(1 - p), std::log(p)}}));
    EXPECT_EQ(decide(d, logp, 0), p > from ? 1 : 0) << p;
  }
  d.costs = matrix_of({{0, 0}, {25, 0}});
  EXPECT_FALSE(threshold(d)) << "nothing speaks against the second";
}

TEST(Decision, SureAnswersAskForAHigherLevel) {
  Decision d;
  for (int i = 0; i < 200; ++i) d.scores.push_back(i < 196 ? Real(0.001) : Real(0.8));  // 98 % of 200 are right
  EXPECT_EQ(share_of_sure(d), 0.98);
  const Matrix logp = normalised(matrix_of({{std::log(0.99), std::log(0.01)}}));
  EXPECT_TRUE(set_of(set_bound(d, 0.9), logp, 0).empty()) << "sure, and not sure enough";
  EXPECT_EQ(level_above(0.98, 200), 0.99);
  EXPECT_EQ(set_of(set_bound(d, 0.99), logp, 0), std::vector{0});
  EXPECT_FALSE(level_above(0.98, 50)) << "fifty nodes cannot promise it";
}

TEST(Decision, CoverageIsToldByClass) {
  Decision d;
  d.scores = {Real(0.1), Real(0.2), Real(0.3)};
  d.level = 0.5;  // sets hold what has a probability of 0.8
  const Matrix logp = normalised(matrix_of({{std::log(0.9), std::log(0.06), std::log(0.04)},
                                            {std::log(0.7), std::log(0.2), std::log(0.1)},
                                            {std::log(0.05), std::log(0.9), std::log(0.05)}}));
  const DecisionScores s = score_decision(d, logp, std::vector{0, 0, 1}, {});
  ASSERT_EQ(s.class_coverage.size(), 3u);
  EXPECT_EQ(s.class_coverage[0], 0.5);
  EXPECT_EQ(s.class_coverage[1], 1);
  EXPECT_TRUE(std::isnan(s.class_coverage[2]));
  const DecisionScores other = score_decision(d, logp, std::vector{0, 1, 1}, {});
  EXPECT_EQ(mean_scores(std::vector{s, other}).class_coverage[0], 0.75);
}

// The order of rows changes the last digits of an ensemble's scores.
TEST(Decision, ScoresAtTheBoundUpToRoundingAreInTheSet) {
  const Matrix logp = normalised(matrix_of({{std::log(0.7), std::log(0.3)}}));
  const double score = 1 - std::exp(static_cast<double>(logp(0, 1)));
  EXPECT_TRUE(is_in_set(score + 3e-7, logp, 0, 1));
  EXPECT_TRUE(is_in_set(score - 3e-7, logp, 0, 1));
  EXPECT_FALSE(is_in_set(score - 1e-5, logp, 0, 1));
}

TEST(Decision, MeansHaveTheLevelThatAllHave) {
  DecisionScores s;
  s.temperature = 1;
  s.level = 0.9;
  EXPECT_EQ(mean_scores(std::vector<DecisionScores>(10, s)).level, 0.9);
}

}  // namespace
}  // namespace gcnh::testing
