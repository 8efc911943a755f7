// gcnh models: what can be trained, with which options, and how many parameters that makes on a graph.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

struct ModelsFlags {
  DataFlags data;
  std::string recipe;
  bool json = false;
};

void print_options() {
  std::size_t width = 0;
  for (const ModelType& type : model_types())
    for (const OptionInfo& info : type.options) width = std::max(width, flag_name(info.name).size());
  for (const ModelType& type : model_types()) {
    fmt::print("{}: {}\n", type.name, type.summary);
    for (const OptionInfo& info : type.options)
      fmt::print("  {:{}}  {} [{}]\n", flag_name(info.name), width, info.help, info.value);
  }
}

// With a recipe, its options and its view of the graph: some views have a feature more or less.
ModelSize measure(const ModelType& type, const ModelsFlags& flags, const Tables& tables) {
  OptionValues values;
  View view;
  if (!flags.recipe.empty()) {
    values = recipe_options(flags.recipe, type.name, tables.name);
    view = recipe_view(flags.recipe, type.name, tables.name);
  }
  OptionValues options;
  for (const OptionInfo& info : type.options)
    options[info.name] = values.contains(info.name) ? values.at(info.name) : info.value;
  const Dataset dataset = make_dataset_for(type, options, tables, view);
  return {type.name, type.make(dataset, options, Rng(0))->num_parameters(), options};
}

void print_table(const std::string& data, const std::vector<ModelSize>& sizes) {
  std::size_t width = 5;
  for (const ModelSize& size : sizes) width = std::max(width, size.model.size());
  fmt::print("data   {}\n\n{:{}}  parameters  options\n", data, "model", width);
  for (const ModelSize& size : sizes) {
    std::vector<std::string> options;
    for (const auto& [name, value] : size.options) options.push_back(name + " " + value);
    fmt::print("{}", in_lines(fmt::format("{:{}}  {:10}  ", size.model, width, size.parameters), options));
  }
}

void models(const ModelsFlags& flags) {
  if (flags.data.data.empty() && flags.data.csv.nodes.empty() && flags.data.csv.edges.empty() &&
      flags.data.csv.database.empty()) {
    if (!flags.recipe.empty() || flags.json) fail(Status::usage, "--recipe and --json need a graph: add --data NAME");
    return print_options();
  }
  const Tables tables = load_tables(flags.data);
  std::vector<ModelSize> sizes;
  for (const ModelType& type : model_types()) sizes.push_back(measure(type, flags, tables));
  if (flags.json) {
    fmt::print("{}", models_json(tables.name, sizes));
  } else {
    print_table(tables.name, sizes);
  }
}

}  // namespace

void add_models(CLI::App& app) {
  auto flags = std::make_shared<ModelsFlags>();
  CLI::App* command =
      app.add_subcommand("models", "the models and their options; with a graph, their parameters on it");
  add_data_flags(*command, flags->data);
  command->add_option("--recipe", flags->recipe, "paper: the published values of each model for this graph");
  add_quiet_flag(*command, flags->data);
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  command->footer(
      "Examples:\n"
      "  gcnh models                                 options and defaults\n"
      "  gcnh models --data cora --recipe paper      how many parameters the published settings have");
  command->callback([flags] { models(*flags); });
}

}  // namespace gcnh::cli
