#include "gcnh/study/plan.h"

#include <algorithm>

#include "gcnh/models/model.h"

namespace gcnh::study {
namespace {

constexpr double kCores = 2;  // that a budget is meant for

// Of one core in an epoch, fitted to gcnh, gcn and mlp on texas, cora, squirrel and minesweeper, widths 16 and 64, one
// and three layers, as are the costs of model types; most cells take between half and twice as long.
constexpr double kProductsPerSecond = 2e10;  // of a forward pass; the rest of the epoch is in it
constexpr double kElementsPerSecond = 1e9;   // hidden units and parameters
constexpr double kSecondsPerEpoch = 1e-5;    // whatever the graph
constexpr int kUsualEpochs = 400;            // after which patience has ended most trainings, the mean of all

// The value of an option in a cell, of the settled ones, or its default; `absent` for a model without it.
double value_of(const OptionValues& options, const ModelType& type, const std::string& name, double absent) {
  double out = absent;
  for (const OptionInfo& info : type.options)
    if (info.name == name) parse_text(name, options.contains(name) ? options.at(name) : info.value, out);
  return out;
}

// The axis of the epochs in ascending order; without one the settled number, or the trainer's.
std::vector<int> epochs_of(const Candidates& c) {
  std::vector<int> out;
  TrainOptions options;
  for (const GridAxis& axis : c.grid) {
    if (axis.option != "epochs") continue;
    for (const std::string& text : axis.values) {
      assign(options, {{"epochs", text}});
      out.push_back(options.epochs);
    }
  }
  assign(options, c.fixed);
  if (out.empty()) out = {options.epochs};
  std::sort(out.begin(), out.end());
  return out;
}

bool has_patience(const Candidates& c) {
  TrainOptions options;
  assign(options, c.fixed);
  for (const GridAxis& axis : c.grid)
    if (axis.option == "patience") assign(options, {{"patience", axis.values.front()}});
  return options.patience > 0;
}

std::vector<OptionValues> cells_without_epochs(Grid grid) {
  std::erase_if(grid, [](const GridAxis& axis) { return axis.option == "epochs"; });
  return cells_of(grid);
}

int count_trainings(int cells, std::size_t splits) {
  int out = 0;
  std::size_t before = 0;
  for (const Round& round : rounds_of({.method = Method::halving}, static_cast<std::size_t>(cells), splits)) {
    out += static_cast<int>(round.cells * (round.splits - before));
    before = round.splits;
  }
  return out;
}

// The most cells, at most so many, whose trainings take no longer.
int cells_within(double seconds, double seconds_per_training, std::size_t splits, int most) {
  int cells = most;
  while (cells > 1 && count_trainings(cells, splits) * seconds_per_training > seconds * kCores) --cells;
  return cells;
}

}  // namespace

Candidates find_candidates(const std::string& model, const std::string& dataset, const OptionValues& fixed) {
  return {model, fix_axes(find_grid("search", model, dataset), fixed), fixed};
}

double nominal_seconds(const Dataset& d, const std::string& model, const OptionValues& options) {
  const ModelType& type = find_model_type(model);
  const double nodes = d.num_nodes(), classes = d.num_classes();
  const double width = value_of(options, type, "hidden", classes) * value_of(options, type, "heads", 1) *
                       value_of(options, type, "d", 1);
  const double layers = value_of(options, type, "layers", 1);
  const double edges = type.sees_graph ? static_cast<double>(d.adjacency.nnz()) : 0;
  const double products = width * (static_cast<double>(d.features.nonzeros()) + layers * edges +
                                   (layers - 1) * nodes * width + nodes * classes);
  const double elements = width * (layers * nodes + d.features.cols());
  return type.cost * (products / kProductsPerSecond + elements / kElementsPerSecond) + kSecondsPerEpoch;
}

SearchPlan plan_search(const Dataset& dataset, std::size_t splits, const std::vector<Candidates>& models,
                       double budget_seconds, int most_cells) {
  std::vector<double> per_epoch;  // of each model, mean over its cells
  bool all_stop_early = true;
  auto most = static_cast<std::size_t>(most_cells);
  std::vector<int> epochs = epochs_of(models.front());
  for (const Candidates& c : models) {
    const std::vector<OptionValues> cells = cells_without_epochs(c.grid);
    most = std::min(most, cells.size());
    per_epoch.push_back(0);
    for (OptionValues cell : cells) {
      cell.insert(c.fixed.begin(), c.fixed.end());
      per_epoch.back() += nominal_seconds(dataset, c.model, cell) / static_cast<double>(cells.size());
    }
    all_stop_early = all_stop_early && has_patience(c);
    const std::vector<int> own = epochs_of(c);
    if (own.back() > epochs.back()) epochs = own;
  }
  const double slowest = *std::max_element(per_epoch.begin(), per_epoch.end());
  const auto usual = [&](int number) { return all_stop_early ? std::min(number, kUsualEpochs) : number; };
  const auto cells_at = [&](int number) {
    return cells_within(budget_seconds, usual(number) * slowest, splits, static_cast<int>(most));
  };
  while (epochs.size() > 1 && cells_at(epochs.back()) < std::min(kFewestCells, static_cast<int>(most)))
    epochs.pop_back();
  SearchPlan out;
  out.epochs = epochs.back();
  out.cells = cells_at(out.epochs);
  if (out.cells == 1) return out;
  out.trainings = count_trainings(out.cells, splits);
  for (double seconds : per_epoch) out.core_seconds += out.trainings * usual(out.epochs) * seconds;
  return out;
}

TuneOptions search_options(const SearchPlan& plan, std::uint64_t seed) {
  return {.method = Method::halving, .trials = plan.cells, .seed = seed, .try_own = true};
}

Grid planned_grid(const Candidates& model, const SearchPlan& plan) {
  Grid out = model.grid;
  for (GridAxis& axis : out)
    if (axis.option == "epochs" && axis.values.size() > 1) axis.values = {std::to_string(plan.epochs)};
  return out;
}

}  // namespace gcnh::study
