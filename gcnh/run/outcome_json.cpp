#include "gcnh/run/outcome_json.h"

#include <algorithm>
#include <cmath>

#include "gcnh/io/json.h"
#include "gcnh/models/readings.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

json to_json(const BestEpoch& best, Metric metric) {
  json out = {{"best_epoch", best.epoch},
              {"val_accuracy", number_json(best.score.accuracy)},
              {"val_loss", number_json(best.score.loss)}};
  if (metric != Metric::accuracy) out["val_metric"] = number_json(best.score.metric);
  return out;
}

BestEpoch best_from(const json& j) {
  const double accuracy = number_or_nan(j.at("val_accuracy"));
  return {j.at("best_epoch"),
          {number_or_nan(j.at("val_loss")), accuracy,
           j.contains("val_metric") ? number_or_nan(j.at("val_metric")) : accuracy}};
}

Metric metric_from(const json& j) {
  if (!j.contains("metric")) return Metric::accuracy;
  for (Metric metric : all_metrics())
    if (j.at("metric") == to_word(metric)) return metric;
  throw json::other_error::create(500, "metric " + j.at("metric").dump() + " is not known to this version", &j);
}

Readings readings_from(const json& j) {
  if (j.contains("readings")) return j.at("readings").get<Readings>();
  Readings out;
  for (const ReadingInfo& info : known_readings())
    if (j.contains(info.name) && !j.at(info.name).empty()) j.at(info.name).get_to(out[info.name]);
  return out;
}

}  // namespace

json number_json(double value) { return std::isnan(value) ? json() : json(value); }

json outcome_json(const SplitOutcome& o) {
  json out = {{"split", o.split}, {"epochs", o.epochs}};
  if (o.metric != Metric::accuracy) out["metric"] = to_word(o.metric);
  out.update(to_json(o.best, o.metric));
  if (o.test_accuracy) out["test_accuracy"] = number_json(*o.test_accuracy);
  if (o.val) out["val"] = measures_json(*o.val);
  if (o.test) out["test"] = measures_json(*o.test);
  for (const auto& [name, values] : o.readings) out["readings"][name] = values;
  for (const EpochMark& mark : o.marks) {
    json entry = {{"epochs", mark.epochs}};
    entry.update(to_json(mark.best, o.metric));
    out["marks"].push_back(std::move(entry));
  }
  out["parameters"] = o.parameters;
  out["engine"] = o.engine;
  return out;
}

SplitOutcome outcome_from(const json& j) {
  SplitOutcome out;
  j.at("split").get_to(out.split);
  j.at("epochs").get_to(out.epochs);
  out.best = best_from(j);
  out.metric = metric_from(j);
  if (j.contains("test_accuracy")) out.test_accuracy = number_or_nan(j.at("test_accuracy"));
  if (j.contains("val")) out.val = measures_from(j.at("val"));
  if (j.contains("test")) out.test = measures_from(j.at("test"));
  if (j.contains("decision")) out.decision = decision_from(j.at("decision"));
  out.readings = readings_from(j);
  if (j.contains("marks"))
    for (const json& mark : j.at("marks")) out.marks.push_back({mark.at("epochs"), best_from(mark)});
  out.parameters = j.value("parameters", out.parameters);
  out.engine = j.value("engine", out.engine);
  out.seconds = j.value("seconds", out.seconds);
  return out;
}

json option_json(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  const json number = json::parse(text, nullptr, false);
  return number.is_number() ? number : json(text);
}

json options_json(const OptionValues& options) {
  json out = json::object();
  for (const auto& [name, value] : options) out[name] = option_json(value);
  return out;
}

json mean_std_json(const std::vector<double>& values) {
  const MeanStd m = mean_std(values);
  return {{"mean", number_json(m.mean)}, {"std", number_json(m.std)}};
}

json measures_json(const Measures& measures) {
  json out = json::object();
  for (Metric metric : all_metrics()) out[to_word(metric)] = number_json(measures[metric]);
  return out;
}

Measures measures_from(const json& j) {
  Measures out;
  for (Metric metric : all_metrics())
    if (const auto found = j.find(to_word(metric)); found != j.end()) out[metric] = number_or_nan(*found);
  return out;
}

json decision_json(const DecisionScores& s) {
  json out = {{"temperature", number_json(s.temperature)}, {"ece_before", number_json(s.ece_before)},
              {"ece_after", number_json(s.ece_after)},     {"level", number_json(s.level)},
              {"coverage", number_json(s.coverage)},       {"set_size", number_json(s.set_size)}};
  for (double share : s.class_coverage) out["coverage_by_class"].push_back(number_json(share));
  if (s.aim.empty()) return out;
  out["aim"] = s.aim;
  out["before"] = number_json(s.before);
  out["after"] = number_json(s.after);
  return out;
}

DecisionScores decision_from(const json& j) {
  DecisionScores out;
  const auto read = [&](const char* key, double& to) {
    if (j.contains(key)) to = number_or_nan(j.at(key));
  };
  read("temperature", out.temperature);
  read("ece_before", out.ece_before);
  read("ece_after", out.ece_after);
  read("level", out.level);
  read("coverage", out.coverage);
  read("set_size", out.set_size);
  if (j.contains("coverage_by_class"))
    for (const json& share : j.at("coverage_by_class")) out.class_coverage.push_back(number_or_nan(share));
  read("before", out.before);
  read("after", out.after);
  out.aim = j.value("aim", out.aim);
  return out;
}

void add_measures(std::span<const SplitOutcome> splits, json& to) {
  const auto all_have = [&](std::optional<Measures> SplitOutcome::*set) {
    return std::all_of(splits.begin(), splits.end(), [&](const SplitOutcome& s) { return (s.*set).has_value(); });
  };
  for (Metric metric : all_metrics()) {
    if (all_have(&SplitOutcome::val)) to["val"][to_word(metric)] = mean_std_json(val_values(splits, metric));
    if (all_have(&SplitOutcome::test)) to["test"][to_word(metric)] = mean_std_json(test_values(splits, metric));
  }
}

}  // namespace gcnh
