#include "gcnh/study/comparison.h"

#include <gtest/gtest.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "gcnh/base/error.h"

namespace gcnh::study {
namespace {

using nlohmann::json;

// Test accuracies around a mean, validation the same on every split.
Contender model(const std::string& name, double val, double test, const std::vector<double>& noise) {
  static std::deque<std::vector<SplitOutcome>> owned;  // what contenders refer to
  std::vector<SplitOutcome>& splits = owned.emplace_back(noise.size());
  for (std::size_t i = 0; i < noise.size(); ++i) {
    splits[i].best.score.accuracy = val;
    splits[i].test_accuracy = test + noise[i];
  }
  return {name, splits, 0.5, sees_graph(name)};
}

const std::vector<double> kNone(6, 0.0), kSmall = {0.01, -0.01, 0.02, -0.02, 0.005, -0.005}, kOther = {-0.02, 0.01,
                                                                                                       0.01,  0.02,
                                                                                                       -0.01, -0.01};

TEST(Comparison, TheCallerMayChooseTheReference) {
  const std::vector<Contender> models = {model("a", 0.7, 0.9, kNone), model("b", 0.8, 0.6, kSmall),
                                         model("c", 0.9, 0.5, kOther)};
  const Comparison c = compare_models(models, 1);
  EXPECT_EQ(c.reference, 1u);
  EXPECT_EQ(c.rival, 2u);
  ASSERT_EQ(c.others.size(), 2u);
  EXPECT_NEAR(c.others[0].test.mean, -0.3, 1e-12);
  EXPECT_EQ(c.others[1].second, 2u);
}

TEST(Comparison, ValidationChoosesTheReference) {
  const std::vector<Contender> models = {model("a", 0.7, 0.9, kNone), model("b", 0.8, 0.6, kSmall),
                                         model("c", 0.8, 0.5, kOther), model("d", 0.75, 0.7, kNone)};
  const Comparison c = compare_models(models);
  EXPECT_EQ(c.reference, 1u) << "the first of equals, though a has the best test accuracy";
  EXPECT_EQ(c.rival, 2u);
  ASSERT_EQ(c.others.size(), 3u);
  EXPECT_EQ(c.others[0].second, 0u);
  EXPECT_EQ(c.others[2].second, 3u);
  for (const PairedDifference& d : c.others) EXPECT_EQ(d.first, 1u);
  EXPECT_NEAR(c.others[0].test.mean, -0.3, 1e-12);
  EXPECT_NEAR(c.others[1].test.mean, 0.1, 1e-12);
}

TEST(Comparison, TestsThePairedDifferences) {
  const std::vector<Contender> models = {model("a", 0.9, 0.8, kSmall), model("b", 0.8, 0.77, kOther),
                                         model("c", 0.7, 0.5, kNone)};
  const Comparison c = compare_models(models);
  std::vector<double> differences, p;
  for (std::size_t i = 0; i < kSmall.size(); ++i) differences.push_back(0.8 + kSmall[i] - (0.77 + kOther[i]));
  const MeanTest expected = corrected_t_test(differences, 0.5);
  EXPECT_EQ(c.others[0].test.p, expected.p);
  EXPECT_EQ(c.others[0].test.interval.low, expected.interval.low);
  EXPECT_EQ(c.others[0].p_wilcoxon, wilcoxon_signed_rank(differences).p);
  for (const PairedDifference& d : c.others) p.push_back(d.test.p);
  const std::vector<double> adjusted = holm_adjusted(p);
  EXPECT_EQ(c.others[0].p_holm, adjusted[0]);
  EXPECT_EQ(c.others[1].p_holm, adjusted[1]);
  EXPECT_EQ(c.others[1].p_holm, 2 * p[1]) << "the smaller of two p values counts twice";
}

TEST(Comparison, TheMainDifferenceIsWhatTheGraphBrings) {
  const std::vector<Contender> models = {model("mlp", 0.9, 0.8, kSmall), model("b", 0.7, 0.77, kOther),
                                         model("c", 0.8, 0.5, kOther)};
  const Comparison c = compare_models(models);
  const PairedDifference turned = main_difference(c);
  EXPECT_EQ(c.blind, 0u);
  EXPECT_EQ(turned.first, 2u) << "the best of the others on validation";
  EXPECT_EQ(turned.second, 0u);
  EXPECT_EQ(turned.test.mean, -c.others[1].test.mean);
  EXPECT_EQ(turned.test.interval.low, -c.others[1].test.interval.high);
  EXPECT_EQ(turned.p_holm, c.others[1].p_holm);
  EXPECT_EQ(finding(c, turned), Finding::worse);
  const Comparison d = compare_models(models, 1);
  EXPECT_EQ(d.blind, 0u);
  EXPECT_EQ(main_difference(d).first, 1u);
  EXPECT_EQ(main_difference(d).test.mean, d.others[0].test.mean);
}

TEST(Comparison, OnlyOneThatSeesTheGraphAndOneThatDoesNotTellWhatItBrings) {
  const Contender first = model("mlp", 0.9, 0.8, kSmall), second = model("mlp", 0.85, 0.7, kOther),
                  gcn = model("gcn", 0.7, 0.6, kNone);
  const Comparison blind = compare_models(std::vector<Contender>{first, second});
  EXPECT_FALSE(blind.blind);
  EXPECT_EQ(main_difference(blind).second, 1u);
  EXPECT_EQ(verdict(blind).find("graph"), std::string::npos) << verdict(blind);
  const Comparison both = compare_models(std::vector<Contender>{gcn, first, second});
  EXPECT_EQ(both.blind, 1u);
  EXPECT_EQ(main_difference(both).first, 0u) << "not the other mlp, which validation prefers";
  EXPECT_NE(verdict(both).find("graph hurts: gcn - mlp"), std::string::npos) << verdict(both);
}

TEST(Comparison, FindsOnlyWhatTheSplitsShow) {
  const auto found = [](double lead, const std::vector<double>& noise, int more_models = 0) {
    std::vector<Contender> models = {model("a", 0.9, 0.5 + lead, noise),
                                     model("b", 0.8, 0.5, std::vector<double>(noise.size(), 0.0))};
    for (int i = 0; i < more_models; ++i) models.push_back(models[1]);
    const Comparison c = compare_models(models);
    return finding(c, c.others[0]);
  };
  EXPECT_EQ(found(0.1, kSmall), Finding::better);
  EXPECT_EQ(found(-0.1, kSmall), Finding::worse);
  EXPECT_EQ(found(0.001, kSmall), Finding::interval_contains_zero);
  EXPECT_EQ(found(0, kNone), Finding::interval_contains_zero) << "the same answers everywhere";
  EXPECT_EQ(found(0.04, kSmall), Finding::better);
  EXPECT_EQ(found(0.04, kSmall, 8), Finding::lost_to_holm) << "nine chances to find something";
  EXPECT_EQ(found(0.1, {0.01, 0, -0.01, 0}), Finding::too_few_splits);
}

// The same values as log-losses.
Contender model_with_losses(const std::string& name, double val, double test, const std::vector<double>& noise) {
  static std::deque<std::vector<SplitOutcome>> owned;
  std::vector<SplitOutcome>& splits = owned.emplace_back(noise.size());
  for (std::size_t i = 0; i < noise.size(); ++i) {
    splits[i].best.epoch = 1;
    splits[i].test_accuracy = 0.5;
    splits[i].val.emplace()[Metric::log_loss] = val;
    splits[i].test.emplace()[Metric::log_loss] = test + noise[i];
  }
  return {name, splits, 0.5, sees_graph(name)};
}

TEST(Comparison, LowerIsBetterWhereTheMetricSaysSo) {
  const std::vector<Contender> models = {model_with_losses("mlp", 0.6, 0.7, kNone),
                                         model_with_losses("gcn", 0.4, 0.5, kSmall)};
  const Comparison c = compare_models(models, {}, Metric::log_loss);
  EXPECT_EQ(c.reference, 1u) << "the lowest validation loss";
  EXPECT_NEAR(c.others[0].test.mean, -0.2, 1e-12);
  EXPECT_EQ(finding(c, c.others[0]), Finding::better);
  EXPECT_EQ(verdict(c).substr(0, 47), "graph helps: gcn - mlp = -0.200 in log-loss (95") << verdict(c);
  EXPECT_EQ(finding(compare_models(models, 0, Metric::log_loss), compare_models(models, 0, Metric::log_loss).others[0]),
            Finding::worse);
}

TEST(Comparison, RefusesModelsOnDifferentSplits) {
  EXPECT_THROW(compare_models(std::vector<Contender>{}), Error);
  const std::vector<Contender> uneven = {model("a", 0.9, 0.8, kSmall), model("b", 0.9, 0.8, {0, 0})};
  EXPECT_THROW(compare_models(uneven), Error);
  const std::vector<Contender> alone = {model("a", 0.9, 0.8, kSmall)};
  EXPECT_TRUE(compare_models(alone).others.empty());
  EXPECT_THROW(main_difference(compare_models(alone)), Error);
}

TEST(Comparison, ContendersCountNodesOfTheSplitsThatRan) {
  Dataset dataset;
  dataset.splits = {{{0}, {1}, {2, 3, 4}}, {{0, 1, 2, 3}, {4}, {5}}, {{0, 1}, {2}, {3, 4}}};
  RunResult result;
  for (int split : {1, 2}) {
    result.splits.push_back({});
    result.splits.back().split = split;
    result.splits.back().test_accuracy = 0.1 * split;
    result.splits.back().best.score.accuracy = 0.2 * split;
  }
  Experiment experiment;
  experiment.dataset = std::make_shared<const Dataset>(dataset);
  experiment.model = "gcn";
  experiment.splits = {1, 2};
  const Contender c = contender(experiment, result);
  EXPECT_EQ(c.name, "gcn");
  EXPECT_EQ(test_accuracies(c.splits), (std::vector{0.1, 0.2}));
  EXPECT_EQ(val_accuracies(c.splits), (std::vector{0.2, 0.4}));
  EXPECT_EQ(c.test_per_train, 0.5) << "3 test nodes, 6 training nodes";
}

TEST(Comparison, JsonAddsAKeyToAllRunsButTheReference) {
  std::vector<Contender> models = {model("a", 0.7, 0.7, kOther), model("b", 0.8, 0.8, kSmall)};
  std::vector<ComparedRun> runs(2);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].experiment.dataset = std::make_shared<const Dataset>();
    runs[i].result.splits.assign(models[i].splits.begin(), models[i].splits.end());
  }
  const Comparison c = compare_models(models);
  runs[0].search = R"({"test_reads": 2})";
  const json out = json::parse(comparison_json(runs, c, {"one", "two"}));
  EXPECT_EQ(out[1]["verdict"], json::parse(R"(["one", "two"])"));
  EXPECT_FALSE(out[0].contains("verdict"));
  EXPECT_EQ(out[0]["test_reads"], 8) << "six splits, and two that a search had read";
  EXPECT_EQ(out[1]["test_reads"], 6);
  EXPECT_FALSE(out[1].contains("search"));
  EXPECT_EQ(out[1]["floor"], false);
  EXPECT_FALSE(out[1].contains("comparison"));
  const json& entry = out[0]["comparison"];
  EXPECT_EQ(out[0]["splits"].size(), 6u);
  EXPECT_EQ(entry["reference"], "b");
  EXPECT_EQ(entry["pairs"], 6);
  EXPECT_EQ(entry["test_per_train"], 0.5);
  EXPECT_EQ(entry["reference_minus_model"]["mean"], c.others[0].test.mean);
  EXPECT_EQ(entry["reference_minus_model"]["low"], c.others[0].test.interval.low);
  EXPECT_EQ(entry["reference_minus_model"]["high"], c.others[0].test.interval.high);
  EXPECT_EQ(entry["p_corrected_t"], c.others[0].test.p);
  EXPECT_EQ(entry["p_holm"], c.others[0].p_holm);
  EXPECT_EQ(entry["p_wilcoxon"], c.others[0].p_wilcoxon);

  for (Contender& m : models) m.splits = m.splits.first(4);
  const json few = json::parse(comparison_json(runs, compare_models(models), {}))[0]["comparison"];
  EXPECT_TRUE(few["reference_minus_model"]["mean"].is_number());
  for (const char* key : {"p_corrected_t", "p_holm", "p_wilcoxon"}) EXPECT_TRUE(few[key].is_null()) << key;
  EXPECT_TRUE(few["reference_minus_model"]["low"].is_null());
}

}  // namespace
}  // namespace gcnh::study
