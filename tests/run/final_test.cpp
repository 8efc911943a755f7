// Final models: which one is taken, what it answers, and that its file says all of it.
#include "gcnh/run/final.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gcnh/base/error.h"
#include "gcnh/graph/synthetic.h"
#include "gcnh/run/predict.h"
#include "tests/support/temp_dir.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

Tables small_tables(Index nodes = 200) {
  SyntheticOptions options;
  options.nodes = nodes;
  options.features = 60;
  Tables out = make_synthetic(options);
  out.splits.clear();
  return out;
}

Experiment small_run(int threads = 2) {
  gcnh::Setup setup;
  setup.num_splits = 4;
  setup.threads = threads;
  setup.options = {{"epochs", "15"}, {"hidden", "16"}};
  return prepare(setup, small_tables());
}

std::vector<Index> some_nodes() { return {3, 0, 150, 77}; }

Matrix answers_for(const TrainedModel& model, Tables tables = small_tables()) {
  return predict(model, fit_to_model(model, std::move(tables)), some_nodes());
}

TEST(Final, ARefitIsTrainedOnAllLabelsAndAnEnsembleHasAllNetworks) {
  const Experiment e = small_run();
  const RunResult result = run(e);
  const FinalModel refit = make_final(e, result, FinalChoice::refit),
                   both = make_final(e, result, FinalChoice::automatic),
                   ensemble = make_final(e, result, FinalChoice::ensemble);
  EXPECT_EQ(*refit.model.final, FinalKind::refit);
  EXPECT_EQ(refit.model.labels, 200);
  EXPECT_EQ(refit.model.epochs, final_epochs(result));
  EXPECT_TRUE(refit.model.others.empty());
  EXPECT_EQ(refit.judged, 200u);
  EXPECT_EQ(*ensemble.model.final, FinalKind::ensemble);
  EXPECT_EQ(ensemble.model.others.size(), 3u);
  EXPECT_LE(ensemble.judged, 200u);
  ASSERT_EQ(both.candidates.size(), 2u);
  EXPECT_GE(both.candidates[0].measures[e.train.metric], both.candidates[1].measures[e.train.metric]);
  EXPECT_EQ(*both.model.final, both.candidates[0].kind);
  EXPECT_TRUE(both.model.decision->has_sets());
  EXPECT_EQ(both.model.decision->scores.size(), both.judged);
}

TEST(Final, TheBitsDoNotDependOnThreads) {
  Matrix first;
  for (int threads : {1, 3}) {
    const Experiment e = small_run(threads);
    const Matrix found = answers_for(make_final(e, run(e), FinalChoice::refit).model);
    if (first.empty()) first = found;
    EXPECT_TRUE(found == first) << threads << " threads";
  }
}

TEST(Final, AnEnsembleAnswersByTheMeanOfItsMembersLogits) {
  const Experiment e = small_run();
  TrainedModel model = make_final(e, run(e), FinalChoice::ensemble).model;
  model.decision->temperature = 1;
  const Matrix joint = answers_for(model);
  const std::vector<TrainedModel> all = members(model);
  ASSERT_EQ(all.size(), 4u);
  for (Index i = 0; i < joint.rows(); ++i) {
    double sum = 0;
    std::vector<double> mean(static_cast<std::size_t>(joint.cols()), 0);
    for (Index k = 0; k < joint.cols(); ++k) {
      for (const TrainedModel& m : all) mean[static_cast<std::size_t>(k)] += answers_for(m)(i, k) / 4.0;
      sum += std::exp(mean[static_cast<std::size_t>(k)]);
    }
    for (Index k = 0; k < joint.cols(); ++k)
      EXPECT_NEAR(joint(i, k), mean[static_cast<std::size_t>(k)] - std::log(sum), 1e-5);
  }
}

TEST(Final, FilesGiveTheSameBits) {
  const TempDir folder;
  Experiment e = small_run();
  e.aims.metric = Metric::macro_f1;
  const RunResult result = run(e);
  for (FinalChoice choice : {FinalChoice::refit, FinalChoice::ensemble}) {
    const TrainedModel model = make_final(e, result, choice).model;
    save_model(folder / "m.safetensors", model);
    const TrainedModel read = load_model(folder / "m.safetensors");
    EXPECT_EQ(read.final, model.final);
    EXPECT_EQ(read.epochs, model.epochs);
    EXPECT_EQ(read.labels, model.labels);
    EXPECT_EQ(read.others.size(), model.others.size());
    EXPECT_EQ(read.decision->temperature, model.decision->temperature);
    EXPECT_EQ(read.decision->scores, model.decision->scores);
    EXPECT_EQ(read.decision->weights, model.decision->weights);
    EXPECT_EQ(read.known_ids, model.known_ids);
    EXPECT_TRUE(answers_for(read) == answers_for(model));
  }
}

TEST(Final, NodesAreKnownByTheirIdsOrByNumber) {
  const Experiment e = small_run();
  const RunResult result = run(e);
  const TrainedModel by_number = make_final(e, result, FinalChoice::ensemble).model;
  Tables grown = small_tables(220);
  const Dataset more = fit_to_model(by_number, grown);
  EXPECT_TRUE(by_number.knows(more, 199));
  EXPECT_FALSE(by_number.knows(more, 200));
  Tables named = small_tables();
  for (int i = 0; i < 200; ++i) named.ids.push_back("n" + std::to_string(i));
  gcnh::Setup setup;
  setup.num_splits = 2;
  setup.options = {{"epochs", "3"}};
  const Experiment own = prepare(setup, named);
  const TrainedModel by_id = make_final(own, run(own), FinalChoice::ensemble).model;
  for (int i = 0; i < 220; ++i) grown.ids.push_back("n" + std::to_string(219 - i));
  const Dataset turned = fit_to_model(by_id, grown);
  EXPECT_FALSE(by_id.knows(turned, 0)) << "n219";
  EXPECT_TRUE(by_id.knows(turned, 20)) << "n199";
  EXPECT_FALSE(by_id.knows(more, 3)) << "nodes without ids are not those that had some";
}

TEST(Final, WithoutValidationNodesTheLastEpochIsKept) {
  gcnh::Setup setup;
  setup.num_splits = 2;
  setup.train_share = 1;
  setup.val_share = 0;
  setup.options = {{"epochs", "7"}, {"patience", "2"}};
  const Experiment e = prepare(setup, small_tables());
  const RunResult result = run(e);
  EXPECT_EQ(result.splits[0].best.epoch, 7);
  EXPECT_TRUE(std::isnan(*result.splits[0].test_accuracy));
  EXPECT_FALSE(result.splits[0].val || result.splits[0].test || result.splits[0].decision);
  EXPECT_EQ(make_final(e, result, FinalChoice::automatic).candidates.size(), 1u) << "nothing judges an ensemble";
  EXPECT_THROW(make_final(e, result, FinalChoice::ensemble), Error);
  EXPECT_THROW(require_validation(e), Error);
}

TEST(Final, JsonSaysWhatWasChosenAndWhy) {
  const Experiment e = small_run();
  const json j = json::parse(final_json(make_final(e, run(e), FinalChoice::automatic)));
  EXPECT_EQ(j["kind"], j["candidates"][0]["kind"]);
  EXPECT_EQ(j["candidates"].size(), 2u);
  EXPECT_EQ(j["metric"], "accuracy");
  EXPECT_GT(j["decision"]["coverage"], 0.7);
  EXPECT_EQ(j["decision"]["level"], 0.9);
}

// The temperature is the model's; both calibration errors are of the nodes that the candidates were judged on.
TEST(Final, JsonTellsWhatTheModelHasAndWhatItsAnswersWere) {
  Experiment e = small_run();
  const RunResult result = run(e);
  const json plain = json::parse(final_json(make_final(e, result, FinalChoice::refit)));
  EXPECT_FALSE(plain["fitted"].contains("weights"));
  EXPECT_FALSE(plain.contains("decided"));
  EXPECT_NEAR(plain["decision"]["ece_before"].get<double>(), plain["candidates"][0]["metrics"]["ece"].get<double>(),
              1e-12);
  e.aims.metric = Metric::macro_f1;
  const FinalModel final = make_final(e, result, FinalChoice::refit);
  const json j = json::parse(final_json(final));
  EXPECT_EQ(j["fitted"]["temperature"], final.model.decision->temperature);
  EXPECT_EQ(j["fitted"]["weights"], json(final.model.decision->weights));
  EXPECT_EQ(j["decision"]["coverage_by_class"].size(), e.dataset->classes.size());
  EXPECT_EQ(j["classes"], json(e.dataset->classes));
  std::size_t nodes = 0;
  for (const json& row : j["decided"])
    for (const json& count : row) nodes += count.get<std::size_t>();
  EXPECT_EQ(nodes, final.judged);
}

}  // namespace
}  // namespace gcnh::testing
