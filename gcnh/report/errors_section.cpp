// The test nodes that the best model is most surely wrong about, and why.
#include <fmt/core.h>

#include <cmath>

#include "gcnh/report/account_chart.h"
#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

constexpr std::size_t kFeaturesTold = 3;

Table error_table(const Run& run) {
  Table out{"errors",
            "Test nodes that " + run.name + " is most surely wrong about",
            {"node", "true class", "taken for", "probability, %", "of the true class, %", "lead"},
            {},
            "Lead: by how much the logit of the answer exceeds that of the true class."};
  for (const Account& a : run.errors)
    out.rows.push_back({a.id, a.label, a.answer(), percent(a.probabilities[0]), percent(a.probabilities[1]),
                        number_cell(rounded(Account::lead(a.logits)))});
  return out;
}

// Its largest features with their leads.
std::string features_of(const Account::Source& s) {
  std::string out;
  for (std::size_t f = 0; f < std::min(s.features.size(), kFeaturesTold); ++f) {
    const Account::Feature& feature = s.features[f];
    out += fmt::format("{}{}{} {:+.3g}", out.empty() ? "" : ", ", feature.name,
                       feature.cell.empty() ? "" : " " + feature.cell, Account::lead(feature.parts));
  }
  return out;
}

Table parts_table(const Run& run) {
  Table out{
      "error-parts",
      "Parts of these answers",
      {"answer for", "part of", "class", "steps away", "for the answer", "for the true class", "lead", "features"},
      {},
      "What every node with a say adds to the logits of the answer and of the true class, and the largest features "
      "behind it with their leads."};
  const auto add = [&](const Account& a, const std::string& part, const Account::Parts& parts,
                       const Account::Source* s) {
    const bool near = s != nullptr && s->hops >= 0;
    out.rows.push_back({a.id, part, s ? s->label : "", near ? std::to_string(s->hops) : "",
                        number_cell(rounded(parts[0])), number_cell(rounded(parts[1])),
                        number_cell(rounded(Account::lead(parts))), s ? features_of(*s) : ""});
  };
  for (const Account& a : run.errors) {
    for (const Account::Source& s : a.sources) add(a, s.id, s.parts, &s);
    if (a.others > 0) add(a, counted(static_cast<std::int64_t>(a.others), "other node"), a.other_parts, nullptr);
    add(a, "bias", a.bias, nullptr);
    if (!a.is_exact) add(a, "remainder", a.remainder, nullptr);
  }
  return out;
}

}  // namespace

Section errors_section(const Group& group) {
  const Run& run = group.best();
  Section out{"errors", "Most confident errors"};
  if (run.errors.empty()) return out;
  out.paragraphs = {
      "The test nodes of the kept model's split with the surest wrong answers. A bar is what one node adds to the lead "
      "of "
      "the answer over the true class; bars to the left speak for the truth.",
      run.errors[0].is_exact
          ? "The parts are exact: they add up to the logits."
          : "The parts are gradient times input; the remainder is what the network does to them that is not linear."};
  out.tables = {error_table(run)};
  for (std::size_t i = 0; i < run.errors.size(); ++i)
    out.charts.push_back(account_chart(run.errors[i], "error-" + std::to_string(i + 1)));
  out.folded = {parts_table(run)};
  return out;
}

}  // namespace gcnh::report
