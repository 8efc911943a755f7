#include "gcnh/paper/decisions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gcnh/run/calibration.h"
#include "gcnh/run/run_files.h"
#include "gcnh/run/runner.h"

namespace gcnh::paper {
namespace {

constexpr int kDraws = 100;
constexpr std::uint64_t kDrawSeed = 17;

}  // namespace

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

void PooledAnswers::add(const Matrix& logp, double temperature, const std::vector<Index>& nodes,
                        const std::vector<int>& labels) {
  const Matrix scaled = calibrated(logp, temperature);
  before_.insert(before_.end(), logp.values().begin(), logp.values().end());
  after_.insert(after_.end(), scaled.values().begin(), scaled.values().end());
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  labels_.insert(labels_.end(), labels.begin(), labels.end());
}

Matrix PooledAnswers::pooled(const std::vector<Real>& logp) const {
  Matrix out(static_cast<Index>(labels_.size()), static_cast<Index>(logp.size() / labels_.size()));
  std::copy(logp.begin(), logp.end(), out.data());
  return out;
}

// What is left when the scaled probabilities are exactly right: the mean ECE of labels that are drawn from them. All
// answers about a node share one random number, as they share its label.
double PooledAnswers::ece_by_chance() const {
  const Matrix logp = pooled(after_);
  double sum = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Rng rng = Rng(kDrawSeed).fork(static_cast<std::uint64_t>(draw));
    std::vector<int> labels;
    for (Index i = 0; i < logp.rows(); ++i) {
      double left = rng.uniform(static_cast<std::uint64_t>(nodes_[i]));
      int k = 0;
      while (k + 1 < logp.cols() && (left -= std::exp(static_cast<double>(logp(i, k)))) >= 0) ++k;
      labels.push_back(k);
    }
    sum += measure(Metric::ece, logp, labels);
  }
  return sum / kDraws;
}

void PooledAnswers::add_columns(Table& table) {
  for (const char* name : {"ECE before, %", "ECE after, %", "by chance, %", "Brier before", "Brier after"})
    table.columns.emplace_back(name);
  table.note += fmt::format(
      " By chance: the mean ECE of {} draws of labels from the scaled probabilities, which are then exactly right; "
      "differences below it say little.",
      kDraws);
}

void PooledAnswers::add_cells(std::vector<std::string>& row) const {
  row.push_back(number_cell(measured(Metric::ece, before_), true));
  row.push_back(number_cell(measured(Metric::ece, after_), true));
  row.push_back(number_cell(ece_by_chance(), true));
  row.push_back(fmt::format("{:.4f}", measured(Metric::brier, before_)));
  row.push_back(fmt::format("{:.4f}", measured(Metric::brier, after_)));
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
