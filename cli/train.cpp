// gcnh train: one model on one or all splits.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/experiment.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

struct TrainFlags : RunFlags {
  std::string model = "gcnh";
};

void print_result(const Experiment& e, const RunResult& result) {
  fmt::print("{}", describe_data(e));
  if (const Derived& derived = e.dataset.derived; !derived.name.empty())
    fmt::print("       {} {}\n", derived.source, derived.name);
  std::vector<std::string> model = {e.config.model, counted(static_cast<std::int64_t>(result.parameters), "parameter")};
  for (const auto& [name, value] : e.config.model_options) model.push_back(name + " " + value);
  fmt::print("{}\nsplit  best epoch  val acc  test acc", in_lines("model  ", model));
  for (const auto& [name, values] : result.splits[0].readings) fmt::print("  {}", name);
  fmt::print("\n");
  for (const SplitResult& s : result.splits) {
    fmt::print("{:5}  {:10}  {:7.2f}  {:8.2f}", s.split, s.state.best_epoch, 100 * s.state.best.accuracy,
               100 * s.test_accuracy);
    for (const auto& [name, values] : s.readings)
      for (double v : values) fmt::print("  {:.2f}", v);
    fmt::print("\n");
  }
  const MeanStd test = test_accuracy(result), val = val_accuracy(result);
  fmt::print("\n{}", in_lines("test accuracy  ", {percent(test) + " %", "validation " + percent(val) + " %",
                                                  fmt::format("({}, population std, seed {}, {:.1f} s)",
                                                              counted(std::ssize(result.splits), "split"),
                                                              e.config.seed, result.seconds)}));
  if (e.config.out.empty()) {
    fmt::print("nothing was saved; add --out FOLDER to keep the model\n");
  } else {
    const std::string out = e.config.out.string();
    fmt::print("{}", in_lines("files  ", {fmt::format("{}/model.safetensors (split {})", out, result.best().split),
                                          out + "/result.json", out + "/curves.jsonl"}));
  }
}

void train(const TrainFlags& flags) {
  check_options(flags, {flags.model});
  std::vector<std::filesystem::path> folders;
  if (!flags.out.empty()) folders = {flags.out};
  check_folders(flags, folders);
  const Experiment e = prepare(flags, load_tables(flags.data), flags.model);
  const std::vector<FolderLock> locks = claim_folders(flags, folders);
  const RunResult result = execute(flags, e);
  if (flags.json) {
    fmt::print("{}", run_json(e.dataset, e.card, e.config, result));
  } else {
    print_result(e, result);
  }
}

}  // namespace

void add_train(CLI::App& app) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App* command = app.add_subcommand("train", "train one model and score it on every split");
  command->add_option("--model", flags->model, "which model (gcnh models)")->capture_default_str();
  add_run_flags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  gcnh train                                            the built-in graph\n"
      "  gcnh train --data texas --view paper --recipe paper   a cell of the paper's table\n"
      "  gcnh train --nodes users.csv --edges follows.csv --id user --label segment --src a --dst b --out runs/seg\n"
      "  gcnh train --data squirrel --epochs 1500 --out runs/sq   and after Ctrl-C the same with --resume\n"
      "A folder that holds a run is refused without --resume or --force; what else is in it stays.");
  command->callback([flags] { train(*flags); });
}

}  // namespace gcnh::cli
