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
  Blanked out{std::move(tables), {}, {}};
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

// The final model of a run that is kept, made where it is not there yet.
TrainedModel final_model(Workbench& bench, const Experiment& e, const RunResult& result, RunFolder& folder) {
  const std::filesystem::path file = folder.path() / "final.safetensors";
  if (!std::filesystem::exists(file))
    folder.write_final(
        make_final(e, result, FinalChoice::automatic, {.should_stop = bench.study().observer.should_stop}));
  return load_model(file);
}

BlankScores score_blanks(Workbench& bench, const std::string& data, int number, PooledAnswers& pooled) {
  const Blanked blanked = blank(bench.tables(data), kBlankSeed + static_cast<std::uint64_t>(number));
  const Experiment e = decisions_experiment(bench, blanked.tables);
  RunFolder folder = kept_in(bench, fmt::format("final/{}/{}", data, number));
  const RunResult result = trained(bench, e, folder);
  TrainedModel final = final_model(bench, e, result, folder);
  BlankScores out;
  const Answers answers = model_answers(e);
  for (const SplitOutcome& s : result.splits)
    out.single += measure(Metric::accuracy, answers(s, blanked.nodes), blanked.labels) /
                  static_cast<double>(result.splits.size());
  out.kind = *final.final;
  const double temperature = std::exchange(final.decision->temperature, 1);
  const Matrix logp = predict(final, fit_to_model(final, blanked.tables), blanked.nodes);
  out.final = measure(Metric::accuracy, logp, blanked.labels);
  pooled.add(logp, temperature, blanked.nodes, blanked.labels);
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
                  "; the first column is the mean of the ten splits' models. Refit and ensemble count what was chosen. "
                  "ECE and Brier score are the final model's on the blanked nodes of all blankings together, without "
                  "and with its temperature."};
  PooledAnswers::add_columns(table);
  std::vector<double> differences;
  std::size_t good = 0, better = 0;
  for (const std::string& data : graphs) {
    bench.announce("final model on " + data);
    std::vector<double> single, final;
    int refits = 0;
    PooledAnswers pooled;
    for (int i = 0; i < (bench.quick() ? 1 : kBlankings); ++i) {
      const BlankScores s = score_blanks(bench, data, i, pooled);
      single.push_back(s.single);
      final.push_back(s.final);
      differences.push_back(s.final - s.single);
      refits += s.kind == FinalKind::refit;
    }
    const double lead = mean_percent(final) - mean_percent(single);
    good += lead >= 0;
    table.rows.push_back({data, percent_cell(single), percent_cell(final), fmt::format("{:+.2f}", lead),
                          std::to_string(refits), std::to_string(std::ssize(final) - refits)});
    pooled.add_cells(table.rows.back());
    better += pooled.is_better_scaled();
  }
  out.tables.push_back(std::move(table));
  out.checks.push_back(
      {fmt::format("the final model is at least as good as the splits' models on every graph ({} of {}; "
                   "over all blankings Wilcoxon p {})",
                   good, graphs.size(), p_text(wilcoxon_signed_rank(differences).p)),
       good == graphs.size()});
  if (graphs.size() == paper_datasets().size())
    out.checks.push_back({fmt::format("its temperature lowers the ECE of the final model on all but one at most of the "
                                      "graphs ({} of {})",
                                      better, graphs.size()),
                          better + 1 >= graphs.size()});
}

}  // namespace gcnh::paper
