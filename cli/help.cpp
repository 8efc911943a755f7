#include "cli/help.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/layout.h"
#include "gcnh/gcnh.h"
#include "gcnh/studies.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kLeastWidth = 40;  // below, words would stand one under the other
constexpr std::size_t kMostName = 24;    // longer names have their text below
constexpr const char* kLastGroup = "Options";

using Names = std::vector<std::string>;

// The flags of most uses, by command; one that is not here has few, and shows them all.
const std::map<std::string, Names>& usual_flags() {
  static const Names data = {"data", "nodes", "edges", "id", "label", "src", "dst"};
  const auto with = [](Names others) {
    others.insert(others.begin(), data.begin(), data.end());
    return others;
  };
  static const std::map<std::string, Names> all = {
      {"gcnh train", with({"model", "recipe", "epochs", "lr", "metric", "final", "out", "resume", "plan", "config"})},
      {"gcnh compare", with({"models", "budget", "metric", "out", "resume", "json", "plan", "config"})},
      {"gcnh tune", with({"models", "grid", "axis", "method", "trials", "out", "plan", "config"})},
      {"gcnh predict", with({"model", "only", "level", "abstain", "out", "quiet", "config"})},
      {"gcnh eval", with({"model", "only", "json", "quiet", "config"})},
      {"gcnh explain", with({"NODE", "model", "against", "top", "json", "svg", "quiet", "config"})},
      {"gcnh embed", with({"model", "layer", "components", "like", "out", "quiet", "config"})},
      {"gcnh update", with({"model", "out", "json", "quiet", "config"})},
      {"gcnh bench explain", with({"model", "quiet"})},
      {"gcnh inspect", with({"weight", "json", "config"})},
      {"gcnh check", with({"split-column", "allow", "strict", "json", "rules", "config"})},
      {"gcnh models", {"NAME", "data", "nodes", "edges", "recipe", "json"}},
      {"gcnh data split", with({"ratio", "num-splits", "out", "force"})},
      {"gcnh data convert", with({"to", "force"})},
      {"gcnh scale-sim",
       with({"shape", "parts-list", "layers", "hidden", "alpha", "beta", "overlap", "json", "config"})},
      {"gcnh shard", with({"parts", "out", "force", "json", "config"})}};
  return all;
}

bool has_commands(const CLI::App& command) {
  return !command.get_subcommands([](const CLI::App*) { return true; }).empty();
}

// "N" for numbers, else what the flag says.
std::string value_word(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string word = type.substr(0, type.find(':'));
  return word == "INT" || word == "UINT" || word == "FLOAT" ? "N" : word;
}

std::string head_of(const CLI::Option& option) {
  const std::string name = option.get_name(false, true);
  return option.get_positional() || option.get_items_expected_max() == 0 ? name : name + " " + value_word(option);
}

std::string text_of(const CLI::Option& option) {
  const std::string value = option.get_default_str();
  if (value.empty()) return option.get_description();
  return option.get_description() + (value.starts_with("[") ? " " + value : " [" + value + "]");
}

struct Row {
  std::string head, text;
};

std::string lay_out_rows(const std::vector<Row>& rows, std::size_t width) {
  std::size_t column = 6;
  for (const Row& r : rows)
    if (const std::size_t used = report::display_width(r.head); used <= kMostName) column = std::max(column, used + 4);
  std::string out;
  for (const Row& r : rows) out += row(r.head, r.text, column, width);
  return out;
}

std::string options_text(const CLI::App& command, const Names* names, std::size_t width) {
  std::string out;
  for (const auto& [group, options] : grouped_options(command)) {
    std::vector<Row> rows;
    for (const CLI::Option* option : options) {
      const auto named = [&](const std::string& name) {
        return option->check_name("--" + name) || option->check_name(name);
      };
      if (!names || std::any_of(names->begin(), names->end(), named))
        rows.push_back({head_of(*option), text_of(*option)});
    }
    if (!rows.empty()) out += "\n" + wrapped("", group + ":", width) + lay_out_rows(rows, width);
  }
  return out;
}

std::string commands_text(const CLI::App& command, std::size_t width) {
  std::vector<Row> rows;
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; }))
    rows.push_back({inner->get_name(), inner->get_description()});
  return "\nCommands:\n" + lay_out_rows(rows, width);
}

std::string head_text(const CLI::App& command, std::size_t width) {
  std::string usage = path_of(command);
  if (has_commands(command)) {
    usage += " COMMAND";
  } else {
    usage += " [OPTIONS]";
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional()) usage += " " + option->get_name();
  }
  return wrapped("", path_of(command) + ": " + command.get_description(), width) + "Usage: " + usage + "\n";
}

// A line of a shell, continued below where it is too long.
std::string shell_lines(const std::string& words, std::size_t width) {
  std::istringstream lines(wrapped("  ", words, width - 6));
  std::string out, line;
  while (std::getline(lines, line)) out += (out.empty() ? "" : " \\\n    ") + line;
  return out + "\n";
}

// Footers are lines: paragraphs, and rows, "  head  text". Rows below "Examples:" are commands.
struct Footer {
  std::vector<std::string> notes;
  std::vector<Row> examples;
};

Row read_row(const std::string& line) {
  const std::size_t gap = std::min(line.find("  ", 2), line.size());
  return {line.substr(2, gap - 2), line.substr(std::min(line.find_first_not_of(' ', gap), line.size()))};
}

std::string paragraphs(const std::vector<std::string>& lines, std::size_t width) {
  std::string out;
  std::vector<Row> rows;
  const auto end_rows = [&] {
    out += lay_out_rows(rows, width);
    rows.clear();
  };
  for (const std::string& line : lines) {
    if (!line.starts_with("  ")) {
      end_rows();
      out += wrapped("", line, width);
      continue;
    }
    rows.push_back(read_row(line));
  }
  end_rows();
  return out;
}

Footer read_footer(const CLI::App& command) {
  Footer out;
  const CLI::App* parent = command.get_parent();  // commands inherit the footer
  if (parent && parent->get_footer() == command.get_footer()) return out;
  std::istringstream lines(command.get_footer());
  bool in_examples = false;
  for (std::string line; std::getline(lines, line);) {
    in_examples = line == "Examples:" || (in_examples && line.starts_with("  "));
    if (!in_examples) out.notes.push_back(line);
    if (in_examples && line != "Examples:") out.examples.push_back(read_row(line));
  }
  return out;
}

std::string examples_text(const std::vector<Row>& examples, std::size_t count, std::size_t width) {
  std::string out = examples.empty() ? "" : "\nExamples:\n";
  for (std::size_t i = 0; i < std::min(count, examples.size()); ++i) {
    out += shell_lines(examples[i].head, width);
    if (!examples[i].text.empty()) out += wrapped("      ", examples[i].text, width);
  }
  return out;
}

std::string whole_text(const CLI::App& command, std::size_t width) {
  const Footer footer = read_footer(command);
  std::string out = head_text(command, width);
  if (has_commands(command)) out += commands_text(command, width);
  out += options_text(command, nullptr, width);
  if (!footer.notes.empty()) out += "\n" + paragraphs(footer.notes, width);
  return out + examples_text(footer.examples, footer.examples.size(), width);
}

}  // namespace

std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? path_of(*parent) + " " + command.get_name() : command.get_name();
}

std::vector<CLI::App*> leaf_commands(CLI::App& command) {
  std::vector<CLI::App*> out;
  for (CLI::App* inner : command.get_subcommands([](CLI::App*) { return true; }))
    for (CLI::App* leaf : leaf_commands(*inner)) out.push_back(leaf);
  return out.empty() ? std::vector{&command} : out;
}

std::vector<std::pair<std::string, std::vector<const CLI::Option*>>> grouped_options(const CLI::App& command) {
  std::vector<std::string> groups = command.get_groups();
  std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group != kLastGroup; });
  std::vector<std::pair<std::string, std::vector<const CLI::Option*>>> out;
  for (const std::string& group : groups)
    out.push_back({group, command.get_options([&](const CLI::Option* o) { return o->get_group() == group; })});
  return out;
}

std::string short_help(const CLI::App& command, std::size_t wanted_width) {
  const std::size_t width = std::max(wanted_width, kLeastWidth);
  const auto usual = usual_flags().find(path_of(command));
  if (usual == usual_flags().end()) return whole_text(command, width);
  const std::size_t all = command.get_options().size();
  const bool trains = command.get_option_no_throw("--engine") != nullptr;
  return head_text(command, width) + options_text(command, &usual->second, width) +
         examples_text(read_footer(command).examples, 2, width) + "\n" +
         wrapped("More: ",
                 fmt::format("{} --help-all (all {} flags){}; README.md", path_of(command), all,
                             trains ? ", gcnh models NAME (the options of a model)" : ""),
                 width);
}

std::string full_help(const CLI::App& command, std::size_t wanted_width) {
  const std::size_t width = std::max(wanted_width, kLeastWidth);
  std::string out = whole_text(command, width);
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; }))
    out += "\n\n" + full_help(*inner, width);
  return out;
}

}  // namespace gcnh::cli
