#include "gcnh/study/experiment.h"

#include <fmt/core.h>

#include <numeric>

#include "gcnh/graph/content_hash.h"
#include "gcnh/graph/splits.h"
#include "gcnh/models/model.h"
#include "gcnh/train/recipe.h"

namespace gcnh {
namespace {

constexpr std::uint64_t kSplitSeed = 48'32'20;

View choose_view(const Setup& setup, const std::string& dataset) {
  require_one_of("view", setup.view, {"clean", "paper"});
  return setup.view == "clean" ? View{} : recipe_view("paper", setup.model, dataset);
}

// Random splits for tables that bring none. They depend on the labels and the shares only, so that every model, seed
// and machine is compared on the same ones.
void add_splits(const Setup& setup, Dataset& dataset) {
  if (!dataset.splits.empty()) return;
  if (setup.num_splits < 1) fail(Status::usage, "num_splits: ", setup.num_splits, " is below 1");
  dataset.splits = stratified_splits(dataset.labels, dataset.num_classes(), setup.train_share, setup.val_share,
                                     setup.num_splits, Rng(kSplitSeed));
}

void check_learnable(const Dataset& dataset) {
  require(dataset.features.cols() > 0, dataset.name, ": no features; give every node at least one column of numbers");
  require(dataset.num_classes() > 1, dataset.name, ": a single class; there is nothing to tell apart");
}

}  // namespace

Experiment prepare(const Setup& setup, Tables tables) {
  const ModelType& type = find_model_type(setup.model);
  const std::string name = tables.name;
  const View view = choose_view(setup, name);
  OptionValues values;
  if (!setup.recipe.empty()) values = recipe_options(setup.recipe, setup.model, name);
  for (const auto& [option, value] : setup.options) values[option] = value;

  OptionValues model_options;
  for (const OptionInfo& info : type.options)
    model_options[info.name] = values.contains(info.name) ? values.at(info.name) : info.value;

  Experiment out;
  out.dataset = make_dataset_for(type, model_options, std::move(tables), view);
  check_learnable(out.dataset);
  out.view = view;
  const auto recipe_scale = values.find("scale");
  const bool use_recipe = setup.scale == "auto" && recipe_scale != values.end();
  Scale scale{};
  parse_text("scale", use_recipe ? recipe_scale->second : setup.scale, scale);
  out.scaling = fit_scaling(scale, out.dataset.features);
  apply_scaling(out.scaling, out.dataset.features);
  out.card = {name, setup.view, to_word(out.scaling.kind)};
  add_splits(setup, out.dataset);
  out.hash = fmt::format("{:016x}", content_hash(out.dataset));

  out.config.model = setup.model;
  out.config.model_options = std::move(model_options);
  assign(out.config.train, values);
  out.config.splits.resize(out.dataset.splits.size());
  std::iota(out.config.splits.begin(), out.config.splits.end(), 0);
  return out;
}

RunConfig with_options(const Experiment& experiment, const OptionValues& options) {
  RunConfig out = experiment.config;
  OptionValues train = to_values(out.train);
  for (const auto& [name, value] : options) {
    if (out.model_options.contains(name)) {
      out.model_options[name] = value;
    } else if (train.contains(name)) {
      train[name] = value;
    } else {
      std::vector<std::string> known;
      for (const OptionValues& some : {out.model_options, train})
        for (const auto& [option, text] : some) known.push_back(option);
      fail(Status::usage, "model '", out.model, "' has no option '", name, "'", did_you_mean(name, known),
           "; it has: ", list_words(known));
    }
  }
  assign(out.train, train);
  if (!derives_alike(find_model_type(out.model), experiment.config.model_options, out.model_options))
    fail(Status::usage, "model '", out.model, "' reads other ", experiment.dataset.derived.name,
         " with these options; give such an option a fixed value and make a search for each");
  return out;
}

}  // namespace gcnh
