// gcnh models: what can be trained, with which options, and how many parameters that makes on a graph.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

struct ModelsFlags {
  std::string name;
  DataFlags data;
  std::string recipe;
  bool json = false;
};

void print_names() {
  for (const ModelType& type : model_types()) fmt::print("{}", row(type.name, type.summary, 11));
  fmt::print("\ngcnh models NAME shows the options of a model; docs/models.md has the equations.\n");
}

// The options of all models stand in one column.
void print_options(const ModelType& type) {
  const std::size_t width = terminal_width(STDOUT_FILENO);
  std::size_t longest = 0;
  for (const ModelType& other : model_types())
    for (const OptionInfo& info : other.options) longest = std::max(longest, flag_name(info.name).size());
  fmt::print("{}", wrapped("", type.name + ": " + type.summary, width));
  for (const OptionInfo& info : type.options)
    fmt::print("{}", row(flag_name(info.name), info.help + " [" + info.value + "]", longest + 4, width));
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
    return flags.name.empty() ? print_names() : print_options(find_model_type(flags.name));
  }
  if (!flags.name.empty()) find_model_type(flags.name);  // before anything is read
  const Tables tables = load_tables(flags.data);
  std::vector<ModelSize> sizes;
  for (const ModelType& type : model_types())
    if (flags.name.empty() || flags.name == type.name) sizes.push_back(measure(type, flags, tables));
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
  command->add_option("NAME", flags->name, "one model: its options, or its parameters on the graph");
  add_data_flags(*command, flags->data);
  command->add_option("--recipe", flags->recipe, "paper: the published values of each model for this graph");
  add_quiet_flag(*command, flags->data);
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  command->footer(
      "Examples:\n"
      "  gcnh models gat  its options and their defaults\n"
      "  gcnh models --data cora --recipe paper  how many parameters the published settings have");
  command->callback([flags] { models(*flags); });
}

}  // namespace gcnh::cli
