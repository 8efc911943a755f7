// gcnh train: one model on one or all splits.
#include <fmt/core.h>

#include <cmath>
#include <memory>

#include "cli/commands.h"
#include "cli/final.h"
#include "cli/layout.h"
#include "cli/plan.h"

namespace gcnh::cli {
namespace {

// Every metric, the one that chooses first.
void print_metrics(Metric chosen, std::span<const SplitOutcome> splits) {
  std::vector<Metric> metrics = {chosen};
  for (Metric metric : all_metrics())
    if (metric != chosen) metrics.push_back(metric);
  fmt::print("\n{:17}  {:>14}  {:>14}\n", "metric", "test", "validation");
  for (Metric metric : metrics)
    fmt::print("{:17}  {:>14}  {:>14}\n", title_of(metric), mean_std_text(metric, test_values(splits, metric)),
               mean_std_text(metric, val_values(splits, metric)));
  fmt::print("\n");
}

void print_result(const Experiment& e, const RunResult& result, const std::optional<FinalModel>& final,
                  const std::string& out) {
  fmt::print("{}", describe_data(e));
  if (const Derived& derived = e.dataset->derived; !derived.name.empty())
    fmt::print("       {} {}\n", derived.source, derived.name);
  const SplitOutcome& first = result.splits[0];
  std::vector<std::string> model = {e.model, counted(static_cast<std::int64_t>(first.parameters), "parameter")};
  for (const auto& [name, value] : e.model_options) model.push_back(name + " " + value);
  if (e.parts > 0) model.push_back(counted(e.parts, "part"));
  const Metric metric = e.train.metric;
  const std::string val = "val " + title_of(metric), test = "test " + title_of(metric);
  fmt::print("{}\nsplit  best epoch  {}  {}", in_lines("model  ", model), val, test);
  for (const auto& [name, values] : first.readings) fmt::print("  {}", name);
  fmt::print("\n");
  for (const SplitOutcome& s : result.splits) {
    std::string row =
        fmt::format("{:5}  {:10}  {:>{}}  {:>{}}", s.split, s.best.epoch, value_text(metric, val_value(s, metric)),
                    val.size(), value_text(metric, test_value(s, metric)), test.size());
    for (const auto& [name, values] : s.readings) row = with_reading(row, values);
    fmt::print("{}\n", row);
  }
  const auto mean_text = [&](const std::vector<double>& values) {
    return mean_std_text(metric, values) + (std::isnan(mean_std(values).mean) ? "" : percent_sign(metric));
  };
  fmt::print("\n{}",
             in_lines(test + "  ", {mean_text(test_values(result.splits, metric)),
                                    "validation " + mean_text(val_values(result.splits, metric)),
                                    fmt::format("({}, population std, seed {}, {:.1f} s)",
                                                counted(std::ssize(result.splits), "split"), e.seed, result.seconds)}));
  fmt::print("{}", describe_missing_sets(e));
  print_metrics(metric, result.splits);
  if (const std::string decision = describe_decision(result.splits); !decision.empty()) fmt::print("{}\n", decision);
  if (final) fmt::print("{}\n", describe_final(*final, out + "/final.safetensors"));
  if (out.empty()) {
    fmt::print("nothing was saved; add --out FOLDER to keep the model\n");
  } else {
    fmt::print("{}", in_lines("files  ", {fmt::format("{}/model.safetensors (split {})", out, result.best().split),
                                          out + "/result.json", out + "/curves.jsonl"}));
  }
}

void train(const RunFlags& flags) {
  const std::string& model = flags.setup.model;
  check_options(flags, {model});
  const FinalChoice choice = final_choice(flags, FinalChoice::none);
  std::vector<std::filesystem::path> folders;
  if (!flags.out.empty()) folders = {flags.out};
  check_folders(flags, folders);
  check_final_kept(flags, folders, choice);
  Tables tables = load_tables(flags.data);
  DataNotes notes(flags, tables);
  const Experiment e = make_experiment(flags, std::move(tables), model, notes.remarks());
  notes.tell(e);
  if (flags.plan)
    return print_plan(flags, {{[&] { return e; }}},
                      files_in(flags.out, true, false, choice == FinalChoice::none ? "" : "to deploy"));
  std::optional<RunFolder> folder = open_folder(flags, flags.out);
  std::optional<FinalModel> final;
  const RunResult result = execute(flags, e, folder ? &*folder : nullptr, [&](const RunResult& trained) {
    final = make_final(flags, e, trained, choice);
    if (final) folder->write_final(*final);
  });
  if (flags.json) {
    fmt::print("{}", run_json(e, result, "", final ? final_json(*final) : ""));
  } else {
    print_result(e, result, final, flags.out);
  }
}

}  // namespace

void add_train(CLI::App& app) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* command = app.add_subcommand("train", "train one model and score it on every split");
  command->add_option("--model", flags->setup.model, "which model (gcnh models)")->capture_default_str();
  add_run_flags(*command, *flags);
  command
      ->add_option(
          "--parts", flags->setup.parts,
          "cut the graph into so many parts, which threads and ranks share in each training; 0: it stays whole")
      ->capture_default_str()
      ->check(CLI::Range(0, 1 << 16));
  command->footer(
      "A folder that holds a run is refused without --resume or --force; what else is in it stays.\n"
      "Examples:\n"
      "  gcnh train --data texas --view paper --recipe paper  a cell of the paper's table\n"
      "  gcnh train --nodes users.csv --edges follows.csv --id user --label segment --src a --dst b --out runs/seg\n"
      "  gcnh train --data texas --final --out runs/texas  one model of all labels, for gcnh predict --model "
      "runs/texas\n"
      "  gcnh train --data squirrel --epochs 1500 --out runs/sq  and after Ctrl-C the same with --resume");
  command->callback([flags] { train(*flags); });
}

}  // namespace gcnh::cli
