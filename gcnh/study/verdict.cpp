#include "gcnh/study/verdict.h"

#include <fmt/core.h>

#include <algorithm>

namespace gcnh {
namespace {

std::string p_equals(double p) { return p < 0.0001 ? "p < 0.0001" : "p = " + p_text(p); }

std::string evidence(const Comparison& c, const PairedDifference& d) {
  std::string out =
      fmt::format("{} - {} = {} points (", c.models[d.first], c.models[d.second], points_text(d.test.mean));
  if (c.can_test()) {
    out += fmt::format("95 % interval {}{}, corrected t {}", points_text(d.test.interval),
                       d.test.interval.contains(0) ? " contains 0" : "", p_equals(d.test.p));
    if (d.p_holm != d.test.p) out += fmt::format(", after Holm {}", p_equals(d.p_holm));
    out += fmt::format(", Wilcoxon {}, ", p_equals(d.p_wilcoxon));
  }
  return out + counted(static_cast<std::int64_t>(c.pairs), "paired split") + ")";
}

// What a difference means; `blind` when it is one to the model that never sees the graph.
std::string meaning(Finding finding, bool blind, const std::string& first, const std::string& second) {
  switch (finding) {
    case Finding::too_few_splits:
      return fmt::format("too few splits for a test, {} are needed", Comparison::kFewestPairs);
    case Finding::interval_contains_zero:
      return blind ? "not shown whether the graph helps" : "no difference shown";
    case Finding::lost_to_holm:
      return std::string(blind ? "not shown whether the graph helps" : "no difference shown") + " with so many models";
    case Finding::better:
      return blind ? "graph helps" : first + " is better than " + second;
    case Finding::worse:
      return blind ? "graph hurts" : first + " is worse than " + second;
  }
  return "";
}

}  // namespace

std::string points_text(double share) { return fmt::format("{:+.2f}", 100 * share); }
std::string points_text(const Interval& i) { return points_text(i.low) + " to " + points_text(i.high); }
std::string p_text(double p) { return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p); }

std::string verdict(const Comparison& c) {
  if (c.others.empty()) return "";
  const PairedDifference d = main_difference(c);
  return meaning(finding(c, d), c.blind.has_value(), c.models[d.first], c.models[d.second]) + ": " + evidence(c, d);
}

}  // namespace gcnh
