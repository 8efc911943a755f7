#include "gcnh/study/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gcnh/base/error.h"
#include "gcnh/graph/splits.h"
#include "gcnh/io/text.h"
#include "gcnh/models/model.h"
#include "gcnh/run/outcome_json.h"
#include "gcnh/study/floors.h"

namespace gcnh::study {
namespace {

using json = nlohmann::ordered_json;

constexpr double kLevel = 0.05;
constexpr double kRarely = 0.1;  // share of the nodes of a class
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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

// The order without floors, or with floors alone where there is nothing else.
std::vector<std::size_t> without_floors(std::span<const Contender> models, std::vector<std::size_t> order) {
  const bool all = std::all_of(models.begin(), models.end(), [](const Contender& m) { return m.is_floor; });
  if (!all) std::erase_if(order, [&](std::size_t i) { return models[i].is_floor; });
  return order;
}

// The first of the order that differs from the reference in whether it sees the graph, else the first other one. Where
// models without the graph are among them, so are floors: what a floor reaches without it is no merit of the graph.
std::size_t find_rival(std::span<const Contender> models, const std::vector<std::size_t>& order,
                       const std::vector<std::size_t>& with_floors, std::size_t reference) {
  const auto differs = [&](std::size_t i) { return models[i].sees_graph != models[reference].sees_graph; };
  if (const auto found = std::find_if(order.begin(), order.end(), differs); found != order.end())
    return models[*found].sees_graph ? *found : *std::find_if(with_floors.begin(), with_floors.end(), differs);
  for (std::size_t i : order)
    if (i != reference) return i;
  const auto floor = std::find_if(with_floors.begin(), with_floors.end(), differs);  // of a single model
  return floor != with_floors.end() && models[reference].sees_graph ? *floor : reference;
}

PairedDifference paired_difference(std::span<const Contender> models, std::size_t first, std::size_t second,
                                   double test_per_train, Metric metric) {
  std::vector<double> differences = test_values(models[first].splits, metric);
  const std::vector<double> theirs = test_values(models[second].splits, metric);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= theirs[i];
  if (std::isnan(differences[0])) return {first, second, {kNone, {kNone, kNone}, 1}};
  const MeanTest test = corrected_t_test(differences, test_per_train);
  return {first, second, test, test.p, wilcoxon_signed_rank(differences).p};
}

// The second minus the first.
PairedDifference turned(PairedDifference d) {
  std::swap(d.first, d.second);
  d.test.mean = -d.test.mean;
  d.test.interval = {-d.test.interval.high, -d.test.interval.low};
  return d;
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

std::vector<ClassCount> count_classes(const Dataset& d, std::span<const SplitOutcome> splits) {
  std::vector<ClassCount> out;
  for (std::size_t k = 0; k < d.classes.size(); ++k) {
    ClassCount& count = out.emplace_back(ClassCount{d.classes[k]});
    for (const SplitOutcome& s : splits) {
      if (s.test_classes.size() != d.classes.size()) return {};
      const ClassMeasures& m = s.test_classes[k];
      count.nodes += static_cast<double>(m.support);
      count.answers += static_cast<double>(m.predicted);
      count.found += std::round(m.recall * static_cast<double>(m.support));
    }
  }
  return out;
}

}  // namespace

bool sees_graph(const std::string& model) {
  const auto& types = model_types();
  return std::none_of(types.begin(), types.end(),
                      [&](const ModelType& t) { return t.name == model && !t.sees_graph; }) &&
         std::none_of(floors().begin(), floors().end(),
                      [&](const Floor& f) { return f.name == model && !f.sees_graph; });
}

Contender contender(const Experiment& e, const RunResult& result) {
  Contender out{e.model, result.splits, test_per_train(*e.dataset, e.splits), sees_graph(e.model), is_floor(e.model)};
  name_overlooked(count_classes(*e.dataset, result.splits), out);
  out.weighs_classes = e.train.class_weights != TrainOptions{}.class_weights;
  out.has_aim = e.aims.has_aim();
  return out;
}

void name_overlooked(std::span<const ClassCount> classes, Contender& out) {
  for (const ClassCount& c : classes) {
    if (c.nodes > 0 && c.answers == 0) out.never_predicted.push_back(quote(c.name));
    if (c.answers > 0 && c.found < kRarely * c.nodes)
      out.rarely_found.push_back(join(quote(c.name), " (", c.found, " of ", c.nodes, ")"));
  }
}

Comparison compare_models(std::span<const Contender> models, std::optional<std::size_t> reference, Metric metric) {
  check_contenders(models);
  Comparison out;
  out.metric = metric;
  const std::vector<std::size_t> all = by_validation(models, metric), order = without_floors(models, all);
  out.reference = reference.value_or(order[0]);
  out.rival = find_rival(models, order, all, out.reference);
  if (models[out.rival].sees_graph != models[out.reference].sees_graph)
    out.blind = models[out.rival].sees_graph ? out.reference : out.rival;
  out.pairs = models[0].splits.size();
  out.has_test = !std::isnan(test_value(models[0].splits[0], Metric::accuracy));
  for (const Contender& m : models) {
    out.models.push_back(m.name);
    out.test_per_train = std::max(out.test_per_train, m.test_per_train);  // views may differ: the cautious one
  }
  const auto is_other = [&](std::size_t i) { return std::find(order.begin(), order.end(), i) == order.end(); };
  if (const auto best = std::find_if(all.begin(), all.end(), is_other); best != all.end()) out.floor = *best;
  std::vector<double> p_values;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (i == out.reference) continue;
    out.others.push_back(paired_difference(models, out.reference, i, out.test_per_train, metric));
    if (!is_other(i)) p_values.push_back(out.others.back().test.p);
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  auto next = adjusted.begin();
  for (PairedDifference& d : out.others)
    if (!is_other(d.second)) d.p_holm = *next++;
  return out;
}

PairedDifference main_difference(const Comparison& comparison) {
  const auto found = std::find_if(comparison.others.begin(), comparison.others.end(),
                                  [&](const PairedDifference& d) { return d.second == comparison.rival; });
  require(found != comparison.others.end(), "comparison: no other model to compare with");
  return comparison.blind == comparison.reference ? turned(*found) : *found;
}

Finding finding(const Comparison& comparison, const PairedDifference& difference) {
  if (!comparison.has_test) return Finding::no_test_nodes;
  if (!comparison.can_test()) return Finding::too_few_splits;
  if (difference.test.interval.contains(0)) return Finding::interval_contains_zero;
  if (difference.p_holm >= kLevel) return Finding::lost_to_holm;
  return (difference.test.mean > 0) == higher_is_better(comparison.metric) ? Finding::better : Finding::worse;
}

std::string comparison_json(std::span<const ComparedRun> runs, const Comparison& comparison,
                            const std::vector<std::string>& sentences) {
  json out = json::array();
  for (const ComparedRun& run : runs) {
    json entry = run_object(run.experiment, run.result);
    const json search = run.search.empty() ? json() : json::parse(run.search);
    entry["floor"] = is_floor(run.experiment.model);
    entry["test_reads"] = std::ssize(run.result.splits) + (search.is_null() ? 0 : search.at("test_reads").get<long>());
    if (!search.is_null()) entry["search"] = search;
    if (!run.final.empty()) entry["final"] = json::parse(run.final);
    out.push_back(std::move(entry));
  }
  for (const PairedDifference& d : comparison.others) out[d.second]["comparison"] = to_json(comparison, d);
  out[comparison.reference]["verdict"] = sentences;
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh::study
