#include "cli/config.h"

#include <fmt/core.h>

#include <algorithm>
#include <regex>
#include <set>

#include "cli/data_flags.h"
#include "cli/help.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

// What a command does instead of its work, and where it reads this from.
const std::set<std::string> kActions = {"help", "help-all", "config", "print-config", "plan", "version"};

std::string setting_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : option.get_lnames().front();
}

bool is_setting(const CLI::Option& option) { return !kActions.contains(setting_name(option)); }

// "data split" of gcnh data split: its table is [data.split].
std::string table_of(const CLI::App& command) { return path_of(command).substr(std::string("gcnh ").size()); }

CLI::Option* find_setting(CLI::App& command, const std::string& key) {
  for (CLI::Option* option : command.get_options())
    if (is_setting(*option) && option_name(setting_name(*option)) == key) return option;
  return nullptr;
}

std::vector<std::string> setting_names(CLI::App& command) {
  std::vector<std::string> out;
  for (const CLI::Option* option : command.get_options())
    if (is_setting(*option)) out.push_back(setting_name(*option));
  return out;
}

bool is_number(const CLI::Option& option, const std::string& text) {
  static const std::regex number("-?(0|[1-9][0-9]{0,15})(\\.[0-9]+)?(e[+-]?[0-9]+)?");
  const std::string type = option.get_type_name();
  const bool takes = type == "N" || type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
  return takes && std::regex_match(text, number);
}

bool is_list(const CLI::Option& option) { return option.get_items_expected_max() > 1; }
bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::string toml_value(const CLI::Option& option, const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) {
    const bool bare = is_number(option, value) || (is_flag(option) && value == "true");
    out += (out.empty() ? "" : ", ") + (bare ? value : toml_string(value));
  }
  return is_list(option) ? "[" + out + "]" : out;
}

std::vector<std::string> default_values(const CLI::Option& option) {
  std::string text = option.get_default_str();
  if (!is_list(option)) return {text};
  if (text.starts_with("[") && text.ends_with("]")) text = text.substr(1, text.size() - 2);
  return text.empty() ? std::vector<std::string>() : split_list(text);
}

std::vector<std::string> values_of(const CLI::App& command, const std::string& flag) {
  const CLI::Option* option = command.get_option_no_throw(flag);
  if (!option) return {};
  return option->count() > 0 ? option->results() : default_values(*option);
}

std::string setting_line(const std::string& mark, const CLI::Option& option, const std::string& value,
                         const std::string& origin) {
  return fmt::format("{}{} = {}  # {}\n", mark, setting_name(option), value, printable(origin));
}

// The models that a command trains; none for one that does not.
std::vector<std::string> trained_models(const CLI::App& command) {
  if (!command.get_option_no_throw("--recipe") || !command.get_option_no_throw("--engine")) return {};
  const std::vector<std::string> models = values_of(command, "--models");
  return models.empty() ? values_of(command, "--model") : models;
}

// What the recipe says for the model, where that can be told without reading the data.
OptionValues recipe_values(const CLI::App& command, const std::string& model) {
  const std::vector<std::string> recipe = values_of(command, "--recipe"), data = values_of(command, "--data");
  if (recipe.empty() || recipe[0].empty()) return {};
  return recipe_options(recipe[0], model, data.empty() ? "" : data[0]);
}

// The value of an option that was not given, and why that; models may differ in it. Empty: no model has it.
std::vector<std::pair<std::string, std::string>> values_with_origins(const CLI::App& command,
                                                                     const CLI::Option& option) {
  const std::string name = option_name(setting_name(option));
  std::map<std::pair<std::string, std::string>, std::string> models_of;  // value and origin -> models
  for (const std::string& model : trained_models(command)) {
    OptionValues values;
    for (const auto& infos : {find_model_type(model).options, describe<TrainOptions>()})
      for (const OptionInfo& info : infos) values[info.name] = info.value;
    const OptionValues recipe = recipe_values(command, model);
    if (!values.contains(name) && !recipe.contains(name)) continue;
    const bool is_default = !recipe.contains(name);
    std::string& models =
        models_of[{is_default ? values.at(name) : recipe.at(name), is_default ? "default" : "recipe"}];
    models += (models.empty() ? "" : ", ") + model;
  }
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [value, models] : models_of)
    out.emplace_back(value.first, value.second + (models_of.size() > 1 ? " of " + models : ""));
  return out;
}

}  // namespace

ConfigFlags::ConfigFlags(CLI::App& program) : program_(program) {
  for (CLI::App* command : leaf_commands(program)) {
    command
        ->add_option_function<std::string>(
            "--config", [this, command](const std::string& file) { read(file, *command); },
            "flags from a file: name = value, on top or under [" + table_of(*command) + "]; those typed win")
        ->type_name("FILE.toml");
    const std::string shows = "every setting with its value and origin, as such a file, and nothing else";
    command->add_flag("--print-config", shows);
  }
}

bool ConfigFlags::wants_print(const CLI::App& command) const {
  const CLI::Option* option = command.get_option_no_throw("--print-config");
  return option && option->count() > 0;
}

void ConfigFlags::read(const std::string& file, CLI::App& command) {
  const std::vector<Setting> settings = read_settings(file);
  add_config_file(file);
  std::map<std::string, CLI::App*> commands;
  for (CLI::App* leaf : leaf_commands(program_)) commands[table_of(*leaf)] = leaf;
  for (const Setting& setting : settings) {
    if (setting.table.empty()) continue;
    std::vector<std::string> tables;
    for (const auto& [table, leaf] : commands) tables.push_back(table);
    if (!commands.contains(setting.table))
      fail(Status::usage, file, ":", setting.line, ": no command '", setting.table, "'",
           did_you_mean(setting.table, tables), "; tables are commands, such as [train]");
    CLI::App& owner = *commands.at(setting.table);
    if (!find_setting(owner, setting.key))
      fail(Status::usage, file, ":", setting.line, ": ", setting.table, " has no flag ", flag_name(setting.key),
           did_you_mean(flag_name(setting.key).substr(2), setting_names(owner)));
    if (&owner == &command) apply(file, setting, command);
  }
  for (const Setting& setting : settings)  // after those of the command's own table, which win
    if (setting.table.empty()) apply(file, setting, command);
}

void ConfigFlags::apply(const std::string& file, const Setting& setting, CLI::App& command) {
  const std::string place = join(file, ":", setting.line);
  if (kActions.contains(flag_name(setting.key).substr(2)))
    fail(Status::usage, place, ": ", flag_name(setting.key), " is no setting; it has to be typed");
  CLI::Option* option = find_setting(command, setting.key);
  if (!option) {
    std::string others;
    for (CLI::App* leaf : leaf_commands(program_))
      if (others.empty() && find_setting(*leaf, setting.key))
        others = join("; ", table_of(*leaf), " has: put it under [", table_of(*leaf), "]");
    fail(Status::usage, place, ": ", table_of(command), " has no flag ", flag_name(setting.key),
         others.empty() ? did_you_mean(flag_name(setting.key).substr(2), setting_names(command)) : others);
  }
  const auto is_typed = [&](const CLI::Option* o) { return o->count() > 0 && !origins_.contains(o); };
  const std::set<CLI::Option*> rivals = option->get_excludes();
  if (option->count() > 0 || std::any_of(rivals.begin(), rivals.end(), is_typed)) return;
  if (setting.is_list && !is_list(*option))
    fail(Status::usage, place, ": ", setting_name(*option), " takes one value, not a list");
  if (is_flag(*option)) require_one_of(join(place, ": ", setting_name(*option)), setting.values[0], {"true", "false"});
  if (setting.values.empty() || (is_flag(*option) && setting.values[0] == "false")) return;
  origins_[option] = place;
  try {
    option->add_result(setting.values);
    option->run_callback();
  } catch (const CLI::ParseError& error) {
    fail(Status::usage, place, ": ", error.what());
  }
}

std::string ConfigFlags::print(const CLI::App& command) const {
  std::string table = table_of(command);
  std::replace(table.begin(), table.end(), ' ', '.');
  std::string out = fmt::format(
      "# Settings of {0}. What was not given is in comments, with what holds.\n"
      "# {0} --config FILE with this text in the file does the same.\n\n[{1}]\n",
      path_of(command), table);
  const bool trains = !trained_models(command).empty();
  for (const auto& [group, options] : grouped_options(command)) {
    std::string lines;
    for (const CLI::Option* option : options) {
      if (!is_setting(*option)) continue;
      if (option->count() > 0) {
        const auto origin = origins_.find(option);
        lines += setting_line("", *option, toml_value(*option, option->results()),
                              origin == origins_.end() ? "flag" : origin->second);
        continue;
      }
      const auto values = values_with_origins(command, *option);
      for (const auto& [value, origin] : values)
        lines += setting_line("# ", *option, toml_value(*option, {value}), origin);
      if (!values.empty() || (trains && group == "Model")) continue;  // the rest are options of other models
      const std::string value = is_flag(*option) ? "false" : toml_value(*option, default_values(*option));
      lines += setting_line("# ", *option, value, "default");
    }
    if (!lines.empty()) out += "\n# " + group + "\n" + lines;
  }
  return out;
}

std::string ConfigFlags::located(const CLI::App& command, const std::string& message) const {
  const CLI::Option* option = command.get_option_no_throw(message.substr(0, message.find(':')));
  const auto origin = option ? origins_.find(option) : origins_.end();
  return origin == origins_.end() ? message : origin->second + ": " + message;
}

}  // namespace gcnh::cli
