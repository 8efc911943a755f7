// Class weights, thresholds and costs for a class of 4 %.
#include <fmt/core.h>

#include <utility>

#include "gcnh/graph/synthetic.h"
#include "gcnh/paper/decisions.h"

namespace gcnh::paper {
namespace {

constexpr double kMissedCost = 20;  // of a node of the rare class, in false alarms

// One of 25 classes against the others: 4 % of the nodes.
Tables rare_tables() {
  SyntheticOptions options;
  options.classes = 25;
  options.nodes = 5000;
  options.topic = 0.3;
  Tables out = make_synthetic(options);
  for (int& label : out.labels) label = label == 0 ? 1 : 0;
  out.classes = {"common", "rare"};
  out.name = kRare;
  return out;
}

Matrix costs_of_errors() {
  Matrix out(2, 2);
  out(0, 1) = 1;
  out(1, 0) = static_cast<Real>(kMissedCost);
  return out;
}

}  // namespace

void add_rare(Workbench& bench, Chapter& out) {
  if (bench.among({kRare}).empty()) return;
  Table table{"decisions-rare",
              "A class of 4 % of the nodes, on the test nodes",
              {"training", "recall, %", "precision, %", "macro F1, %", "macro F1 decided, %", "mean cost", "decided"},
              {},
              fmt::format("A generated graph of 5000 nodes. Recall and precision are the rare class's. Decided: with "
                          "thresholds chosen on the validation nodes for macro F1, and for a table in which missing a "
                          "rare node costs {:.0f} false alarms.",
                          kMissedCost)};
  std::vector<double> recalls, f1, f1_decided, costs, costs_decided;
  for (const char* weights : {"none", "balanced"}) {
    bench.announce(std::string("a rare class, class weights ") + weights);
    const Experiment e = decisions_experiment(bench, rare_tables(), {{"class_weights", weights}});
    RunFolder folder = kept_in(bench, fmt::format("rare/{}", weights));
    const RunResult result = trained(bench, e, folder);
    const DecisionScores f = mean_scores(score_splits(e, result, {kLevel, {}, Metric::macro_f1}));
    const DecisionScores c = mean_scores(score_splits(e, result, {kLevel, costs_of_errors(), {}}));
    double recall = 0, precision = 0;
    for (const SplitOutcome& s : result.splits) {
      recall += s.test_classes[1].recall / static_cast<double>(result.splits.size());
      precision += s.test_classes[1].precision / static_cast<double>(result.splits.size());
    }
    recalls.push_back(recall);
    f1.push_back(f.before);
    f1_decided.push_back(f.after);
    costs.push_back(c.before);
    costs_decided.push_back(c.after);
    table.rows.push_back({std::string("class weights ") + weights, number_cell(recall, true),
                          number_cell(precision, true), number_cell(f.before, true), number_cell(f.after, true),
                          fmt::format("{:.3f}", c.before), fmt::format("{:.3f}", c.after)});
  }
  out.tables.push_back(std::move(table));
  out.checks.push_back({"balanced class weights raise the recall of the rare class", recalls[1] > recalls[0]});
  out.checks.push_back({"thresholds do not lower macro F1", f1_decided[0] >= f1[0] && f1_decided[1] >= f1[1]});
  out.checks.push_back(
      {"decisions cost less than the most probable class", costs_decided[0] < costs[0] && costs_decided[1] < costs[1]});
}

}  // namespace gcnh::paper
