// gcnh compare: several models on the same splits, side by side, and how sure the differences are.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/experiment.h"
#include "cli/layout.h"
#include "cli/plan.h"

namespace gcnh::cli {
namespace {

struct CompareFlags : RunFlags {
  std::vector<std::string> models = {"gcnh", "gcn", "mlp"};
};

// Names of models take as much room as the longest, or their heading.
std::size_t name_width(const std::vector<std::string>& models) {
  std::size_t width = 5;
  for (const std::string& model : models) width = std::max(width, model.size());
  return width;
}

// As wide as mean ± std, or the heading.
std::size_t score_width(Metric metric) { return std::max<std::size_t>(14, 5 + title_of(metric).size()); }

void print_head(std::size_t width, Metric metric) {
  fmt::print("\n{:{}}  {:>{}}  {:>14}  {:>10}  {:>7}", "model", width, "test " + title_of(metric), score_width(metric),
             "validation", "parameters", "seconds");
  for (const ReadingInfo& info : known_readings()) fmt::print("  {}", info.name);
  fmt::print("\n");
}

// Each value below the name of its reading, which other models need not have.
std::string readings_cells(const Readings& readings) {
  std::string out;
  for (const ReadingInfo& info : known_readings()) {
    const auto own = readings.find(info.name);
    const std::string text = own == readings.end() ? "" : readings_text({*own});
    out += text + std::string(info.name.size() + 2 - std::min(text.size(), info.name.size() + 2), ' ');
  }
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

void print_row(const std::string& model, const RunResult& result, std::size_t width, Metric metric) {
  fmt::print("{:{}}  {:>{}}  {:>14}  {:10}  {:7.1f}{}\n", model, width,
             mean_std_text(metric, test_values(result.splits, metric)), score_width(metric),
             mean_std_text(metric, val_values(result.splits, metric)), result.splits[0].parameters, result.seconds,
             readings_cells(mean_readings(result.splits)));
  std::fflush(stdout);
}

void print_tests(const Comparison& c) {
  const std::size_t width = name_width(c.models);
  fmt::print("\ntest {} of {} (best validation mean)\n", title_of(c.metric), c.models[c.reference]);
  fmt::print("minus the model's{}, paired by split ({})\n", is_share(c.metric) ? ", in points" : "",
             counted(static_cast<std::int64_t>(c.pairs), "split"));
  fmt::print("{:{}}  {:>10}  {:>18}  {:>13}  {:>7}  {:>10}\n", "model", width, "difference", "95 % interval",
             "p corrected t", "p Holm", "p Wilcoxon");
  for (const PairedDifference& d : c.others) {
    fmt::print("{:{}}  {:>10}", c.models[d.second], width, difference_text(c.metric, d.test.mean));
    if (c.can_test())
      fmt::print("  {:>18}  {:>13}  {:>7}  {:>10}", interval_text(c.metric, d.test.interval), p_text(d.test.p),
                 p_text(d.p_holm), p_text(d.p_wilcoxon));
    fmt::print("\n");
  }
}

std::vector<std::filesystem::path> model_folders(const CompareFlags& flags) {
  std::vector<std::filesystem::path> out;
  if (flags.out.empty()) return out;
  for (const std::string& model : flags.models) out.push_back(std::filesystem::path(flags.out) / model);
  return out;
}

// A report of some of the models must not take the place of one of all.
void check_models(const CompareFlags& flags, const std::vector<std::string>& kept) {
  const std::vector<std::string>& named = flags.models;
  std::vector<std::string> others;
  for (const std::string& model : kept)
    if (std::find(named.begin(), named.end(), model) == named.end()) others.push_back(model);
  if (others.empty()) return;
  std::string all;
  for (const auto& models : {named, others})
    for (const std::string& model : models) all += (all.empty() ? "" : ",") + model;
  fail(Status::usage, flags.out, " also holds ", list_words(others), "; continue with --resume --models ", all,
       ", or take another --out");
}

// What else is in the folder of a comparison: a single run, other models, or its beginning.
void check_comparison(const CompareFlags& flags, const std::filesystem::path& page) {
  if (flags.out.empty()) return;
  if (holds_run(flags.out)) fail(Status::usage, flags.out, " holds a single run; take another --out for a comparison");
  if (flags.force) return;
  const std::vector<std::string> kept = compared_models(flags.out);
  check_models(flags, kept);
  if (!flags.resume && !kept.empty() && !std::filesystem::exists(page))
    fail(Status::usage, flags.out,
         " holds an unfinished comparison; add --resume to continue it or --force to begin anew, or take another "
         "--out");
}

// The report of another comparison, or what somebody else calls so.
void check_page(const CompareFlags& flags, const std::filesystem::path& page) {
  const bool continues = flags.resume && !compared_models(flags.out).empty();
  if (flags.out.empty() || continues || flags.force || !std::filesystem::exists(page)) return;
  fail(Status::usage, page.string(), " is there already; take another --out, or add --force to replace it");
}

void plan(const CompareFlags& flags, const Tables& tables) {
  std::vector<PlannedRun> runs;
  for (const std::string& model : flags.models) runs.push_back({[&] { return make_experiment(flags, tables, model); }});
  std::vector<std::string> written = files_in(flags.out.empty() ? "" : flags.out + "/MODEL");
  if (!written.empty()) written.push_back(flags.out + "/report.html");
  print_plan(flags, runs, written);
}

void compare(const CompareFlags& flags) {
  check_options(flags, flags.models);
  const std::filesystem::path page = std::filesystem::path(flags.out) / "report.html";
  const std::vector<std::filesystem::path> folders = model_folders(flags);
  check_comparison(flags, page);
  check_folders(flags, folders);
  check_page(flags, page);
  const Tables tables = load_tables(flags.data);
  DataNotes notes(flags, tables);
  if (flags.plan) return plan(flags, tables);
  if (flags.force)
    for (const std::string& model : flags.models)
      make_experiment(flags, tables, model);  // nothing is cleared for wrong options
  std::vector<std::pair<Experiment, RunResult>> runs;
  runs.reserve(flags.models.size());  // contenders refer to them
  std::vector<Contender> contenders;
  std::optional<FolderLock> whole;
  std::vector<std::optional<RunFolder>> opened;
  for (const std::string& model : flags.models) {
    const Experiment e = make_experiment(flags, tables, model, notes.remarks());
    notes.tell(e);
    if (!flags.out.empty() && !whole) {  // of all models, now that the flags are known to be right
      whole.emplace(flags.out);
      for (const std::filesystem::path& folder : folders) opened.push_back(open_folder(flags, folder));
    }
    runs.emplace_back(e, execute(flags, e, opened.empty() ? nullptr : &*opened[runs.size()]));
    contenders.push_back(contender(e, runs.back().second));
    for (SplitOutcome& split : runs.back().second.splits) split.weights.clear();  // written where they are wanted
    if (flags.json) continue;
    runs.back().first.dataset.reset();  // only JSON tells of it; large graphs are not all kept
    if (runs.size() == 1) {
      fmt::print("{}", describe_data(e));
      print_head(name_width(flags.models), e.train.metric);
    }
    print_row(model, runs.back().second, name_width(flags.models), e.train.metric);
  }
  const Metric metric = runs.front().first.train.metric;
  const Comparison comparison = compare_models(contenders, {}, metric);
  if (!flags.out.empty()) write_atomically(page, to_html(report_runs(folders)));
  if (flags.json) {
    fmt::print("{}", comparison_json(runs, comparison));
    return;
  }
  fmt::print("\nmean ± population std over the same splits{}\n", is_share(metric) ? ", in percent" : "");
  for (const ReadingInfo& info : known_readings()) fmt::print("{}: {}, mean over the splits\n", info.name, info.help);
  if (!comparison.others.empty()) {
    print_tests(comparison);
    fmt::print("\n{}", wrapped("", verdict(comparison)));
  }
  if (flags.out.empty()) return;
  fmt::print("{}", in_lines("files  ", {flags.out + "/MODEL/model.safetensors", "result.json", "curves.jsonl",
                                        "predictions.csv"}));
  fmt::print("report {}\n", page.string());
}

}  // namespace

void add_compare(CLI::App& app) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand("compare", "train several models on the same splits and print one table");
  take_list(command->add_option("--models", flags->models, "comma-separated"))->capture_default_str();
  add_run_flags(*command, *flags);
  command->footer(
      "Does the graph help? Compare gcnh with mlp, which never sees it.\n"
      "The model with the best mean validation value of the metric (--metric) is the reference. Differences on the "
      "test "
      "nodes to it: corrected resampled t-test (Nadeau and Bengio 2003; test nodes per training node widen the "
      "interval), p adjusted by Holm, Wilcoxon's signed ranks.\n"
      "A folder that holds runs of these models is refused without --resume or --force; what else is in it stays.\n"
      "--json prints the array of runs; all but the reference's have a key \"comparison\" with these numbers.\n"
      "Examples:\n"
      "  gcnh compare --data chameleon --models gcnh,gcn,gat,mlp  a known graph\n"
      "  gcnh compare --nodes users.csv --edges follows.csv --id user --label segment --src a --dst b --out runs/seg");
  command->callback([flags] { compare(*flags); });
}

}  // namespace gcnh::cli
