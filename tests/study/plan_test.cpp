// The size of a search: from the graph, the models and the budget alone.
#include "gcnh/study/plan.h"

#include <gtest/gtest.h>

#include "gcnh/graph/synthetic.h"
#include "gcnh/models/model.h"

namespace gcnh::testing {
using namespace study;
namespace {

Dataset graph_of(Index nodes) {
  SyntheticOptions options;
  options.nodes = nodes;
  return make_dataset(make_synthetic(options));
}

std::vector<Candidates> candidates_of(const std::vector<std::string>& models, const OptionValues& fixed = {}) {
  std::vector<Candidates> out;
  for (const std::string& model : models) out.push_back(find_candidates(model, "mine", fixed));
  return out;
}

TEST(SearchPlan, EveryModelHasAGridThatIsLargeEnough) {
  for (const ModelType& type : model_types()) {
    const Candidates c = find_candidates(type.name, "mine", {});
    Grid grid = c.grid;
    std::erase_if(grid, [](const GridAxis& axis) { return axis.option == "epochs"; });
    EXPECT_GE(cells_of(grid).size(), static_cast<std::size_t>(kMostCells)) << type.name;
    gcnh::Setup setup;
    setup.model = type.name;
    SyntheticOptions options;
    options.nodes = 40;
    const Experiment e = prepare(setup, make_synthetic(options));
    for (const GridAxis& axis : c.grid)
      for (const std::string& value : axis.values)
        EXPECT_NO_THROW(check_trainable(with_options(e, {{axis.option, value}}))) << type.name << " " << axis.option;
  }
}

TEST(SearchPlan, LargerBudgetsAndSmallerGraphsGiveMoreCellsUpToACap) {
  const Dataset small = graph_of(200), large = graph_of(4000);
  const std::vector<Candidates> models = candidates_of({"gcnh", "gcn", "mlp"});
  EXPECT_EQ(plan_search(small, 10, models, 120).cells, kMostCells);
  int before = 0;
  for (double budget : {0.01, 1.0, 10.0, 100.0, 1e6}) {
    const SearchPlan plan = plan_search(large, 10, models, budget);
    EXPECT_GE(plan.cells, std::max(1, before));
    EXPECT_LE(plan.cells, kMostCells);
    before = plan.cells;
  }
  EXPECT_EQ(plan_search(large, 10, models, 0.01).cells, 1) << "no search";
  EXPECT_EQ(before, kMostCells);
}

TEST(SearchPlan, FewerEpochsBeforeTooFewCells) {
  const Dataset d = graph_of(4000);
  const std::vector<Candidates> models = candidates_of({"gcnh", "mlp"});
  const SearchPlan rich = plan_search(d, 10, models, 1e6);
  EXPECT_EQ(rich.epochs, 1000);
  for (double budget = 1000; budget > 1; budget /= 1.5) {
    const SearchPlan plan = plan_search(d, 10, models, budget);
    EXPECT_TRUE(plan.cells >= kFewestCells || plan.epochs == 300) << budget;
    EXPECT_LE(plan.core_seconds, 2 * 2 * budget + 1e-9) << "two models on two cores";
  }
}

TEST(SearchPlan, TheSlowestModelDecidesForAll) {
  const Dataset d = graph_of(4000);
  const int fast = plan_search(d, 10, candidates_of({"mlp"}), 10).cells;
  const int slow = plan_search(d, 10, candidates_of({"odsd"}), 10).cells;
  ASSERT_LT(slow, fast);
  EXPECT_EQ(plan_search(d, 10, candidates_of({"mlp", "odsd"}), 10).cells, slow);
}

TEST(SearchPlan, SettledOptionsAreTheSameInEveryCell) {
  const Candidates c = find_candidates("mlp", "mine", {{"hidden", "7"}, {"epochs", "5"}});
  for (const OptionValues& cell : cells_of(c.grid)) {
    EXPECT_EQ(cell.at("hidden"), "7");
    EXPECT_EQ(cell.at("epochs"), "5");
  }
  OptionValues all;
  for (const GridAxis& axis : c.grid) all[axis.option] = axis.values.front();
  EXPECT_EQ(plan_search(graph_of(200), 10, candidates_of({"mlp"}, all), 120).cells, 1) << "nothing is left to choose";
}

TEST(SearchPlan, CountsTheTrainingsThatTheSearchMakes) {
  SyntheticOptions options;
  options.nodes = 100;
  gcnh::Setup setup;
  setup.model = "logreg";
  const Experiment e = prepare(setup, make_synthetic(options));
  const Candidates c = find_candidates("logreg", "mine", {{"epochs", "3"}});
  for (std::size_t splits : {1u, 2u, 5u, 10u}) {
    Experiment some = e;
    some.splits.resize(splits);
    const SearchPlan plan = plan_search(*e.dataset, splits, {c}, 120);
    Journal journal;
    Study study{journal, 2};
    const SearchResult result = search(study, some, planned_grid(c, plan), search_options(plan, 1));
    EXPECT_EQ(result.cells.size(), static_cast<std::size_t>(plan.cells));
    EXPECT_EQ(result.trainings, plan.trainings) << splits;
    EXPECT_EQ(result.test_reads, 0);
  }
}

}  // namespace
}  // namespace gcnh::testing
