// What a comparison shows, in words.
#include <fmt/core.h>

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/study/comparison.h"

namespace gcnh::study {
namespace {

constexpr std::size_t kShownClasses = 5;

std::string p_equals(double p) { return p < 0.0001 ? "p < 0.0001" : "p = " + p_text(p); }

// Accuracy is what everybody expects; any other metric is named.
std::string evidence_unit(Metric metric) {
  return unit_text(metric) +
         (metric == Metric::accuracy ? "" : (is_share(metric) ? " of " : " in ") + title_of(metric));
}

std::string evidence(const Comparison& c, const PairedDifference& d) {
  std::string out = fmt::format("{} - {} = {}{} (", c.models[d.first], c.models[d.second],
                                difference_text(c.metric, d.test.mean), evidence_unit(c.metric));
  if (c.can_test()) {
    out += fmt::format("95 % interval {}{}, corrected t {}", interval_text(c.metric, d.test.interval),
                       d.test.interval.contains(0) ? " contains 0" : "", p_equals(d.test.p));
    if (d.p_holm != d.test.p) out += fmt::format(", after Holm {}", p_equals(d.p_holm));
    out += fmt::format(", Wilcoxon {}, ", p_equals(d.p_wilcoxon));
  }
  return out + counted(static_cast<std::int64_t>(c.pairs), "paired split") + ")";
}

// What a difference means; `blind` when it is one to the model that never sees the graph.
std::string meaning(Finding finding, bool blind, const std::string& first, const std::string& second) {
  switch (finding) {
    case Finding::no_test_nodes:
      return "not tested, as the splits have no test nodes";
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

bool beats(const Comparison& c, const PairedDifference& d) {
  if (!c.can_test()) return merit(c.metric, d.test.mean) > 0;  // nothing is tested, and no lead is none
  return finding(c, d) == Finding::better;
}

// The best model by validation against the best floor by validation.
std::string floor_sentence(const Comparison& c, const PairedDifference& d) {
  if (beats(c, d)) return "";
  const std::string why =  // the verdict may have told it
      d.second == c.rival ? fmt::format("{} - {}, see above", c.models[d.first], c.models[d.second]) : evidence(c, d);
  switch (finding(c, d)) {
    case Finding::worse:
      return "a floor beats the best model: " + why;
    case Finding::too_few_splits:
      return "the best model is not above a floor: " + why;
    default:
      return (merit(c.metric, d.test.mean) < 0 ? "a floor is ahead of the best model, though not shown to be better: "
                                               : "the best model is not shown to beat a floor: ") +
             why;
  }
}

// Trainings whose best epoch was the last one they had; a training that stopped early was past its best.
std::string last_epoch_sentence(std::span<const Contender> models) {
  std::string who;
  for (const Contender& m : models) {
    const auto count = std::count_if(m.splits.begin(), m.splits.end(), [](const SplitOutcome& s) {
      return s.parameters > 0 && s.best.epoch == s.epochs;
    });
    if (count > 0)
      who += fmt::format("{}{} on {} of {}", who.empty() ? "" : ", ", m.name, count,
                         counted(std::ssize(m.splits), "split"));
  }
  return who.empty() ? "" : "the best epoch was the last one allowed, more `epochs` may help: " + who;
}

// "class a" or "classes a, b and 4 more"
std::string classes_text(const std::vector<std::string>& names) {
  std::string out = plural(std::ssize(names), "class");
  const std::size_t shown = std::min(kShownClasses, names.size());
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? " " : ", ") + names[i];
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

std::string never_predicted_sentence(const Contender& m) {
  return m.never_predicted.empty() ? "" : m.name + " never predicts " + classes_text(m.never_predicted);
}

std::string rarely_found_sentence(const Contender& m) {
  if (m.rarely_found.empty()) return "";
  std::string advice;  // what was not tried
  if (!m.weighs_classes) advice = "`class_weights` balanced";
  if (!m.has_aim) advice += std::string(advice.empty() ? "" : " or ") + "`decide` macro_f1";
  return m.name + " finds less than a tenth of " + classes_text(m.rarely_found) +
         (m.splits.size() > 1 ? " over " + counted(std::ssize(m.splits), "split") : "") +
         (advice.empty() ? "" : "; " + advice + " may find more");
}

}  // namespace

std::string interval_text(Metric metric, const Interval& i) {
  return difference_text(metric, i.low) + " to " + difference_text(metric, i.high);
}
std::string unit_text(Metric metric) { return is_share(metric) ? " points" : ""; }
std::string p_text(double p) { return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p); }

std::string verdict(const Comparison& c) {
  if (c.rival == c.reference) return "";
  if (!c.has_test)
    return fmt::format("{} is best by validation; the splits have no test nodes, so nothing is tested",
                       c.models[c.reference]);
  const PairedDifference d = main_difference(c);
  return meaning(finding(c, d), c.blind.has_value(), c.models[d.first], c.models[d.second]) + ": " + evidence(c, d);
}

std::vector<std::string> caveats(const Comparison& c, std::span<const Contender> models) {
  std::vector<std::string> out;
  if (c.rival == c.reference && c.has_test && !c.can_test())
    out.push_back(fmt::format("too few splits for a test, {} are needed", Comparison::kFewestPairs));
  for (const PairedDifference& d : c.others) {
    if (!c.has_test) break;
    if (d.second == c.floor) out.push_back(floor_sentence(c, d));
    const bool reads_more = models[d.second].sees_graph && !models[c.reference].sees_graph;
    if (reads_more && !models[d.second].is_floor && d.second != c.rival && finding(c, d) == Finding::better)
      out.push_back(fmt::format("the graph hurts {}: {}", c.models[d.second], evidence(c, d)));
  }
  out.push_back(last_epoch_sentence(models));
  out.push_back(never_predicted_sentence(models[c.reference]));
  out.push_back(rarely_found_sentence(models[c.reference]));
  std::erase(out, "");
  return out;
}

}  // namespace gcnh::study
