#include "gcnh/train/recipe.h"

#include <toml++/toml.h>

#include <sstream>

namespace gcnh {
namespace {

std::string text_of(const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* whole = value.as_integer()) return std::to_string(whole->get());
  return to_text(value.as_floating_point()->get());
}

void add_values(const toml::table* table, OptionValues& out) {
  if (!table) return;
  for (const auto& [key, value] : *table) out[std::string(key.str())] = text_of(value);
}

// The table [recipe] of the model's file.
toml::table find_recipe(const std::string& recipe, const std::string& model) {
  for (const RecipeFile& file : recipe_files()) {
    if (file.model != model) continue;
    const toml::table all = toml::parse(file.text);
    std::vector<std::string> names;
    for (const auto& [key, value] : all) names.emplace_back(key.str());
    const toml::table* found = all[recipe].as_table();
    if (!found) fail(Status::usage, "model '", model, "' has no recipe '", recipe, "'; it has: ", list_words(names));
    return *found;
  }
  fail(Status::usage, "there are no recipes for model '", model, "'");
}

// syn-cora/h0.10-r1 is a dataset of the family syn-cora.
std::string family(const std::string& dataset) { return dataset.substr(0, dataset.find('/')); }

}  // namespace

OptionValues recipe_options(const std::string& recipe, const std::string& model, const std::string& dataset) {
  const toml::table table = find_recipe(recipe, model);
  const toml::table* datasets = table["data"].as_table();
  const toml::table* entry = datasets ? (*datasets)[family(dataset)].as_table() : nullptr;
  if (!entry) {
    std::vector<std::string> names;
    for (const auto& [key, value] : *datasets) names.emplace_back(key.str());
    fail(Status::usage, "recipe '", recipe, "' of model '", model, "' has no values for dataset '", dataset,
         "'; it has: ", list_words(names));
  }
  OptionValues out;
  add_values(table["options"].as_table(), out);
  add_values((*entry)["options"].as_table(), out);
  return out;
}

View recipe_view(const std::string& recipe, const std::string& model, const std::string& dataset) {
  const toml::table table = find_recipe(recipe, model);
  OptionValues values;
  add_values(table["view"].as_table(), values);
  add_values(table["data"][family(dataset)]["view"].as_table(), values);
  View view;
  assign(view, values);
  return view;
}

}  // namespace gcnh
