#include "gcnh/report/curves.h"

#include <gtest/gtest.h>

#include "gcnh/train/metrics.h"
#include "tests/report/made_up.h"

namespace gcnh::testing {
using namespace report;
namespace {

std::vector<std::pair<double, double>> pairs_of(const Curve& curve) {
  std::vector<std::pair<double, double>> out;
  for (const CurvePoint& p : curve) out.emplace_back(p.x, p.y);
  return out;
}
using Pairs = std::vector<std::pair<double, double>>;

// Two of four nodes are of the class; one of them shares its probability with another.
const TestAnswers kFour = made_up_answers({{.1, .9}, {.4, .6}, {.4, .6}, {.8, .2}}, {1, 1, 0, 0});

TEST(Curves, AreThoseOfAFewNodes) {
  EXPECT_EQ(pairs_of(roc_curve(kFour.logp, kFour.labels, 1)), (Pairs{{0, 0}, {0, .5}, {.5, 1}, {1, 1}}));
  EXPECT_EQ(pairs_of(pr_curve(kFour.logp, kFour.labels, 1)), (Pairs{{0, 1}, {.5, 1}, {.5, 2.0 / 3}, {1, 2.0 / 3}}));
}

TEST(Curves, AreasAreTheMetrics) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const TestAnswers two = random_answers(80, 2, seed);
    for (Index k : {0, 1})
      EXPECT_NEAR(area(roc_curve(two.logp, two.labels, k)), measure(Metric::roc_auc, two.logp, two.labels), 1e-12);
    const Index rarer = rarer_class(two.labels);
    EXPECT_NEAR(area(pr_curve(two.logp, two.labels, rarer)), measure(Metric::pr_auc, two.logp, two.labels), 1e-12);
    const TestAnswers five = random_answers(80, 5, seed);
    std::vector<Curve> roc, pr;
    for (Index k = 0; k < 5; ++k) {
      roc.push_back(roc_curve(five.logp, five.labels, k));
      pr.push_back(pr_curve(five.logp, five.labels, k));
    }
    EXPECT_NEAR(area(mean_curve(roc)), measure(Metric::roc_auc, five.logp, five.labels), 1e-12);
    EXPECT_NEAR(area(mean_curve(pr)), measure(Metric::pr_auc, five.logp, five.labels), 1e-12);
  }
}

TEST(Curves, AMeanHasTheMeanOfTheHeights) {
  const std::vector<Curve> curves = {{{0, 0}, {1, 1}}, {{0, 0}, {0, .5}, {.5, .5}, {.5, 1}, {1, 1}}};
  EXPECT_EQ(pairs_of(mean_curve(curves)), (Pairs{{0, 0.25}, {.5, .5}, {.5, .75}, {1, 1}}));
  EXPECT_TRUE(mean_curve({}).empty());
}

TEST(Curves, ThereIsNoneOfASingleClass) {
  const std::vector<int> labels = {1, 1, 1, 1};
  for (Index k : {0, 1}) {
    EXPECT_TRUE(roc_curve(kFour.logp, labels, k).empty());
    EXPECT_TRUE(pr_curve(kFour.logp, labels, k).empty());
  }
}

TEST(Curves, ThinOnesKeepTheirEnds) {
  Curve curve;
  for (int i = 0; i <= 1000; ++i) curve.push_back({i / 1000.0, i / 1000.0});
  const Curve few = thin(curve, 50);
  EXPECT_LE(few.size(), 51u);
  EXPECT_EQ(few.front().x, 0);
  EXPECT_EQ(few.back().x, 1);
  EXPECT_EQ(thin(curve, 2000).size(), curve.size());
}

}  // namespace
}  // namespace gcnh::testing
