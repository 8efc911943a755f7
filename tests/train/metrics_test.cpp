// Every metric against scikit-learn (tests/oracle/metrics.py), what is not defined, and how values are shown.
#include "gcnh/train/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "gcnh/io/file.h"
#include "gcnh/io/json.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

constexpr double kEqual = 1e-12;

Matrix log_probabilities_of(const json& rows) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < out.rows(); ++i)
    for (Index k = 0; k < out.cols(); ++k) out(i, k) = rows[i][k].get<Real>();
  return out;
}

// Equal, or not defined in both.
void expect_value(double found, const json& expected, const std::string& what) {
  const double value = number_or_nan(expected);
  EXPECT_TRUE(std::isnan(value) ? std::isnan(found) : std::abs(found - value) <= kEqual)
      << what << ": " << found << ", expected " << value;
}

TEST(Metrics, EqualScikitLearn) {
  const char* live = std::getenv("GCNH_METRICS");
  const json cases = json::parse(read_file(live ? live : GCNH_TEST_DATA "/metrics.json"));
  ASSERT_GE(cases.size(), 13u);
  for (const json& c : cases) {
    SCOPED_TRACE(c["name"]);
    const Matrix logp = log_probabilities_of(c["logp"]);
    const std::vector<int> labels = c["labels"];
    const Measures found = measure(logp, labels);
    ASSERT_EQ(c["expected"].size(), kNumMetrics);
    for (Metric metric : all_metrics()) {
      expect_value(found[metric], c["expected"][to_word(metric)], to_word(metric));
      expect_value(measure(metric, logp, labels), c["expected"][to_word(metric)], to_word(metric) + " alone");
    }
    const auto& [overall, classes] = measure_all(logp, labels);
    for (Metric metric : all_metrics())
      EXPECT_TRUE(overall[metric] == found[metric] || std::isnan(found[metric])) << to_word(metric);
    ASSERT_EQ(classes.size(), c["classes"].size());
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const json& expected = c["classes"][k];
      const std::string name = "class " + std::to_string(k);
      EXPECT_EQ(classes[k].support, expected["support"].get<Index>()) << name;
      EXPECT_EQ(classes[k].predicted, expected["predicted"].get<Index>()) << name;
      expect_value(classes[k].precision, expected["precision"], name + " precision");
      expect_value(classes[k].recall, expected["recall"], name + " recall");
      expect_value(classes[k].f1, expected["f1"], name + " f1");
      expect_value(classes[k].roc_auc, expected["roc_auc"], name + " roc_auc");
    }
  }
}

TEST(Metrics, ConfusionHasTheTrueClassesInItsRows) {
  Matrix logp(3, 2, -1);
  logp(0, 0) = logp(1, 1) = logp(2, 1) = 0;
  EXPECT_EQ(confusion(logp, std::vector<int>{0, 0, 1}), (std::vector<std::vector<Index>>{{1, 1}, {0, 1}}));
}

TEST(Metrics, WorstIsBelowAnythingElse) {
  Matrix wrong(2, 2, 0);
  wrong(0, 1) = wrong(1, 0) = -100;
  const std::vector<int> labels = {1, 0};
  const Measures found = measure(wrong, labels);
  for (Metric metric : all_metrics()) {
    EXPECT_GE(merit(metric, found[metric]), merit(metric, worst_value(metric))) << to_word(metric);
    EXPECT_LT(merit(metric, std::nan("")), merit(metric, worst_value(metric))) << to_word(metric);
  }
  EXPECT_EQ(found[Metric::mcc], worst_value(Metric::mcc));
  EXPECT_NEAR(found[Metric::log_loss], worst_value(Metric::log_loss), kEqual);
}

TEST(Metrics, AreShownInPercentWhereTheyAreShares) {
  EXPECT_EQ(value_text(Metric::roc_auc, 0.74514), "74.51");
  EXPECT_EQ(value_text(Metric::log_loss, 0.51449), "0.514");
  EXPECT_EQ(value_text(Metric::pr_auc, std::nan("")), "-");
  EXPECT_EQ(difference_text(Metric::roc_auc, 0.0514), "+5.14");
  EXPECT_EQ(difference_text(Metric::mcc, -0.012), "-0.012");
}

}  // namespace
}  // namespace gcnh::testing
