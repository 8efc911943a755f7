// gcnh compare: several models on the same splits, side by side.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/experiment.h"

namespace gcnh::cli {
namespace {

struct CompareFlags : RunFlags {
  std::vector<std::string> models = {"gcnh", "gcn", "mlp"};
};

void compare(const CompareFlags& flags) {
  check_options(flags, flags.models);
  const Tables tables = load_tables(flags.data);
  bool first = true;
  std::string json;
  for (const std::string& model : flags.models) {
    Experiment e = prepare(flags, tables, model);
    if (!flags.out.empty()) e.config.out = std::filesystem::path(flags.out) / model;
    const RunResult result = execute(flags, e);
    if (flags.json) {
      json += (first ? "[" : ",") + run_json(e.dataset, e.card, e.config, result);
    } else {
      if (first)
        fmt::print("data   {}\n\nmodel   test accuracy    validation       parameters  seconds  beta\n",
                   describe_data(e));
      fmt::print("{:6}  {:>15}  {:>15}  {:10}  {:7.1f}", model, percent(test_accuracy(result)),
                 percent(val_accuracy(result)), result.parameters, result.seconds);
      for (const auto& [name, values] : result.best().readings)
        for (double v : values) fmt::print("  {:.2f}", v);
      fmt::print("\n");
      std::fflush(stdout);
    }
    first = false;
  }
  if (flags.json) {
    fmt::print("{}]\n", json);
    return;
  }
  fmt::print("\nmean ± population std over the same splits, in percent; beta is the weight a node gives itself\n");
  if (!flags.out.empty()) fmt::print("files  {}/MODEL/{{model.safetensors,result.json,curves.jsonl}}\n", flags.out);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand("compare", "train several models on the same splits and print one table");
  command->add_option("--models", flags->models, "comma-separated")->delimiter(',')->capture_default_str();
  add_run_flags(*command, *flags);
  command->footer("Does the graph help? Compare gcnh with mlp, which never sees it.");
  command->callback([flags] { compare(*flags); });
}

}  // namespace gcnh::cli
