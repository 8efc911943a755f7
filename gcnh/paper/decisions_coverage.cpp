// Coverage of sets, and calibration error without and with a temperature.
#include <fmt/core.h>

#include <cmath>

#include "gcnh/paper/decisions.h"
#include "gcnh/run/run_files.h"

namespace gcnh::paper {
namespace {

constexpr double kTwoSided = 1.959963984540054;  // deviations that hold 95 %
constexpr std::size_t kEnoughGraphs = 20;        // to say on how many a temperature helps

// Coverage of sets that n nodes fitted, on m others: E = ceil((n + 1) level) / (n + 1), and about the variance
// E (1 - E) (1 / (n + 2) + 1 / m) of the beta-binomial distribution, half a node to either side for its steps.
bool is_within(double coverage, double n, double m) {
  const double mean = std::ceil((n + 1) * kLevel - 1e-9) / (n + 1);
  const double deviation = std::sqrt(mean * (1 - mean) * (1 / (n + 2) + 1 / m));
  return std::abs(coverage - mean) <= kTwoSided * deviation + 0.5 / m;
}

}  // namespace

void add_coverage(Workbench& bench, Chapter& out) {
  Table table{"decisions-coverage",
              "Sets of 90 % and scaled probabilities on the test nodes",
              {"graph", "coverage, %", "within 95 % interval", "classes per set", "temperature"},
              {},
              "Fitted on the validation nodes of a split, measured on its test nodes; means over the splits, ECE and "
              "Brier score over their test nodes all together. The interval of a split's coverage is that of the "
              "beta-binomial distribution, which validation and test nodes of a random split give."};
  PooledAnswers::add_columns(table);
  std::size_t splits = 0, within = 0, graphs = 0, better = 0, real = 0, better_real = 0;
  double mean = 0;
  for (const std::string& data : bench.datasets) {
    if (data == kRare) continue;
    bench.announce("sets on " + data);
    const Experiment e = decisions_experiment(bench, bench.tables(data));
    RunFolder folder = kept_in(bench, "sets/" + data);
    const RunResult result = trained(bench, e, folder);
    const std::vector<DecisionScores> scores = score_splits(e, result, {kLevel, {}, {}});
    const Answers answers = model_answers(e);
    PooledAnswers pooled;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const Split& split = e.dataset->splits[result.splits[i].split];
      inside +=
          is_within(scores[i].coverage, static_cast<double>(split.val.size()), static_cast<double>(split.test.size()));
      pooled.add(answers(result.splits[i], split.test), scores[i].temperature, split.test,
                 labels_of(e.dataset->labels, split.test));
    }
    const DecisionScores d = mean_scores(scores);
    splits += result.splits.size();
    within += inside;
    mean += d.coverage;
    ++graphs;
    better += pooled.is_better_scaled();
    if (!data.starts_with("syn-cora/")) {
      ++real;
      better_real += pooled.is_better_scaled();
    }
    table.rows.push_back({data, number_cell(d.coverage, true), fmt::format("{} of {}", inside, result.splits.size()),
                          fmt::format("{:.2f}", d.set_size), fmt::format("{:.2f}", d.temperature)});
    pooled.add_cells(table.rows.back());
  }
  if (graphs == 0) return;
  out.tables.push_back(std::move(table));
  out.checks.push_back({fmt::format("coverage lies within its interval on at least nine splits of ten ({} of {}; mean "
                                    "coverage {:.2f} %)",
                                    within, splits, 100 * mean / static_cast<double>(graphs)),
                        10 * within >= 9 * splits});
  if (graphs >= kEnoughGraphs)
    out.checks.push_back(
        {fmt::format("scaling lowers ECE on at least nine graphs of ten ({} of {}; {} of the {} that are not generated)",
                     better, graphs, better_real, real),
         10 * better >= 9 * graphs});
}

}  // namespace gcnh::paper
