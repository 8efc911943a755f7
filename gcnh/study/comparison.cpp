#include "gcnh/study/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "gcnh/base/error.h"
#include "gcnh/graph/splits.h"
#include "gcnh/models/model.h"
#include "gcnh/run/outcome_json.h"

namespace gcnh::study {
namespace {

using json = nlohmann::ordered_json;

constexpr double kLevel = 0.05;

void check_contenders(std::span<const Contender> models) {
  require(!models.empty(), "comparison: no models");
  const std::size_t pairs = models[0].splits.size();
  require(pairs > 0, "comparison: model '", models[0].name, "' was run on no split");
  for (const Contender& m : models)
    require(m.splits.size() == pairs, "comparison: model '", m.name, "' was run on ",
            counted(std::ssize(m.splits), "split"), ", '", models[0].name, "' on ", pairs,
            "; pairs need the same splits");
}

// Positions of the models, best mean validation value first.
std::vector<std::size_t> by_validation(std::span<const Contender> models, Metric metric) {
  std::vector<double> means;
  for (const Contender& m : models) means.push_back(merit(metric, mean_std(val_values(m.splits, metric)).mean));
  std::vector<std::size_t> order(models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return means[a] > means[b]; });
  return order;
}

// The first of the order that differs from the reference in whether it sees the graph, else the first other one.
std::size_t find_rival(std::span<const Contender> models, const std::vector<std::size_t>& order,
                       std::size_t reference) {
  for (std::size_t i : order)
    if (models[i].sees_graph != models[reference].sees_graph) return i;
  for (std::size_t i : order)
    if (i != reference) return i;
  return reference;
}

PairedDifference paired_difference(std::span<const Contender> models, std::size_t first, std::size_t second,
                                   double test_per_train, Metric metric) {
  std::vector<double> differences = test_values(models[first].splits, metric);
  const std::vector<double> theirs = test_values(models[second].splits, metric);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= theirs[i];
  const MeanTest test = corrected_t_test(differences, test_per_train);
  return {first, second, test, test.p, wilcoxon_signed_rank(differences).p};
}

json to_json(const Comparison& c, const PairedDifference& d) {
  const auto if_tested = [&](double x) { return c.can_test() ? json(x) : json(nullptr); };
  return {{"reference", c.models[d.first]},
          {"pairs", c.pairs},
          {"test_per_train", c.test_per_train},
          {"metric", to_word(c.metric)},
          {"reference_minus_model",
           {{"mean", d.test.mean}, {"low", if_tested(d.test.interval.low)}, {"high", if_tested(d.test.interval.high)}}},
          {"p_corrected_t", if_tested(d.test.p)},
          {"p_holm", if_tested(d.p_holm)},
          {"p_wilcoxon", if_tested(d.p_wilcoxon)}};
}

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

bool sees_graph(const std::string& model) {
  const auto& types = model_types();
  return std::none_of(types.begin(), types.end(), [&](const ModelType& t) { return t.name == model && !t.sees_graph; });
}

Contender contender(const Experiment& e, const RunResult& result) {
  return {e.model, result.splits, test_per_train(*e.dataset, e.splits), sees_graph(e.model)};
}

Comparison compare_models(std::span<const Contender> models, std::optional<std::size_t> reference, Metric metric) {
  check_contenders(models);
  Comparison out;
  out.metric = metric;
  const std::vector<std::size_t> order = by_validation(models, metric);
  out.reference = reference.value_or(order[0]);
  out.rival = find_rival(models, order, out.reference);
  if (models[out.rival].sees_graph != models[out.reference].sees_graph)
    out.blind = models[out.rival].sees_graph ? out.reference : out.rival;
  out.pairs = models[0].splits.size();
  for (const Contender& m : models) {
    out.models.push_back(m.name);
    out.test_per_train = std::max(out.test_per_train, m.test_per_train);  // views may differ: the cautious one
  }
  std::vector<double> p_values;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (i == out.reference) continue;
    out.others.push_back(paired_difference(models, out.reference, i, out.test_per_train, metric));
    p_values.push_back(out.others.back().test.p);
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < adjusted.size(); ++i) out.others[i].p_holm = adjusted[i];
  return out;
}

PairedDifference main_difference(const Comparison& comparison) {
  const auto found = std::find_if(comparison.others.begin(), comparison.others.end(),
                                  [&](const PairedDifference& d) { return d.second == comparison.rival; });
  require(found != comparison.others.end(), "comparison: no other model to compare with");
  PairedDifference out = *found;
  if (comparison.blind != comparison.reference) return out;
  std::swap(out.first, out.second);
  out.test.mean = -out.test.mean;
  out.test.interval = {-out.test.interval.high, -out.test.interval.low};
  return out;
}

Finding finding(const Comparison& comparison, const PairedDifference& difference) {
  if (!comparison.can_test()) return Finding::too_few_splits;
  if (difference.test.interval.contains(0)) return Finding::interval_contains_zero;
  if (difference.p_holm >= kLevel) return Finding::lost_to_holm;
  return (difference.test.mean > 0) == higher_is_better(comparison.metric) ? Finding::better : Finding::worse;
}

std::string interval_text(Metric metric, const Interval& i) {
  return difference_text(metric, i.low) + " to " + difference_text(metric, i.high);
}
std::string unit_text(Metric metric) { return is_share(metric) ? " points" : ""; }
std::string p_text(double p) { return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p); }

std::string verdict(const Comparison& c) {
  if (c.others.empty()) return "";
  const PairedDifference d = main_difference(c);
  return meaning(finding(c, d), c.blind.has_value(), c.models[d.first], c.models[d.second]) + ": " + evidence(c, d);
}

std::string comparison_json(std::span<const std::pair<Experiment, RunResult>> runs, const Comparison& comparison) {
  json out = json::array();
  for (const auto& [experiment, result] : runs) out.push_back(run_object(experiment, result));
  for (const PairedDifference& d : comparison.others) out[d.second]["comparison"] = to_json(comparison, d);
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh::study
