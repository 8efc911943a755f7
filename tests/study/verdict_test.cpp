// The sentences under a comparison: each where it is true, and nowhere else.
#include <gtest/gtest.h>

#include <deque>

#include "gcnh/graph/splits.h"
#include "gcnh/graph/synthetic.h"
#include "gcnh/run/runner.h"
#include "gcnh/study/comparison.h"

namespace gcnh::study {
namespace {

// Validation and test accuracies around a mean; splits whose best epoch is the third of ten.
Contender made_up_model(const std::string& name, double mean, bool sees_graph, bool is_floor, int splits = 10) {
  static std::deque<std::vector<SplitOutcome>> owned;  // what contenders refer to
  std::vector<SplitOutcome>& out = owned.emplace_back(splits);
  for (int i = 0; i < splits; ++i) {
    const double noise = 0.01 * ((i * 7 + static_cast<int>(name.size())) % 5 - 2);
    out[i].split = i;
    out[i].parameters = is_floor && name != "logreg" ? 0 : 10;
    out[i].epochs = 10;
    out[i].best = {3, {0.5, mean, mean}};
    out[i].test_accuracy = mean + noise;
  }
  return {name, out, 0.4, sees_graph, is_floor};
}

std::vector<std::string> sentences_of(const std::vector<Contender>& models) {
  const Comparison c = compare_models(models);
  std::vector<std::string> out = caveats(c, models);
  if (const std::string first = verdict(c); !first.empty()) out.insert(out.begin(), first);
  return out;
}

int count_starting(const std::vector<std::string>& sentences, const std::string& text) {
  return static_cast<int>(
      std::count_if(sentences.begin(), sentences.end(), [&](const std::string& s) { return s.starts_with(text); }));
}

TEST(Verdict, SaysWhenTheBestModelDoesNotBeatAFloor) {
  const auto with_floor = [](double floor, int splits = 10) {
    return sentences_of(
        {made_up_model("gcn", 0.8, true, false, splits), made_up_model("mlp", 0.6, false, false, splits),
         made_up_model("majority", 0.3, false, true, splits), made_up_model("logreg", floor, false, true, splits)});
  };
  EXPECT_EQ(count_starting(with_floor(0.9), "a floor beats the best model: gcn - logreg, see above"), 1);
  EXPECT_EQ(count_starting(with_floor(0.8), "the best model is not shown to beat a floor: gcn - logreg, see above"), 1);
  EXPECT_EQ(with_floor(0.5).size(), 1u) << with_floor(0.5)[1];
  EXPECT_EQ(count_starting(with_floor(0.5), "graph helps: gcn - mlp"), 1);
  EXPECT_EQ(count_starting(with_floor(0.9, 3), "the best model is not above a floor: gcn - logreg, see above"), 1);
  EXPECT_EQ(count_starting(with_floor(0.5, 3), "the best model"), 0);
}

TEST(Verdict, WhatAFloorReachesWithoutTheGraphIsNoMeritOfTheGraph) {
  const auto first_sentence = [](const std::string& other, bool sees_graph, double floor) {
    return sentences_of({made_up_model("gcn", 0.8, true, false), made_up_model(other, 0.6, sees_graph, false),
                         made_up_model("logreg", floor, false, true)})[0];
  };
  EXPECT_TRUE(first_sentence("mlp", false, 0.7).starts_with("graph helps: gcn - logreg = +"));
  EXPECT_TRUE(first_sentence("mlp", false, 0.9).starts_with("graph hurts: gcn - logreg = -"));
  EXPECT_TRUE(first_sentence("gat", true, 0.7).starts_with("gcn is better than gat: ")) << "nobody asked for the graph";
  const std::vector<Contender> one = {made_up_model("gcn", 0.8, true, false),
                                      made_up_model("logreg", 0.7, false, true)};
  EXPECT_TRUE(sentences_of(one)[0].starts_with("graph helps: gcn - logreg = +"));
}

TEST(Verdict, FloorsBelowTheModelsChangeNothing) {
  const std::vector<Contender> models = {made_up_model("gcn", 0.7, true, false),
                                         made_up_model("mlp", 0.68, false, false)};
  std::vector<Contender> more = models;
  more.push_back(made_up_model("labelprop", 0.9, true, true));
  more.push_back(made_up_model("majority", 0.1, false, true));
  const Comparison without = compare_models(models), with = compare_models(more);
  EXPECT_EQ(verdict(with), verdict(without));
  EXPECT_EQ(with.reference, 0u);
  EXPECT_EQ(with.floor, 2u);
  EXPECT_FALSE(without.floor);
  EXPECT_EQ(with.others.size(), 3u);
  EXPECT_EQ(with.others[0].p_holm, without.others[0].p_holm);
  EXPECT_EQ(with.others[1].p_holm, with.others[1].test.p);
  const Comparison floors_alone = compare_models(std::vector<Contender>{more[2], more[3]});
  EXPECT_EQ(floors_alone.reference, 0u);
  EXPECT_FALSE(floors_alone.floor);
}

TEST(Verdict, SaysWhichModelsTheGraphHurts) {
  const std::vector<std::string> said =
      sentences_of({made_up_model("gcnh", 0.799, true, false), made_up_model("gcn", 0.5, true, false),
                    made_up_model("mlp", 0.8, false, false)});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_TRUE(said[0].starts_with("not shown whether the graph helps: gcnh - mlp")) << said[0];
  EXPECT_TRUE(said[1].starts_with("the graph hurts gcn: mlp - gcn = +")) << said[1];
  const std::vector<std::string> rival =
      sentences_of({made_up_model("gcn", 0.5, true, false), made_up_model("mlp", 0.8, false, false)});
  ASSERT_EQ(rival.size(), 1u);
  EXPECT_TRUE(rival[0].starts_with("graph hurts: gcn - mlp = -")) << rival[0];
}

TEST(Verdict, SaysWhenTrainingEndedTooEarly) {
  std::vector<Contender> models = {made_up_model("gcn", 0.8, true, false), made_up_model("mlp", 0.6, false, false),
                                   made_up_model("majority", 0.2, false, true)};
  std::vector<SplitOutcome> longer(models[1].splits.begin(), models[1].splits.end()), floor(longer);
  for (std::size_t i : {2u, 5u}) longer[i].best.epoch = longer[i].epochs;
  for (SplitOutcome& s : floor) s.best.epoch = s.epochs, s.parameters = 0, s.test_accuracy = 0.2;
  models[1].splits = longer;
  models[2].splits = floor;
  EXPECT_EQ(caveats(compare_models(models), models),
            std::vector<std::string>{
                "the best epoch was the last one allowed, more `epochs` may help: mlp on 2 of 10 splits"});
}

TEST(Verdict, NamesClassesThatTheWinnerNeverPredicts) {
  std::vector<Contender> models = {made_up_model("gcn", 0.8, true, false), made_up_model("mlp", 0.6, false, false)};
  models[1].never_predicted = {"'c'"};
  EXPECT_TRUE(caveats(compare_models(models), models).empty()) << "mlp is not the winner";
  models[0].never_predicted = {"'a'"};
  EXPECT_EQ(caveats(compare_models(models), models), std::vector<std::string>{"gcn never predicts class 'a'"});
  models[0].never_predicted = {"'a'", "'b'", "'c'", "'d'", "'e'", "'f'", "'g'"};
  EXPECT_EQ(caveats(compare_models(models), models),
            std::vector<std::string>{"gcn never predicts classes 'a', 'b', 'c', 'd', 'e' and 2 more"});
}

TEST(Verdict, NamesClassesOfWhichTheWinnerFindsFew) {
  std::vector<Contender> models = {made_up_model("gcn", 0.8, true, false), made_up_model("mlp", 0.6, false, false)};
  models[0].rarely_found = {"'bot' (2 of 220)"};
  EXPECT_EQ(
      caveats(compare_models(models), models),
      std::vector<std::string>{"gcn finds less than a tenth of class 'bot' (2 of 220) over 10 splits; `class_weights` "
                               "balanced or `decide` macro_f1 may find more"});
}

TEST(Verdict, ProposesForSuchClassesWhatWasNotTried) {
  std::vector<Contender> models = {made_up_model("gcn", 0.8, true, false), made_up_model("mlp", 0.6, false, false)};
  models[0].rarely_found = {"'bot' (2 of 220)"};
  const std::string found = "gcn finds less than a tenth of class 'bot' (2 of 220) over 10 splits";
  const auto sentence = [&] { return caveats(compare_models(models), models).at(0); };
  models[0].weighs_classes = true;
  EXPECT_EQ(sentence(), found + "; `decide` macro_f1 may find more");
  models[0].has_aim = true;
  EXPECT_EQ(sentence(), found);
  models[0].weighs_classes = false;
  EXPECT_EQ(sentence(), found + "; `class_weights` balanced may find more");
}

TEST(Verdict, AContenderKnowsItsUnpredictedClasses) {
  Dataset dataset;
  dataset.classes = {"x", "y", "z"};
  dataset.splits = {{{0}, {1}, {2}}, {{1}, {2}, {0}}};
  RunResult result;
  for (int split : {0, 1}) {
    SplitOutcome& s = result.splits.emplace_back();
    s.split = split;
    s.test_accuracy = 0.5;
    s.test_classes.resize(3);
    s.test_classes[0] = {.support = 20, .predicted = 3 * split, .recall = 0.05};
    s.test_classes[1] = {.support = split, .predicted = 0};
  }
  Experiment experiment;
  experiment.dataset = std::make_shared<const Dataset>(dataset);
  experiment.splits = {0, 1};
  EXPECT_EQ(contender(experiment, result).never_predicted, std::vector<std::string>{"'y'"})
      << "x is predicted, z is no test node's";
  EXPECT_EQ(contender(experiment, result).rarely_found, std::vector<std::string>{"'x' (2 of 40)"});
  EXPECT_FALSE(contender(experiment, result).weighs_classes || contender(experiment, result).has_aim);
  experiment.train.class_weights = "balanced";
  experiment.aims.metric = Metric::macro_f1;
  EXPECT_TRUE(contender(experiment, result).weighs_classes && contender(experiment, result).has_aim);
}

TEST(Verdict, SaysThatASingleModelHasTooFewSplits) {
  EXPECT_EQ(sentences_of({made_up_model("gcn", 0.8, true, false, 3)}),
            std::vector<std::string>{"too few splits for a test, 5 are needed"});
  EXPECT_TRUE(sentences_of({made_up_model("gcn", 0.8, true, false)}).empty());
}

// A model against itself under another seed, 200 times, each time on other splits: a claim is false, and at the level
// of 5 % there may be ten.
TEST(Verdict, ClaimsNoMoreDifferencesThanItsLevelWhereThereAreNone) {
  SyntheticOptions options;
  options.nodes = 100;
  options.features = 40;
  options.words = 5;
  gcnh::Setup setup;
  setup.model = "mlp";
  setup.options = {{"hidden", "3"}, {"epochs", "12"}, {"lr", "0.05"}};
  Experiment e = prepare(setup, make_synthetic(options));
  int claims = 0, different = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Dataset d = *e.dataset;
    d.splits = stratified_splits(d.labels, d.num_classes(), 0.48, 0.32, 10, Rng(900 + i));
    e.dataset = std::make_shared<const Dataset>(std::move(d));
    e.seed = 2 * i + 1;
    const RunResult first = run(e);
    e.seed = 2 * i + 2;
    const RunResult second = run(e);
    const std::vector<Contender> pair = {contender(e, first), contender(e, second)};
    const Comparison c = compare_models(pair);
    const Finding found = finding(c, main_difference(c));
    claims += found == Finding::better || found == Finding::worse;
    different += main_difference(c).test.mean != 0;
  }
  EXPECT_GT(different, 150) << "else this shows nothing";
  EXPECT_LE(claims, 10);
  RecordProperty("claims", claims);
}

}  // namespace
}  // namespace gcnh::study
