// Not in the paper: what final models, sets, scaled probabilities, class weights and decisions are worth. GCNH with the
// options of its recipes, clean views, random splits of 48/32/20.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gcnh/graph/synthetic.h"
#include "gcnh/paper/paper.h"
#include "gcnh/run/final.h"
#include "gcnh/run/predict.h"
#include "gcnh/run/run_files.h"
#include "gcnh/study/comparison.h"

namespace gcnh::paper {
namespace {

constexpr double kBlankShare = 0.2;
constexpr int kBlankings = 5;  // of every graph
constexpr std::uint64_t kBlankSeed = 17;
constexpr double kLevel = 0.9;
constexpr double kTwoSided = 1.959963984540054;  // deviations that hold 95 %
constexpr std::size_t kScaledGraphs = 10;
constexpr double kMissedCost = 20;  // of a node of the rare class, in false alarms

// Some graphs are too young for the paper, and have no recipe.
Setup setup_of(const std::string& data) {
  const bool has_recipe = data != "minesweeper" && !data.ends_with("-filtered") && data != "rare";
  return {.model = "gcnh", .recipe = has_recipe ? "paper" : ""};
}

Tables without_splits(Tables tables) {
  tables.splits.clear();
  return tables;
}

// Takes the labels of a share of every class away, and lists the nodes with them.
struct Blanked {
  Tables tables;
  std::vector<Index> nodes;
  std::vector<int> labels;
};

Blanked blank(Tables tables, std::uint64_t seed) {
  std::vector<std::vector<Index>> members(tables.classes.size());
  for (Index u = 0; u < tables.num_nodes(); ++u)
    if (tables.labels[u] >= 0) members[tables.labels[u]].push_back(u);
  Blanked out{without_splits(std::move(tables)), {}, {}};
  for (std::size_t k = 0; k < members.size(); ++k) {
    shuffle(members[k], Rng(seed).fork(k));
    members[k].resize(static_cast<std::size_t>(kBlankShare * static_cast<double>(members[k].size())));
    out.nodes.insert(out.nodes.end(), members[k].begin(), members[k].end());
  }
  std::sort(out.nodes.begin(), out.nodes.end());
  for (Index u : out.nodes) out.labels.push_back(std::exchange(out.tables.labels[u], -1));
  return out;
}

struct BlankScores {
  double single = 0, final = 0;  // accuracy on the blanked nodes: mean of the splits' models, final model
  FinalKind kind{};
};

BlankScores score_blanks(Workbench& bench, const std::string& data, std::uint64_t seed) {
  const Blanked blanked = blank(bench.tables(data), seed);
  Experiment e = bench.prepare(setup_of(data), blanked.tables);
  e.threads = bench.study().threads;
  const RunObserver observer{.should_stop = bench.study().observer.should_stop};
  const RunResult result = run(e, observer);
  const FinalModel final = make_final(e, result, FinalChoice::automatic, observer);
  BlankScores out;
  const Answers answers = model_answers(e);
  for (const SplitOutcome& s : result.splits)
    out.single += measure(Metric::accuracy, answers(s, blanked.nodes), blanked.labels) /
                  static_cast<double>(result.splits.size());
  const Dataset dataset = fit_to_model(final.model, blanked.tables);
  out.final = measure(Metric::accuracy, predict(final.model, dataset, blanked.nodes), blanked.labels);
  out.kind = *final.model.final;
  return out;
}

void add_finals(Workbench& bench, Chapter& out) {
  Table table{"decisions-final",
              "Accuracy on a fifth of the labels that nobody saw, in percent",
              {"graph", "models of the splits", "final model", "difference", "refit", "ensemble"},
              {},
              "The labels of 20 % of every class are blanked, ten splits are drawn of the others. Means over " +
                  counted(bench.quick() ? 1 : kBlankings, "blanking") +
                  "; the first column is the mean of the ten splits' models. The last two count what was chosen."};
  std::vector<double> differences;
  std::size_t good = 0;
  for (const std::string& data : bench.datasets) {
    bench.announce("final model on " + data);
    std::vector<double> single, final;
    int refits = 0;
    for (int i = 0; i < (bench.quick() ? 1 : kBlankings); ++i) {
      const BlankScores s = score_blanks(bench, data, kBlankSeed + static_cast<std::uint64_t>(i));
      single.push_back(s.single);
      final.push_back(s.final);
      differences.push_back(s.final - s.single);
      refits += s.kind == FinalKind::refit;
    }
    const double lead = mean_percent(final) - mean_percent(single);
    good += lead >= 0;
    table.rows.push_back({data, percent_cell(single), percent_cell(final), fmt::format("{:+.2f}", lead),
                          std::to_string(refits), std::to_string(std::ssize(final) - refits)});
  }
  out.tables.push_back(std::move(table));
  out.checks.push_back(
      {fmt::format("the final model is at least as good as the splits' models on every graph ({} of {}; "
                   "over all blankings Wilcoxon p {})",
                   good, bench.datasets.size(), p_text(wilcoxon_signed_rank(differences).p)),
       good == bench.datasets.size()});
}

// Coverage of sets that n nodes fitted, on m others: E = ceil((n + 1) level) / (n + 1), and about the variance
// E (1 - E) (1 / (n + 2) + 1 / m) of the beta-binomial distribution, half a node to either side for its steps.
bool is_within(double coverage, double n, double m) {
  const double mean = std::ceil((n + 1) * kLevel - 1e-9) / (n + 1);
  const double deviation = std::sqrt(mean * (1 - mean) * (1 / (n + 2) + 1 / m));
  return std::abs(coverage - mean) <= kTwoSided * deviation + 0.5 / m;
}

std::vector<std::string> coverage_graphs(const Workbench& bench) {
  if (bench.quick() || bench.datasets.size() < paper_datasets().size()) return bench.datasets;
  std::vector<std::string> out = paper_datasets();
  out.insert(out.end(), {"cornell-fixed", "minesweeper", "chameleon-filtered", "squirrel-filtered"});
  for (const char* h : {"0.10", "0.30", "0.50", "0.70"})
    for (const char* r : {"1", "2"}) out.push_back(fmt::format("syn-cora/h{}-r{}", h, r));
  return out;
}

// The answers for the test nodes of all splits, one under the other, as trained and scaled. A split of a small graph
// has too few nodes for the fifteen bins of ECE; all of them together do not.
struct PooledAnswers {
  Matrix before, after;
  std::vector<int> labels;
};

PooledAnswers pool_answers(const Experiment& e, const RunResult& result) {
  PooledAnswers out;
  std::vector<Real> before, after;
  const Answers answers = model_answers(e);
  for (const SplitOutcome& s : result.splits) {
    const std::vector<Index>& nodes = e.dataset->splits[s.split].test;
    const Matrix logp = answers(s, nodes), scaled = calibrated(logp, s.decision->temperature);
    before.insert(before.end(), logp.values().begin(), logp.values().end());
    after.insert(after.end(), scaled.values().begin(), scaled.values().end());
    for (Index u : nodes) out.labels.push_back(e.dataset->labels[u]);
  }
  out.before = out.after = Matrix(static_cast<Index>(out.labels.size()), e.dataset->num_classes());
  std::copy(before.begin(), before.end(), out.before.data());
  std::copy(after.begin(), after.end(), out.after.data());
  return out;
}

void add_coverage(Workbench& bench, Chapter& out) {
  Table table{"decisions-coverage",
              "Sets of 90 % and scaled probabilities on the test nodes",
              {"graph", "coverage, %", "within 95 % interval", "classes per set", "temperature", "ECE before, %",
               "ECE after, %"},
              {},
              "Fitted on the validation nodes of a split, measured on its test nodes; means over the splits, ECE over "
              "their test nodes all together. The "
              "interval of a split's coverage is that of the beta-binomial distribution, which validation and test "
              "nodes of a random split give."};
  std::size_t splits = 0, within = 0, graphs = 0, scaled = 0, better = 0;
  double mean = 0;
  for (const std::string& data : coverage_graphs(bench)) {
    bench.announce("sets on " + data);
    Experiment e = bench.prepare(setup_of(data), without_splits(bench.tables(data)));
    e.threads = bench.study().threads;
    e.aims.level = kLevel;
    const RunResult result = run(e, {.should_stop = bench.study().observer.should_stop});
    std::size_t inside = 0;
    for (const SplitOutcome& s : result.splits) {
      const Split& split = e.dataset->splits[s.split];
      inside += is_within(s.decision->coverage, static_cast<double>(split.val.size()),
                          static_cast<double>(split.test.size()));
    }
    const DecisionScores d = *mean_decision(result.splits);
    const PooledAnswers pooled = pool_answers(e, result);
    const double ece_before = measure(Metric::ece, pooled.before, pooled.labels);
    const double ece_after = measure(Metric::ece, pooled.after, pooled.labels);
    splits += result.splits.size();
    within += inside;
    mean += d.coverage;
    ++graphs;
    if (scaled < kScaledGraphs) {
      ++scaled;
      better += ece_after < ece_before;
    }
    table.rows.push_back({data, number_cell(d.coverage, true), fmt::format("{} of {}", inside, result.splits.size()),
                          fmt::format("{:.2f}", d.set_size), fmt::format("{:.2f}", d.temperature),
                          number_cell(ece_before, true), number_cell(ece_after, true)});
  }
  out.tables.push_back(std::move(table));
  out.checks.push_back({fmt::format("coverage lies within its interval on at least nine splits of ten ({} of {}; mean "
                                    "coverage {:.2f} %)",
                                    within, splits, 100 * mean / static_cast<double>(graphs)),
                        10 * within >= 9 * splits});
  if (scaled > 0)
    out.checks.push_back({fmt::format("scaling lowers ECE on all but one at most of the first {} graphs ({} of {})",
                                      kScaledGraphs, better, scaled),
                          better + 1 >= scaled});
}

// One of 25 classes against the others: 4 % of the nodes.
Tables rare_tables() {
  SyntheticOptions options;
  options.classes = 25;
  options.nodes = 5000;
  options.topic = 0.3;
  Tables out = without_splits(make_synthetic(options));
  for (int& label : out.labels) label = label == 0 ? 1 : 0;
  out.classes = {"common", "rare"};
  out.name = "rare";
  return out;
}

void add_rare(Workbench& bench, Chapter& out) {
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
    Setup setup = setup_of("rare");
    setup.options["class_weights"] = weights;
    Experiment e = bench.prepare(setup, rare_tables());
    e.threads = bench.study().threads;
    const RunObserver observer{.should_stop = bench.study().observer.should_stop};
    e.aims.metric = Metric::macro_f1;
    const RunResult by_f1 = run(e, observer);
    e.aims = {};
    e.aims.costs = Matrix(2, 2);
    e.aims.costs(0, 1) = 1;
    e.aims.costs(1, 0) = static_cast<Real>(kMissedCost);
    const DecisionScores f = *mean_decision(by_f1.splits), c = *mean_decision(run(e, observer).splits);
    double recall = 0, precision = 0;
    for (const SplitOutcome& s : by_f1.splits) {
      recall += s.test_classes[1].recall / static_cast<double>(by_f1.splits.size());
      precision += s.test_classes[1].precision / static_cast<double>(by_f1.splits.size());
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

}  // namespace

Chapter decisions_chapter(Workbench& bench) {
  Chapter out{"decisions", "What final models, sets, probabilities and decisions are worth"};
  out.text = {"GCNH with the options of its recipes, clean views, random splits of 48/32/20. Not in the paper."};
  add_finals(bench, out);
  add_coverage(bench, out);
  add_rare(bench, out);
  return out;
}

}  // namespace gcnh::paper
