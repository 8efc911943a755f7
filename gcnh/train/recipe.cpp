#include "gcnh/train/recipe.h"

#include <toml++/toml.h>

#include <algorithm>

#include "gcnh/io/file.h"

namespace gcnh {
namespace {

std::string text_of(const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* whole = value.as_integer()) return std::to_string(whole->get());
  if (const auto* number = value.as_floating_point()) return to_text(number->get());
  fail(Status::data, "line ", value.source().begin.line, ": a value is neither a number nor a word");
}

void add_values(const toml::table* table, OptionValues& out) {
  if (!table) return;
  for (const auto& [key, value] : *table) out[std::string(key.str())] = text_of(value);
}

toml::table find_file(const std::string& name) {
  for (const RecipeFile& file : recipe_files())
    if (file.name == name) return toml::parse(file.text);
  return {};
}

std::vector<std::string> keys(const toml::table& table) {
  std::vector<std::string> out;
  for (const auto& [key, value] : table) out.emplace_back(key.str());
  return out;
}

toml::table parse_file(const std::string& name) {
  try {
    return toml::parse(read_file(name), name);
  } catch (const toml::parse_error& error) {
    fail(Status::data, name, ":", error.source().begin.line, ": ", error.description());
  }
}

// The table [recipe] of the model's file, or a file of the user's.
toml::table find_recipe(const std::string& recipe, const std::string& model) {
  if (recipe.ends_with(".toml")) {
    toml::table own = parse_file(recipe);
    const std::string of = own["model"].value_or(model);
    if (of != model) fail(Status::usage, recipe, ": options of model '", of, "', not of '", model, "'");
    return own;
  }
  toml::table all = find_file(model);
  if (all.empty()) fail(Status::usage, "there are no recipes for model '", model, "'");
  all.erase("grid");
  const toml::table* found = all[recipe].as_table();
  if (!found)
    fail(Status::usage, "model '", model, "' has no recipe '", recipe, "'; it has: ", list_words(keys(all)),
         "; a file of your own ends in .toml");
  return *found;
}

// The table of a grid: of the model's file, or a file of the user's.
toml::table find_grid_table(const std::string& name, const std::string& model) {
  if (name.ends_with(".toml")) return parse_file(name);
  std::vector<std::string> names;
  for (const std::string& file : {model, std::string("default")}) {
    toml::table all = find_file(file);
    const toml::table* grids = all["grid"].as_table();
    if (!grids) continue;
    if (const toml::table* found = (*grids)[name].as_table()) return *found;
    for (const std::string& key : keys(*grids))
      if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(key);
  }
  fail(Status::usage, "model '", model, "' has no grid '", name, "'; it has: ", list_words(names),
       "; a file of your own ends in .toml");
}

// Adds the axes of a table, or replaces those that are there.
void add_axes(const std::string& grid, const toml::table& table, Grid& out) {
  for (const auto& [key, value] : table) {
    if (key.str() == "data") continue;
    const toml::array* values = value.as_array();
    if (!values || values->empty())
      fail(Status::data, "grid '", grid, "', line ", value.source().begin.line, ": '", key.str(),
           "' is not a list of values, such as [16, 32]");
    GridAxis axis{std::string(key.str()), {}};
    for (const toml::node& entry : *values) axis.values.push_back(text_of(entry));
    const auto same = std::find_if(out.begin(), out.end(), [&](const GridAxis& a) { return a.option == axis.option; });
    if (same == out.end()) {
      out.push_back(std::move(axis));
    } else {
      *same = std::move(axis);
    }
  }
}

// syn-cora/h0.10-r1 is a dataset of the family syn-cora.
std::string family(const std::string& dataset) { return dataset.substr(0, dataset.find('/')); }

}  // namespace

OptionValues recipe_options(const std::string& recipe, const std::string& model, const std::string& dataset) {
  const toml::table table = find_recipe(recipe, model);
  const toml::table* datasets = table["data"].as_table();
  const toml::table* entry = datasets ? (*datasets)[family(dataset)].as_table() : nullptr;
  if (datasets && !entry) {
    fail(Status::usage, "recipe '", recipe, "' of model '", model, "' has no values for dataset '", dataset,
         "'; it has: ", list_words(keys(*datasets)));
  }
  OptionValues out;
  add_values(table["options"].as_table(), out);
  if (entry) add_values((*entry)["options"].as_table(), out);
  return out;
}

Grid find_grid(const std::string& name, const std::string& model, const std::string& dataset) {
  const toml::table table = find_grid_table(name, model);
  Grid out;
  add_axes(name, table, out);
  if (const toml::table* own = table["data"][family(dataset)].as_table()) add_axes(name, *own, out);
  if (out.empty()) fail(Status::usage, "grid '", name, "' of model '", model, "' has no values for '", dataset, "'");
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
