#include "gcnh/paper/decisions.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "gcnh/run/calibration.h"
#include "gcnh/run/run_files.h"
#include "gcnh/run/runner.h"

namespace gcnh::paper {

// Some graphs are too young for the paper, and have no recipe.
Experiment decisions_experiment(Workbench& bench, Tables tables, OptionValues options) {
  const std::string& data = tables.name;
  const bool has_recipe = data != "minesweeper" && !data.ends_with("-filtered") && data != kRare;
  tables.splits.clear();
  Experiment out = bench.prepare({.model = "gcnh", .recipe = has_recipe ? "paper" : "", .options = std::move(options)},
                                 std::move(tables));
  out.threads = bench.study().threads;
  return out;
}

RunFolder kept_in(const Workbench& bench, const std::string& name) {
  return RunFolder(bench.folder / "decisions" / name, EarlierRun::resume);
}

RunResult trained(Workbench& bench, const Experiment& e, RunFolder& folder) {
  Study& study = bench.study();
  require(study.train_missing, "decisions are not made from the journal");
  RunResult out = run(e, {.should_stop = study.observer.should_stop}, &folder);
  const std::string described = describe_run(e);
  for (const SplitOutcome& s : out.splits)
    if (!study.journal.find(described, s.split, true, {})) study.journal.add(described, s);
  return out;
}

std::vector<DecisionScores> score_splits(const Experiment& e, const RunResult& result, const Aims& aims) {
  std::vector<DecisionScores> out;
  const Answers answers = model_answers(e);
  for (const SplitOutcome& s : result.splits) {
    const auto& [train, val, test] = e.dataset->splits[s.split];
    const Decision decision = fit_decision(answers(s, val), labels_of(e.dataset->labels, val), aims);
    out.push_back(score_decision(decision, answers(s, test), labels_of(e.dataset->labels, test), aims));
  }
  return out;
}

void PooledAnswers::add(const Matrix& logp, double temperature, const std::vector<int>& labels) {
  const Matrix scaled = calibrated(logp, temperature);
  before_.insert(before_.end(), logp.values().begin(), logp.values().end());
  after_.insert(after_.end(), scaled.values().begin(), scaled.values().end());
  labels_.insert(labels_.end(), labels.begin(), labels.end());
}

double PooledAnswers::measured(Metric metric, const std::vector<Real>& logp) const {
  const std::size_t rows = labels_.size();
  Matrix all(static_cast<Index>(rows), static_cast<Index>(logp.size() / rows));
  std::copy(logp.begin(), logp.end(), all.data());
  return measure(metric, all, labels_);
}

void PooledAnswers::add_cells(std::vector<std::string>& row) const {
  row.push_back(number_cell(before(Metric::ece), true));
  row.push_back(number_cell(after(Metric::ece), true));
  row.push_back(fmt::format("{:.4f}", before(Metric::brier)));
  row.push_back(fmt::format("{:.4f}", after(Metric::brier)));
}

Chapter decisions_chapter(Workbench& bench) {
  Chapter out{"decisions", "What final models, sets, probabilities and decisions are worth"};
  out.text = {"GCNH with the options of its recipes, clean views, random splits of 48/32/20. Not in the paper."};
  add_finals(bench, out);
  add_coverage(bench, out);
  add_rare(bench, out);
  return out;
}

}  // namespace gcnh::paper
