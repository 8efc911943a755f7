// gcnh check: the data doctor.
#include <fmt/core.h>

#include <memory>
#include <sstream>

#include "cli/commands.h"
#include "cli/experiment.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

struct CheckFlags {
  DataFlags data;
  std::vector<std::string> allow;
  bool strict = false;
  bool json = false;
  bool rules = false;
};

// What was looked at, and what was found.
struct Diagnosis {
  std::optional<Tables> tables;  // none: they could not be read
  std::vector<Remark> findings;
};

Diagnosis diagnose(const CheckFlags& flags) {
  DataFlags source = flags.data;
  source.quiet = true;  // what a reader notes is among the findings
  Diagnosis out;
  try {
    out.tables = load_tables(source);
  } catch (const Error& error) {
    if (error.status() != Status::data) throw;
    out.findings = {unreadable(error)};
    return out;
  }
  out.findings = check_data(*out.tables, data_setup(flags.data));
  return out;
}

void print_rules() {
  std::size_t width = 0;
  for (const RuleInfo& rule : check_rules()) width = std::max(width, rule.name.size());
  for (const RuleInfo& rule : check_rules())
    fmt::print("{}", wrapped(fmt::format("{:{}}  ", rule.name, width), rule.sentence));
}

std::string summary_of(const std::vector<Remark>& findings) {
  std::string out = counted(count_of(Severity::error, findings), "error") + ", " +
                    counted(count_of(Severity::warning, findings), "warning");
  if (const auto allowed = count_of(Severity::allowed, findings)) out += fmt::format(", {} allowed", allowed);
  return out;
}

void print_findings(const Diagnosis& diagnosis) {
  if (diagnosis.tables) {
    const Tables& t = *diagnosis.tables;
    fmt::print("{}", in_lines(t.name + "  ",
                              {counted(t.num_nodes(), "node"), counted(std::ssize(t.edges), "edge line"),
                               counted(t.features.cols(), "feature"), counted(std::ssize(t.classes), "class")}));
  }
  std::size_t width = 0;
  for (const Remark& finding : diagnosis.findings) width = std::max(width, finding.rule.size());
  const std::map<Severity, std::string> words = {
      {Severity::error, "ERROR"}, {Severity::warning, "WARN"}, {Severity::allowed, "allow"}, {Severity::ok, "ok"}};
  for (const Remark& finding : diagnosis.findings) {
    std::string head = fmt::format("{:5} {:{}}  ", words.at(finding.severity), finding.rule, width);
    std::istringstream lines(finding.text());
    for (std::string line; std::getline(lines, line); head.assign(head.size(), ' '))
      fmt::print("{}", wrapped(head, line));
  }
  fmt::print("{}\n", summary_of(diagnosis.findings));
}

void check(const CheckFlags& flags, const CLI::App& command, const CLI::App& train) {
  if (flags.rules) return print_rules();
  Diagnosis diagnosis = diagnose(flags);
  std::vector<Remark>& findings = diagnosis.findings;
  allow(flags.allow, findings);
  for (Remark& finding : findings)
    for (std::string* text : {&finding.found, &finding.why, &finding.fix})
      *text = in_flags(train, in_flags(command, *text));
  if (flags.json) {
    fmt::print("{}", check_json(diagnosis.tables ? &*diagnosis.tables : nullptr, findings));
  } else {
    print_findings(diagnosis);
  }
  const bool has_errors = count_of(Severity::error, findings) > 0;
  const bool has_warnings = flags.strict && count_of(Severity::warning, findings) > 0;
  if (has_errors || has_warnings)
    fail(Status::data, summary_of(findings),
         diagnosis.tables ? join("; --allow ", findings[0].rule, " accepts the first") : "");
}

}  // namespace

void add_check(CLI::App& app) {
  auto flags = std::make_shared<CheckFlags>();
  CLI::App* command = app.add_subcommand("check", "data doctor: leaks, mix-ups, labels, edges, columns, splits");
  add_data_flags(*command, flags->data);
  take_list(command->add_option("--allow", flags->allow, "rules whose findings do not count, comma-separated"));
  command->add_flag("--strict", flags->strict, "warnings count as errors");
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  command->add_flag("--rules", flags->rules, "what is looked for, and nothing else");
  command->footer(
      "Ends with 65 when there is an error, else with 0. train, compare and tune look for the worst by themselves.\n"
      "Examples:\n"
      "  gcnh check --nodes users.csv --edges follows.csv --id user --label segment --src a --dst b\n"
      "  gcnh check --data cornell --allow known-data --strict");
  command->callback([flags, command, &app] { check(*flags, *command, *app.get_subcommand("train")); });
}

}  // namespace gcnh::cli
