// gcnh explain: why a model gives a node its class, and what would change that.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/layout.h"
#include "cli/nodes.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kName = 27, kNumber = 11, kBar = 13;  // widths of the table's columns
constexpr std::size_t kNodesWithFeatures = 3;               // the text has features of so many nodes
constexpr std::size_t kEdgesNamed = 8;

struct ExplainFlags {
  DataFlags data;
  std::string model, against, svg;
  std::vector<std::string> nodes;
  std::size_t top = 10;
  bool no_change = false, json = false, force = false;
};

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string cut = shorten(printable(text), width);
  const std::string blanks(width - display_width(cut), ' ');
  return right ? blanks + cut : cut + blanks;
}

std::string signed_number(double x) {
  return std::abs(x) < 1000 ? fmt::format("{:+.3f}", x) : fmt::format("{:+.4g}", x);
}

// Three numbers, and a bar as long as the lead is beside the largest one.
std::string part_line(const std::string& name, const Account::Parts& parts, double largest) {
  std::string out = "  " + padded(name, kName, false);
  for (double x : {parts[0], parts[1], Account::lead(parts)}) out += padded(signed_number(x), kNumber, true);
  const double share = largest > 0 ? std::abs(Account::lead(parts)) / largest : 0;
  const auto length = static_cast<std::size_t>(std::lround(share * static_cast<double>(kBar)));
  if (length > 0) out += "  " + std::string(std::min(length, kBar), Account::lead(parts) > 0 ? '+' : '-');
  return out + "\n";
}

std::string source_name(const Account::Source& s) {
  if (s.hops == 0) return "the node itself";
  std::string out = s.id + (s.label.empty() ? "" : " (" + s.label + ")");
  return s.hops == 1 ? out : out + (s.hops < 0 ? ", no path" : fmt::format(", {} steps", s.hops));
}

std::string parts_table(const Account& a) {
  double largest = std::max(std::abs(Account::lead(a.bias)), std::abs(Account::lead(a.other_parts)));
  for (const Account::Source& s : a.sources) largest = std::max(largest, std::abs(Account::lead(s.parts)));
  std::string out = "\n  " + padded("part", kName, false) + padded(a.answer(), kNumber, true) +
                    padded(a.rival(), kNumber, true) + padded("lead", kNumber, true) + "\n";
  for (const Account::Source& s : a.sources) out += part_line(source_name(s), s.parts, largest);
  if (a.others > 0)
    out += part_line(counted(static_cast<std::int64_t>(a.others), "other node"), a.other_parts, largest);
  out += part_line("bias", a.bias, largest);
  if (!a.is_exact) out += part_line("remainder", a.remainder, largest);
  return out + part_line("sum: the logit", a.logits, 0);
}

std::string feature_text(const Account::Feature& f) {
  const std::string value = !f.cell.empty() ? " " + f.cell : f.value == 1 ? "" : fmt::format(" {:.4g}", f.value);
  return fmt::format("{}{} {}", f.name, value, signed_number(Account::lead(f.parts)));
}

// The features of the sources that matter most, by their leads.
std::string features_text(const Account& a) {
  std::string out;
  for (std::size_t s = 0; s < std::min(a.sources.size(), kNodesWithFeatures); ++s) {
    const Account::Source& source = a.sources[s];
    std::vector<std::string> pieces;
    for (const Account::Feature& f : source.features) pieces.push_back(shorten(printable(feature_text(f)), 60));
    if (source.other_features > 0)
      pieces.push_back(counted(static_cast<std::int64_t>(source.other_features), "other") + " " +
                       signed_number(Account::lead(source.other_parts)));
    if (Account::lead(source.constant) != 0)
      pieces.push_back("whatever its features " + signed_number(Account::lead(source.constant)));
    if (source.features.empty()) pieces.insert(pieces.begin(), "no features");
    const std::string name = s == 0 ? "itself" : shorten(printable(source.id), 16);
    out += in_lines("  " + padded(name, 18, false), pieces);
  }
  return "\n  leads of single features\n" + out;
}

std::string change_text(const Account& a) {
  const Account::Change& c = *a.change;
  if (a.sources.size() + a.others == 1) return "it has no edges that could be removed";
  if (c.edges.empty())
    return c.is_exact ? "no removal of its edges changes the answer (all were considered)"
                      : "removing its strongest edges one by one, up to 32, did not change the answer";
  std::string names;
  for (std::size_t i = 0; i < std::min(c.edges.size(), kEdgesNamed); ++i) names += (i > 0 ? ", " : "") + c.edges[i];
  if (c.edges.size() > kEdgesNamed) names += fmt::format(" and {} more", c.edges.size() - kEdgesNamed);
  const bool one = c.edges.size() == 1;
  return fmt::format("without the {} to {} the answer would be {} ({})",
                     one ? "edge" : counted(std::ssize(c.edges), "edge"), names, c.answer,
                     one          ? "tried on the model"
                     : c.is_exact ? "tried on the model; no fewer would do"
                                  : "tried on the model; there may be fewer");
}

void print_account(const Account& a) {
  std::string head = fmt::format("{}: {}, {:.1f} %; compared with {}, {:.1f} %", a.id, a.answer(),
                                 100 * a.probabilities[0], a.rival(), 100 * a.probabilities[1]);
  if (!a.label.empty()) head += a.is_wrong() ? "; in truth " + a.label : "; which is right";
  fmt::print("{}{}{}", wrapped("", head), parts_table(a), features_text(a));
  if (a.change) fmt::print("\n{}", wrapped("  ", change_text(a)));
  fmt::print("\n");
}

void print_reading(const TrainedModel& model, const std::vector<Account>& accounts) {
  const bool decides = model.decision && model.decision->has_rule();
  const bool exact = std::all_of(accounts.begin(), accounts.end(), [](const Account& a) { return a.is_exact; });
  fmt::print(
      "{}",
      wrapped(
          "",
          std::string("How to read it: every class has a score, its logit, ") +
              (decides
                   ? "which makes its probability; the answer is chosen by costs or weights of classes and need not "
                     "be the likeliest. "
                   : "and the highest wins. ") +
              "A row is what one node adds to the two scores; the lead is the difference, + for the answer and - "
              "against it. " +
              (exact ? "The parts are exact: they add up to the logit."
                     : "The parts are gradient times input; what this network does to them that is not "
                       "linear is the remainder, and where that is large they say little.")));
}

std::optional<int> class_number(const Dataset& d, const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto found = std::find(d.classes.begin(), d.classes.end(), name);
  if (found == d.classes.end())
    fail(Status::usage, "--against: '", name, "' is no class of the model; classes: ", list_words(d.classes),
         did_you_mean(name, d.classes));
  return static_cast<int>(found - d.classes.begin());
}

void explain_nodes(ExplainFlags flags) {
  const std::filesystem::path file = model_file(flags.model);
  if (!flags.svg.empty()) {
    if (flags.nodes.size() > 1)
      fail(Status::usage, "--svg: one node to a picture; ", flags.nodes.size(), " were given");
    check_output(flags.data, flags.svg, {file.string(), flags.nodes[0]});
    check_new(flags.svg, flags.force);
  }
  const TrainedModel model = load_model(file);
  flags.data.csv.label_required = false;
  const Dataset dataset = fit_and_tell(model, load_tables(flags.data, &model), flags.data.quiet);
  const std::vector<Index> nodes = chosen_nodes(dataset, flags.nodes, "NODE");
  const std::vector<Account> accounts = explain(
      model, dataset, nodes, {{std::nullopt, class_number(dataset, flags.against), flags.top}, !flags.no_change});
  if (!flags.svg.empty()) {
    if (accounts.size() > 1) fail(Status::usage, "--svg: one node to a picture; the file names ", accounts.size());
    write_atomically(flags.svg, account_svg(accounts[0]));
  }
  if (flags.json) {
    fmt::print("{}", explain_json(model, dataset.name, accounts));
    return;
  }
  for (const Account& account : accounts) print_account(account);
  print_reading(model, accounts);
  if (const std::string why = obstacle_to_change(model); !flags.no_change && !why.empty())
    fmt::print("{}", wrapped("", "Edges that would change the answer were not looked for: " + why + "."));
}

}  // namespace

void add_explain(CLI::App& app) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* command = app.add_subcommand("explain", "why a node gets its class: its own part, neighbours, features");
  command->add_option("NODE", flags->nodes, "ids of the nodes, or one file with an id per line")->required();
  add_model_flag(*command, flags->model);
  add_data_flags(*command, flags->data);
  command->add_option("--against", flags->against, "class to compare the answer with; default: the next likely one")
      ->type_name("CLASS");
  command->add_option("--top", flags->top, "nodes, and features of each, to be listed; 0: all")
      ->capture_default_str()
      ->check(CLI::Range(0, 1 << 30));
  command->add_flag("--no-change", flags->no_change, "do not look for edges whose removal changes the answer");
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  command->add_option("--svg", flags->svg, "a picture of one node's parts and neighbours")->type_name("FILE");
  command->add_flag("--force", flags->force, "replace the picture where there is one");
  add_quiet_flag(*command, flags->data);
  command->footer(
      "For gcnh the parts are exact: they add up to the logit. For other models they are gradient times input, with "
      "the "
      "remainder shown.\n"
      "The fewest edges whose removal changes the answer are found exactly for gcnh with one layer and sum or mean; "
      "elsewhere edges are removed greedily. Either way the model was run without them.\n"
      "Examples:\n"
      "  gcnh explain u_9912 --model runs/seg/gcnh --nodes users.csv --edges follows.csv --svg u_9912.svg\n"
      "  gcnh explain u_9912 u_7 --model runs/seg/gcnh --nodes users.csv --edges follows.csv --json");
  command->callback([flags] { explain_nodes(*flags); });
}

}  // namespace gcnh::cli
