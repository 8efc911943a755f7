// The search of a line: the same number of cells for every line, shared out among the ways of taking the graph.
#include <fmt/core.h>

#include <algorithm>

#include "gcnh/models/model.h"
#include "gcnh/paper/beyond.h"
#include "gcnh/study/plan.h"

namespace gcnh::paper {
namespace {

constexpr int kCells = 24;
constexpr int kEpochs = 500;  // at most, where a grid has them; patience ends most trainings earlier

// One cell of the search, and what it is a cell of.
struct Tried {
  Setup setup;
  Experiment experiment;
  Cell cell;
};

// The values of an axis, which leaves the grid; those given where it has no such axis.
std::vector<std::string> take_axis(Grid& grid, const std::string& option, std::vector<std::string> otherwise) {
  const auto axis = std::find_if(grid.begin(), grid.end(), [&](const GridAxis& a) { return a.option == option; });
  if (axis == grid.end()) return otherwise;
  std::vector<std::string> out = std::move(axis->values);
  grid.erase(axis);
  return out;
}

// Whom a node receives from, and whether rows of features are scaled, is settled before anything is trained.
std::vector<Setup> setups_of(Workbench& bench, const Line& line, const std::string& data, Grid& grid) {
  const ModelType& type = find_model_type(line.model);
  const bool has_direction = bench.prepare({.model = "mlp"}, data).dataset->num_one_way > 0;
  std::vector<std::string> directions = take_axis(grid, "direction", {"both", "out", "in"});
  if (!has_direction || !type.reads_direction || !type.sees_graph) directions = {"both"};
  const std::vector<std::string> scales = take_axis(grid, "scale", {"none", "rows"});
  std::vector<Setup> out;
  for (const std::string& direction : directions)
    for (const std::string& scale : scales)
      out.push_back({.model = line.model, .direction = direction, .scale = scale});
  return out;
}

// How many of the cells the i-th of so many setups gets.
int cells_of(std::size_t i, std::size_t setups) {
  const int each = kCells / static_cast<int>(setups), rest = kCells % static_cast<int>(setups);
  return each + (static_cast<int>(i) < rest);
}

Grid grid_of(const Workbench& bench, const Line& line, const std::string& data) {
  Grid out = fix_axes(find_grid(line.grid, line.model, data), {{"epochs", std::to_string(kEpochs)}});
  if (bench.quick()) std::erase_if(out, [](const GridAxis& axis) { return axis.option == "epochs"; });
  return out;
}

// Minutes of a core at the nominal speed, if no training ended early.
double most_minutes(const Experiment& e, const Grid& grid, int cells) {
  double seconds = 0;
  constexpr int kSample = 16;
  const std::uint64_t all = num_cells(grid);
  for (std::uint64_t i = 0; i < kSample; ++i)
    seconds += nominal_seconds(*e.dataset, e.model, cell_at(grid, i * all / kSample)) / kSample;
  return seconds * kEpochs * static_cast<double>(e.splits.size()) * cells / 60;
}

// All cells, the best mean validation value first.
std::vector<Tried> try_cells(Workbench& bench, const Line& line, const std::string& data, Chosen& found) {
  Grid grid = grid_of(bench, line, data);
  const std::vector<Setup> setups = setups_of(bench, line, data, grid);
  std::vector<Tried> out;
  for (std::size_t i = 0; i < setups.size(); ++i) {
    const int cells = bench.quick() ? 1 : cells_of(i, setups.size());
    if (cells == 0) continue;
    const Experiment e = bench.prepare(setups[i], data);
    if (i == 0)
      bench.announce(fmt::format("{} on {}, {} cells, at most {:.0f} core minutes", line.name, data, kCells,
                                 most_minutes(e, grid, kCells)));
    const TuneOptions drawn{.method = Method::random, .trials = cells, .seed = i + 1};
    SearchResult result = search(bench.study(), e, grid, drawn);
    found.core_seconds += result.seconds;
    found.metric = e.train.metric;
    for (Cell& cell : result.cells) out.push_back({setups[i], e, std::move(cell)});
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](const Tried& a, const Tried& b) { return is_better(found.metric, a.cell, b.cell); });
  return out;
}

// On every split the cell that is best on its validation nodes; of equals the one with the better mean.
std::vector<SplitOutcome> choose_by_split(Workbench& bench, const std::vector<Tried>& tried, Metric metric) {
  std::vector<SplitOutcome> out;
  const std::vector<int> splits = tried.front().experiment.splits;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const auto value = [&](const Tried& t) { return merit(metric, t.cell.val_values[s]); };
    const auto best = std::max_element(tried.begin(), tried.end(),
                                       [&](const Tried& a, const Tried& b) { return value(a) < value(b); });
    Experiment chosen = with_options(best->experiment, best->cell.options);
    chosen.splits = {splits[s]};
    out.push_back(run_trials(bench.study(), {{chosen}}).front().front());
  }
  return out;
}

}  // namespace

Chosen search_line(Workbench& bench, const Line& line, const std::string& data) {
  Chosen out;
  const std::vector<Tried> tried = try_cells(bench, line, data, out);
  const Tried& best = tried.front();
  out.cells = static_cast<int>(tried.size());
  out.setup = best.setup;
  out.setup.options = best.cell.options;
  out.cell = best.cell.options;
  out.cell["direction"] = best.setup.direction;
  out.cell["scale"] = best.setup.scale;
  out.by_mean = run_trials(bench.study(), {{with_options(best.experiment, best.cell.options)}}).front();
  out.by_split = choose_by_split(bench, tried, out.metric);
  return out;
}

}  // namespace gcnh::paper
