// gcnh compare: several models on the same splits, side by side, and how sure the differences are.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/experiment.h"

namespace gcnh::cli {
namespace {

constexpr const char* kBlindModel = "mlp";  // never sees the graph

struct CompareFlags : RunFlags {
  std::vector<std::string> models = {"gcnh", "gcn", "mlp"};
};

void print_row(const std::string& model, const RunResult& result) {
  fmt::print("{:7} {:>15}  {:>15}  {:10}  {:7.1f}", model, percent(test_accuracy(result)),
             percent(val_accuracy(result)), result.parameters, result.seconds);
  for (const auto& [name, values] : result.best().readings)
    for (double v : values) fmt::print("  {:.2f}", v);
  fmt::print("\n");
  std::fflush(stdout);
}

std::string points(double share) { return fmt::format("{:+.2f}", 100 * share); }
std::string points(const Interval& i) { return points(i.low) + " to " + points(i.high); }
std::string p_value(double p) { return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p); }
std::string p_equals(double p) { return p < 0.0001 ? "p < 0.0001" : "p = " + p_value(p); }

void print_tests(const Comparison& c) {
  const std::string& reference = c.models[c.reference];
  fmt::print("\ntest accuracy of {} (best validation mean) minus the model's, in points, paired by split ({} splits)\n",
             reference, c.pairs);
  fmt::print("model    difference       95 % interval  p corrected t  p Holm   p Wilcoxon\n");
  for (const PairedDifference& d : c.others) {
    fmt::print("{:7}  {:>10}", c.models[d.second], points(d.test.mean));
    if (c.can_test())
      fmt::print("  {:>18}  {:>13}  {:>7}  {:>11}", points(d.test.interval), p_value(d.test.p), p_value(d.p_holm),
                 p_value(d.p_wilcoxon));
    fmt::print("\n");
  }
}

std::string evidence(const Comparison& c, const PairedDifference& d) {
  std::string out = fmt::format("{} - {} = {} points (", c.models[d.first], c.models[d.second], points(d.test.mean));
  if (c.can_test()) {
    out += fmt::format("95 % interval {}{}, corrected t {}", points(d.test.interval),
                       d.test.interval.contains(0) ? " contains 0" : "", p_equals(d.test.p));
    if (d.p_holm != d.test.p) out += fmt::format(", after Holm {}", p_equals(d.p_holm));
    out += fmt::format(", Wilcoxon {}, ", p_equals(d.p_wilcoxon));
  }
  return out + fmt::format("{} paired split{})", c.pairs, c.pairs == 1 ? "" : "s");
}

// What a difference means; `blind` when it is one to the model that never sees the graph.
std::string meaning(Finding finding, bool blind, const std::string& first, const std::string& second) {
  switch (finding) {
    case Finding::too_few_splits:
      return fmt::format("too few splits for a test, {} are needed", Comparison::kFewestPairs);
    case Finding::interval_contains_zero:
      return blind ? "not shown whether the graph helps" : "no difference shown";
    case Finding::lost_to_holm:
      return std::string(blind ? "not shown whether the graph helps" : "no difference shown") + " with so many models";
    case Finding::better:
      return blind ? "graph helps" : first + " is better than " + second;
    case Finding::worse:
      return blind ? "graph hurts" : first + " is worse than " + second;
  }
  return "";
}

void print_verdict(const Comparison& c) {
  const auto blind = std::find(c.models.begin(), c.models.end(), kBlindModel);
  const bool has_blind = blind != c.models.end();
  const PairedDifference d =
      best_against(c, has_blind ? static_cast<std::size_t>(blind - c.models.begin()) : c.runner_up);
  fmt::print("\n{}: {}\n", meaning(finding(c, d), has_blind, c.models[d.first], c.models[d.second]), evidence(c, d));
}

void compare(const CompareFlags& flags) {
  check_options(flags, flags.models);
  const Tables tables = load_tables(flags.data);
  std::vector<Scores> rows;
  std::vector<std::string> runs;
  std::vector<std::filesystem::path> folders;
  for (const std::string& model : flags.models) {
    Experiment e = prepare(flags, tables, model);
    if (!flags.out.empty()) e.config.out = folders.emplace_back(std::filesystem::path(flags.out) / model);
    const RunResult result = execute(flags, e);
    if (flags.json) {
      runs.push_back(run_json(e.dataset, e.card, e.config, result));
    } else {
      if (rows.empty())
        fmt::print("data   {}\n\nmodel   test accuracy    validation       parameters  seconds  beta\n",
                   describe_data(e));
      print_row(model, result);
    }
    rows.push_back(scores(e.dataset, e.config, result));
  }
  const Comparison comparison = compare_models(rows);
  const std::filesystem::path page = std::filesystem::path(flags.out) / "report.html";
  if (!flags.out.empty()) write_atomically(page, to_html(report_runs(folders)));
  if (flags.json) {
    fmt::print("{}", comparison_json(runs, comparison));
    return;
  }
  fmt::print("\nmean ± population std over the same splits, in percent; beta is the weight a node gives itself\n");
  if (!comparison.others.empty()) {
    print_tests(comparison);
    print_verdict(comparison);
  }
  if (flags.out.empty()) return;
  fmt::print("files  {}/MODEL/{{model.safetensors,result.json,curves.jsonl,predictions.csv}}\n", flags.out);
  fmt::print("report {}\n", page.string());
}

}  // namespace

void add_compare(CLI::App& app) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand("compare", "train several models on the same splits and print one table");
  command->add_option("--models", flags->models, "comma-separated")->delimiter(',')->capture_default_str();
  add_run_flags(*command, *flags);
  command->footer(
      "Does the graph help? Compare gcnh with mlp, which never sees it.\n"
      "The model with the best mean validation accuracy is the reference. Differences of test accuracies to it: "
      "corrected "
      "resampled t-test\n(Nadeau and Bengio 2003; test nodes per training node widen the interval), p adjusted by "
      "Holm, "
      "Wilcoxon's signed ranks.\n"
      "--json prints the array of runs; all but the reference's have a key \"comparison\" with these numbers.");
  command->callback([flags] { compare(*flags); });
}

}  // namespace gcnh::cli
