// How far what `gcnh compare` does unasked is from the best that is known of each model: the same small search for
// every model, beside the published options and a search ten times as large.
#include <fmt/core.h>

#include <cmath>

#include "gcnh/paper/paper.h"
#include "gcnh/study/plan.h"

namespace gcnh::paper {
namespace {

constexpr double kBudget = 120;  // seconds per model, what `compare` has by default
constexpr int kLarger = 10;
constexpr Index kManyNodes = 1000;  // above, published options stand for the larger search where there are any
constexpr int kQuickCells = 3;

const std::vector<std::string> kModels = {"gcnh", "gcn", "gat", "mlp"};

// What a search chose and what it cost.
struct Found {
  int cells = 0;
  double core_seconds = 0;
  std::vector<SplitOutcome> splits;
};

std::vector<Candidates> candidates(const std::string& data) {
  std::vector<Candidates> out;
  for (const std::string& model : kModels) out.push_back(find_candidates(model, data, {}));
  return out;
}

Found choose(Workbench& bench, const Experiment& e, int times) {
  const std::string data = e.dataset->name;
  const std::vector<Candidates> models = candidates(data);
  SearchPlan plan = plan_search(*e.dataset, e.splits.size(), models, kBudget * times, kMostCells * times);
  if (bench.quick()) {
    plan.cells = kQuickCells;
    plan.epochs = e.train.epochs;
  }
  const Grid grid = planned_grid(find_candidates(e.model, data, {}), plan);
  bench.announce(fmt::format("{} on {}, {} cells", e.model, data, plan.cells));
  SearchResult found = search(bench.study(), e, grid, search_options(plan, e.seed));
  Found out{plan.cells, found.seconds, run_trials(bench.study(), {{std::move(found.winner)}}).front()};
  return out;
}

// By how many standard errors of the second the first mean is better; negative where it is worse.
double standard_errors(Metric metric, const std::vector<double>& values, const std::vector<double>& reference) {
  const MeanStd own = mean_std(values), other = mean_std(reference);
  const double gain = merit(metric, own.mean) - merit(metric, other.mean);
  const double error = other.std / std::sqrt(static_cast<double>(reference.size()));
  return gain == 0 ? 0 : gain / error;
}

// A model on a graph: its row, and whether the defaults are good enough.
class Row {
 public:
  Row(Chapter& chapter, const Experiment& e, const Found& defaults)
      : chapter_(chapter), metric_(e.train.metric), name_(e.model + " on " + e.dataset->name) {
    values_ = test_values(defaults.splits, metric_);
    cells = {e.dataset->name,
             e.model,
             title_of(metric_),
             mean_std_text(metric_, values_),
             std::to_string(defaults.cells),
             fmt::format("{:.0f}", defaults.core_seconds)};
  }

  // Beside what the model reaches in another way.
  void add(const std::string& way, const std::vector<SplitOutcome>& splits) {
    const std::vector<double> reference = test_values(splits, metric_);
    const double distance = standard_errors(metric_, values_, reference);
    cells.push_back(fmt::format("{} ({})", mean_std_text(metric_, reference), signed_cell(distance)));
    chapter_.checks.push_back({fmt::format("{}: the defaults are no more than two standard errors below {} ({})", name_,
                                           way, signed_cell(distance)),
                               distance >= -2});
  }
  void skip() { cells.emplace_back(); }

  std::vector<std::string> cells;

 private:
  Chapter& chapter_;
  Metric metric_;
  std::string name_;
  std::vector<double> values_;
};

std::vector<std::string> row_of(Workbench& bench, Chapter& chapter, const std::string& data, const std::string& model) {
  const Experiment e = bench.prepare(Setup{.model = model}, data);
  const Found defaults = choose(bench, e, 1);
  Row row(chapter, e, defaults);
  const std::vector<std::string>& of_paper = paper_datasets();
  const bool is_published = std::find(of_paper.begin(), of_paper.end(), data) != of_paper.end();
  if (is_published)
    row.add("its published options", bench.measure(Setup{.model = model, .recipe = "paper"}, data));
  else
    row.skip();
  if (!is_published || e.dataset->num_nodes() <= kManyNodes)
    row.add("a search ten times as large", choose(bench, e, kLarger).splits);
  else
    row.skip();
  return row.cells;
}

}  // namespace

Chapter defaults_chapter(Workbench& bench) {
  Chapter out{"defaults", "What the defaults of a comparison reach"};
  out.text.push_back(fmt::format(
      "What `gcnh compare` does by default, on the clean view of each graph: every model is searched with the same "
      "number of cells of its grid (grid.search in recipes/), as many as the slowest takes {:.0f} s for on two cores, "
      "{} at "
      "most. Beside it the options that were published for the model, and a search of ten times the size, where they "
      "exist "
      "or are affordable. In parentheses: by how many standard errors of that mean the defaults are above it.",
      kBudget, kMostCells));
  Table table{"defaults",
              "Defaults, published options, and a search ten times as large",
              {"dataset", "model", "metric", "defaults", "cells", "core seconds", "published options", "larger search"},
              {},
              "On the test nodes, mean ± population standard deviation over " + bench.splits_text() + "."};
  for (const std::string& data : bench.datasets)
    for (const std::string& model : kModels) {
      const auto row = bench.if_possible([&] { return row_of(bench, out, data, model); });
      table.rows.push_back(row.value_or(std::vector<std::string>(table.columns.size(), kNotMeasured)));
      table.rows.back()[0] = data;
      table.rows.back()[1] = model;
    }
  out.tables.push_back(table);
  return out;
}

}  // namespace gcnh::paper
