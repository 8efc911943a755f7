// Floors: what they answer, and which labels they read.
#include "gcnh/study/floors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/graph/synthetic.h"

namespace gcnh::testing {
using namespace study;
namespace {

const Floor& floor_named(const std::string& name) {
  for (const Floor& floor : floors())
    if (floor.name == name) return floor;
  throw std::out_of_range(name);
}

Dataset labelled(Csr adjacency, std::vector<int> labels, Index classes) {
  Dataset out;
  out.adjacency = std::move(adjacency);
  out.labels = std::move(labels);
  for (Index k = 0; k < classes; ++k) out.classes.push_back(std::to_string(k));
  return out;
}

double probability(const Matrix& logp, Index node, Index k) { return std::exp(static_cast<double>(logp(node, k))); }

TEST(Floors, MajorityGivesEveryNodeTheSharesOfTheTrainingNodes) {
  const Dataset d = labelled(make_csr(6, 6, {}, Repeats::add), {1, 1, 1, 0, 2, 2}, 3);
  const Matrix logp = floor_named("majority").answer(d, {{0, 1, 3}, {2}, {4, 5}}, {});
  for (Index u = 0; u < 6; ++u) {
    EXPECT_NEAR(probability(logp, u, 0), 2.0 / 6, 1e-6);
    EXPECT_NEAR(probability(logp, u, 1), 3.0 / 6, 1e-6);
    EXPECT_NEAR(probability(logp, u, 2), 1.0 / 6, 1e-6) << "no training node, and yet not impossible";
  }
}

// The path 0 - 1 - 2 - 3 with an isolated node 4; 0 and 3 are training nodes.
TEST(Floors, LabelsSpreadByTheirEquation) {
  const Dataset d =
      labelled(make_csr(5, 5, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 2, 1}}, Repeats::add),
               {0, 0, 1, 1, 0}, 2);
  const Split split{{0, 3}, {1}, {2, 4}};
  const double a = 0.9;
  double f1[2] = {0, 0}, f2[2] = {0, 0};  // of nodes 1 and 2
  for (int s = 0; s < 3; ++s) {
    const double n1[2] = {a * (1 + f2[0]) / 2, a * f2[1] / 2}, n2[2] = {a * f1[0] / 2, a * (1 + f1[1]) / 2};
    std::copy(n1, n1 + 2, f1), std::copy(n2, n2 + 2, f2);
  }
  const Matrix logp = floor_named("labelprop").answer(d, split, {{"alpha", "0.9"}, {"steps", "3"}});
  EXPECT_NEAR(probability(logp, 1, 0), 0.99 * f1[0] / (f1[0] + f1[1]) + 0.01 * 0.5, 1e-6);
  EXPECT_NEAR(probability(logp, 2, 1), 0.99 * f2[1] / (f2[0] + f2[1]) + 0.01 * 0.5, 1e-6);
  EXPECT_NEAR(probability(logp, 0, 0), 0.99 + 0.01 * 0.5, 1e-6) << "training nodes stay as they are";
  EXPECT_NEAR(probability(logp, 4, 0), 0.5, 1e-6) << "no label reaches it";
}

TEST(Floors, WeightsAndDirectionsOfEdgesCount) {
  // Node 2 receives from 0 with weight 1 and from 1 with weight 3; nobody receives from 2.
  const Dataset d = labelled(make_csr(4, 4, {{2, 0, 1}, {2, 1, 3}, {3, 2, 1}}, Repeats::add), {0, 1, 1, 1}, 2);
  const Matrix logp = floor_named("labelprop").answer(d, {{0, 1}, {2}, {3}}, {{"alpha", "0.5"}, {"steps", "1"}});
  EXPECT_NEAR(probability(logp, 2, 1), 0.99 * 0.75 + 0.01 * 0.5, 1e-6);
  EXPECT_NEAR(probability(logp, 3, 1), 0.5, 1e-6) << "two steps away";
}

Experiment small_experiment_of_floors(double homophily) {
  SyntheticOptions options;
  options.nodes = 200;
  options.homophily = homophily;
  gcnh::Setup setup;
  setup.model = "logreg";
  return prepare(setup, make_synthetic(options));
}

// The experiment with the labels of some set of every split turned into others. All splits share the nodes, so one is
// looked at.
Experiment with_other_labels(const Experiment& e, std::vector<Index> Split::*set) {
  Dataset d = *e.dataset;
  for (Index u : d.splits[0].*set) d.labels[u] = (d.labels[u] + 1) % d.num_classes();
  Experiment out = e;
  out.dataset = std::make_shared<const Dataset>(std::move(d));
  return out;
}

TEST(Floors, TestLabelsAreScoredAndNothingElse) {
  Experiment e = small_experiment_of_floors(0.6);
  e.splits = {0};
  for (const Floor& floor : floors()) {
    const FloorRun run = run_floor(floor, e), other = run_floor(floor, with_other_labels(e, &Split::test));
    EXPECT_EQ(run.experiment.model_options, other.experiment.model_options) << floor.name;
    EXPECT_EQ(run.result.splits[0].best.score.accuracy, other.result.splits[0].best.score.accuracy) << floor.name;
    EXPECT_EQ(
        floor.answer(*e.dataset, e.dataset->splits[0], run.experiment.model_options),
        floor.answer(*with_other_labels(e, &Split::val).dataset, e.dataset->splits[0], run.experiment.model_options))
        << floor.name << ": validation labels choose, they do not spread";
    if (floor.sees_graph) {
      EXPECT_NE(run.result.splits[0].test_accuracy, other.result.splits[0].test_accuracy) << "they are scored";
    }
  }
}

TEST(Floors, AnOutcomeHasWhatAModelsHas) {
  const Experiment e = small_experiment_of_floors(0.8);
  for (const Floor& floor : floors()) {
    EXPECT_TRUE(is_floor(floor.name));
    const FloorRun run = run_floor(floor, e);
    ASSERT_EQ(run.result.splits.size(), e.splits.size());
    EXPECT_EQ(run.experiment.model, floor.name);
    EXPECT_EQ(all_options(run.experiment).size(), floor.grid.size()) << "a trainer's options would mean nothing";
    for (const SplitOutcome& s : run.result.splits) {
      ASSERT_TRUE(s.test_accuracy && s.val && s.test);
      EXPECT_EQ(s.test_classes.size(), 5u);
      EXPECT_EQ((*s.val)[Metric::accuracy], s.best.score.accuracy);
    }
  }
  const FloorRun majority = run_floor(floor_named("majority"), e), spread = run_floor(floor_named("labelprop"), e);
  EXPECT_NEAR(mean_std(test_values(majority.result.splits, Metric::accuracy)).mean, 0.2, 0.05);
  EXPECT_GT(mean_std(test_values(spread.result.splits, Metric::accuracy)).mean, 0.6) << "neighbours share classes";
  EXPECT_TRUE(is_floor("logreg"));
  EXPECT_FALSE(is_floor("mlp"));
}

TEST(Floors, TheSameForAnyNumberOfThreads) {
  Experiment one = small_experiment_of_floors(0.5), three = one;
  one.threads = 1, three.threads = 3;
  const FloorRun a = run_floor(floor_named("labelprop"), one), b = run_floor(floor_named("labelprop"), three);
  EXPECT_EQ(a.experiment.model_options, b.experiment.model_options);
  EXPECT_EQ(test_accuracies(a.result.splits), test_accuracies(b.result.splits));
}

}  // namespace
}  // namespace gcnh::testing
