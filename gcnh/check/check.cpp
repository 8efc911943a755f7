#include "gcnh/check/check.h"

#include <algorithm>

#include "gcnh/check/rules.h"
#include "gcnh/io/unmet_ids.h"

namespace gcnh {
namespace {

constexpr std::size_t kSmall = 1'000'000;  // edges

// The rules of reading, which has happened before the others can look.
std::vector<Remark> say_nothing(const CheckInput&) { return {}; }

std::vector<Remark> look_at_ids(const CheckInput& input) {
  if (input.tables.ids.empty() || input.tables.edges.empty()) return {};
  return in_order("every id in the edges is the id of a node");
}

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> out = {
        {"readable", "files that are not what their readers expect", say_nothing},
        {"ids-meet", "ids in the edges that no node has, letter by letter: 1 is neither 1.0 nor 01", look_at_ids},
    };
    for (const auto& family : {known_data_rules(), duplicate_rules(), label_leak_rules(), label_rules(), edge_rules(),
                               column_rules(), feature_rules(), number_rules(), split_rules()})
      out.insert(out.end(), family.begin(), family.end());
    return out;
  }();
  return rules;
}

void apply(const Rule& rule, const CheckInput& input, std::vector<Remark>& out) {
  for (Remark& finding : rule.look(input)) {
    finding.rule = rule.name;
    out.push_back(std::move(finding));
  }
}

void put_errors_first(std::vector<Remark>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Remark& a, const Remark& b) { return a.severity < b.severity; });
}

}  // namespace

std::string Remark::text() const { return found + (why.empty() ? "" : "; " + why) + (fix.empty() ? "" : "; " + fix); }

std::vector<RuleInfo> check_rules() {
  std::vector<RuleInfo> out;
  for (const Rule& rule : all_rules()) out.push_back({rule.name, rule.sentence});
  return out;
}

std::vector<Remark> check_data(const Tables& tables, const Setup& setup) {
  const CheckInput input(tables, setup);
  std::vector<Remark> out;
  for (const Rule& rule : all_rules()) apply(rule, input, out);
  put_errors_first(out);
  return out;
}

std::vector<Remark> check_briefly(const Tables& tables, const Setup& setup) {
  const CheckInput input(tables, setup);
  const bool is_small = tables.edges.size() <= kSmall;
  std::vector<Remark> out;
  for (const Rule& rule : all_rules())
    if (rule.brief == Rule::When::always || (rule.brief == Rule::When::small && is_small)) apply(rule, input, out);
  std::erase_if(out, [](const Remark& finding) { return finding.severity == Severity::ok; });
  put_errors_first(out);
  return out;
}

Remark unreadable(const Error& error) {
  const bool ids = dynamic_cast<const UnmetIdsError*>(&error) != nullptr;
  return {ids ? "ids-meet" : "readable", Severity::error, error.what()};
}

void allow(const std::vector<std::string>& rules, std::vector<Remark>& findings) {
  std::vector<std::string> known;
  for (const Rule& rule : all_rules()) known.push_back(rule.name);
  for (const std::string& rule : rules) {
    if (std::find(known.begin(), known.end(), rule) == known.end())
      fail(Status::usage, "allow: no rule '", rule, "'", did_you_mean(rule, known), "; rules: ", list_words(known));
    if (rule == "readable" || rule == "ids-meet")
      fail(Status::usage, "allow: '", rule, "' cannot be allowed: nothing can be trained on what cannot be read");
    for (Remark& finding : findings)
      if (finding.rule == rule && finding.severity != Severity::ok) finding.severity = Severity::allowed;
  }
  put_errors_first(findings);
}

std::int64_t count_of(Severity severity, const std::vector<Remark>& findings) {
  return std::count_if(findings.begin(), findings.end(),
                       [&](const Remark& finding) { return finding.severity == severity; });
}

}  // namespace gcnh
