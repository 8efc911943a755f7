// Final models beside the models of the splits.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "gcnh/paper/decisions.h"
#include "gcnh/run/final.h"
#include "gcnh/run/predict.h"
#include "gcnh/run/run_files.h"
#include "gcnh/study/comparison.h"

namespace gcnh::paper {
namespace {

constexpr double kBlankShare = 0.2;
constexpr int kBlankings = 5;  // of every graph
constexpr std::uint64_t kBlankSeed = 17;

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
  Experiment e = bench.prepare(decisions_setup(data), blanked.tables);
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

}  // namespace

void add_finals(Workbench& bench, Chapter& out) {
  const std::vector<std::string> graphs = bench.among(paper_datasets());
  if (graphs.empty()) return;
  Table table{"decisions-final",
              "Accuracy on a fifth of the labels that nobody saw, in percent",
              {"graph", "models of the splits", "final model", "difference", "refit", "ensemble"},
              {},
              "The labels of 20 % of every class are blanked, ten splits are drawn of the others. Means over " +
                  counted(bench.quick() ? 1 : kBlankings, "blanking") +
                  "; the first column is the mean of the ten splits' models. The last two count what was chosen."};
  std::vector<double> differences;
  std::size_t good = 0;
  for (const std::string& data : graphs) {
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
                   good, graphs.size(), p_text(wilcoxon_signed_rank(differences).p)),
       good == graphs.size()});
}

}  // namespace gcnh::paper
