// Coverage of sets, and calibration error without and with a temperature.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gcnh/paper/decisions.h"
#include "gcnh/run/calibration.h"
#include "gcnh/run/run_files.h"
#include "gcnh/run/runner.h"

namespace gcnh::paper {
namespace {

constexpr double kLevel = 0.9;
constexpr double kTwoSided = 1.959963984540054;  // deviations that hold 95 %
constexpr std::size_t kScaledGraphs = 10;

// Coverage of sets that n nodes fitted, on m others: E = ceil((n + 1) level) / (n + 1), and about the variance
// E (1 - E) (1 / (n + 2) + 1 / m) of the beta-binomial distribution, half a node to either side for its steps.
bool is_within(double coverage, double n, double m) {
  const double mean = std::ceil((n + 1) * kLevel - 1e-9) / (n + 1);
  const double deviation = std::sqrt(mean * (1 - mean) * (1 / (n + 2) + 1 / m));
  return std::abs(coverage - mean) <= kTwoSided * deviation + 0.5 / m;
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

}  // namespace

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
  for (const std::string& data : bench.datasets) {
    if (data == kRare) continue;
    bench.announce("sets on " + data);
    Experiment e = bench.prepare(decisions_setup(data), without_splits(bench.tables(data)));
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
  if (graphs == 0) return;
  out.tables.push_back(std::move(table));
  out.checks.push_back({fmt::format("coverage lies within its interval on at least nine splits of ten ({} of {}; mean "
                                    "coverage {:.2f} %)",
                                    within, splits, 100 * mean / static_cast<double>(graphs)),
                        10 * within >= 9 * splits});
  if (scaled == kScaledGraphs)
    out.checks.push_back({fmt::format("scaling lowers ECE on all but one at most of the first {} graphs ({} of {})",
                                      kScaledGraphs, better, scaled),
                          better + 1 >= scaled});
}

}  // namespace gcnh::paper
