#include "gcnh/run/recipe.h"

#include <algorithm>
#include <set>

#include "gcnh/io/toml.h"
#include "gcnh/models/model.h"
#include "gcnh/train/trainer.h"

namespace gcnh {
namespace {

// The name of an option; weight-decay and weight_decay are the same one, so that a table may have either.
std::string take_name(const std::string& file, const toml::key& key, const toml::node& value,
                      std::set<std::string>& seen) {
  const std::string name = option_name(key.str());
  if (!seen.insert(name).second) fail_at(Status::data, file, value, "'", name, "' is set twice");
  return name;
}

void add_values(const std::string& file, const toml::table* table, OptionValues& out) {
  if (!table) return;
  std::set<std::string> seen;
  for (const auto& [key, value] : *table) out[take_name(file, key, value, seen)] = toml_text(file, value);
}

toml::table find_file(const std::string& name) { return toml::parse(find_text(recipe_files(), name + ".toml")); }

std::vector<std::string> keys(const toml::table& table) {
  std::vector<std::string> out;
  for (const auto& [key, value] : table) out.emplace_back(key.str());
  return out;
}

void require_known(const std::string& file, const toml::node& value, const char* what, const std::string& name,
                   const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    fail_at(Status::usage, file, value, what, "'", name, "'", did_you_mean(name, known),
            "; known: ", list_words(known));
}

// Options that a recipe may set: of its model, or of any where it does not name one and may serve several.
std::vector<std::string> recipe_option_names(const toml::table& own) {
  const std::string model = own["model"].value_or(std::string());
  std::vector<std::string> out = {"scale", "direction"};
  for (const OptionInfo& info : describe<TrainOptions>()) out.push_back(info.name);
  for (const ModelType& type : model_types())
    for (const OptionInfo& info : type.options)
      if (model.empty() || type.name == model)
        if (std::find(out.begin(), out.end(), info.name) == out.end()) out.push_back(info.name);
  return out;
}

// [options] and [view] of a file of the user's, on top or for a dataset.
void check_tables(const std::string& file, const toml::table& tables, const std::vector<std::string>& options) {
  std::vector<std::string> views;
  for (const OptionInfo& info : describe<View>()) views.push_back(info.name);
  if (const toml::table* table = tables["options"].as_table())
    for (const auto& [key, value] : *table) require_known(file, value, "no option ", option_name(key.str()), options);
  if (const toml::table* table = tables["view"].as_table())
    for (const auto& [key, value] : *table) require_known(file, value, "a view has no ", option_name(key.str()), views);
}

// A name that nobody reads is a mistake of whoever wrote the file.
void check_names(const std::string& file, const toml::table& own) {
  for (const auto& [key, value] : own) {
    const std::string name(key.str());
    if (name == "model") continue;
    if (!value.is_table())
      fail_at(Status::usage, file, value, "'", name, "' stands outside of a table; options stand under [options]");
    require_known(file, value, "no table ", name, {"options", "view", "data"});
  }
  const std::vector<std::string> options = recipe_option_names(own);
  check_tables(file, own, options);
  if (const toml::table* datasets = own["data"].as_table())
    for (const auto& [key, value] : *datasets)
      if (const toml::table* entry = value.as_table()) check_tables(file, *entry, options);
}

// The table [recipe] of the model's file, or a file of the user's.
toml::table find_recipe(const std::string& recipe, const std::string& model) {
  if (recipe.ends_with(".toml")) {
    toml::table own = parse_toml(recipe);
    const std::string of = own["model"].value_or(model);
    if (of != model) fail(Status::usage, recipe, ": options of model '", of, "', not of '", model, "'");
    check_names(recipe, own);
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
  if (name.ends_with(".toml")) return parse_toml(name);
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
  std::set<std::string> seen;
  for (const auto& [key, value] : table) {
    if (key.str() == "data") continue;
    const toml::array* values = value.as_array();
    if (!values || values->empty())
      fail_at(Status::data, grid, value, "'", key.str(), "' is not a list of values, such as [16, 32]");
    GridAxis axis{take_name(grid, key, value, seen), {}};
    for (const toml::node& entry : *values) axis.values.push_back(toml_text(grid, entry));
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
  add_values(recipe, table["options"].as_table(), out);
  if (entry) add_values(recipe, (*entry)["options"].as_table(), out);
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
  add_values(recipe, table["view"].as_table(), values);
  add_values(recipe, table["data"][family(dataset)]["view"].as_table(), values);
  return view_from(find_model_type(model), values);
}

}  // namespace gcnh
