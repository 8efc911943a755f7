// Where chapters get their records from, and how their tables show numbers.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gcnh/io/catalog.h"
#include "gcnh/models/model.h"
#include "gcnh/paper/paper.h"
#include "gcnh/paper/published.h"

namespace gcnh::paper {
namespace {

constexpr std::size_t kQuickSplits = 2;
constexpr int kQuickEpochs = 30;
constexpr int kQuickTrials = 3;

}  // namespace

Workbench::Workbench(Study& study, std::filesystem::path data_dir, bool quick, std::uint64_t seed)
    : datasets(paper_datasets()), study_(study), data_dir_(std::move(data_dir)), quick_(quick), seed_(seed) {
  for (const ModelType& type : model_types())
    if (!published("accuracy", type.name, datasets.front()).empty()) models.push_back(type.name);
}

const Tables& Workbench::tables(const std::string& data) {
  auto found = tables_.find(data);
  if (found == tables_.end()) found = tables_.emplace(data, load_named(data, data_dir_)).first;
  return found->second;
}

Experiment Workbench::prepare(const Setup& setup, const std::string& data) { return prepare(setup, tables(data)); }

Experiment Workbench::prepare(Setup setup, Tables tables) {
  setup.seed = seed_;
  Experiment out = gcnh::prepare(setup, std::move(tables));
  if (quick_) {
    while (out.splits.size() > kQuickSplits) out.splits.pop_back();
    out.train.epochs = std::min(out.train.epochs, kQuickEpochs);
  }
  return out;
}

std::vector<SplitOutcome> Workbench::measure(const Setup& setup, const std::string& data) {
  announce(setup.model + " on " + data);
  return run_trials(study_, {{prepare(setup, data)}}).front();
}

TuneResult Workbench::choose(const Experiment& experiment, Grid grid, Method method) {
  announce(experiment.model + " on " + experiment.dataset->name + ", grid");
  TuneOptions options;
  options.method = method;
  if (quick_) {
    options.trials = kQuickTrials;
    std::erase_if(grid, [](const GridAxis& axis) { return axis.option == "epochs"; });
  }
  return tune(study_, experiment, grid, options);
}

std::vector<std::string> Workbench::among(std::vector<std::string> names) const {
  std::erase_if(names, [&](const std::string& name) {
    return std::find(datasets.begin(), datasets.end(), name) == datasets.end();
  });
  return names;
}

const std::vector<std::string>& paper_datasets() {
  static const std::vector<std::string> names = {"cornell",   "texas",    "wisconsin", "film",
                                                 "chameleon", "squirrel", "cora",      "citeseer"};
  return names;
}

double mean_percent(const std::vector<double>& accuracies) { return 100 * mean_std(accuracies).mean; }

std::string signed_cell(double value) {
  const double tenths = std::round(10 * value);
  return fmt::format("{:+.1f}", tenths == 0 ? 0.0 : tenths / 10);  // never -0.0
}

std::string outside_text(const std::string& row, const std::string& data, double standard_errors,
                         const std::string& why) {
  return fmt::format("Outside: {} on {}, {} s.e.{}", row, data, signed_cell(standard_errors),
                     why.empty() ? "" : ": " + why);
}

}  // namespace gcnh::paper
