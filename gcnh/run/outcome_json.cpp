#include "gcnh/run/outcome_json.h"

#include <limits>

#include "gcnh/models/readings.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

json to_json(const BestEpoch& best) {
  return {{"best_epoch", best.epoch}, {"val_accuracy", best.score.accuracy}, {"val_loss", best.score.loss}};
}

// JSON has no NaN and says null.
double number(const json& j) { return j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.get<double>(); }

BestEpoch best_from(const json& j) {
  return {j.at("best_epoch"), {j.at("val_loss").get<double>(), j.at("val_accuracy").get<double>()}};
}

Readings readings_from(const json& j) {
  if (j.contains("readings")) return j.at("readings").get<Readings>();
  Readings out;
  for (const ReadingInfo& info : known_readings())
    if (j.contains(info.name) && !j.at(info.name).empty()) j.at(info.name).get_to(out[info.name]);
  return out;
}

}  // namespace

json outcome_json(const SplitOutcome& o) {
  json out = {{"split", o.split}, {"epochs", o.epochs}};
  out.update(to_json(o.best));
  if (o.test_accuracy) out["test_accuracy"] = *o.test_accuracy;
  for (const auto& [name, values] : o.readings) out["readings"][name] = values;
  for (const EpochMark& mark : o.marks) {
    json entry = {{"epochs", mark.epochs}};
    entry.update(to_json(mark.best));
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
  if (j.contains("test_accuracy")) out.test_accuracy = number(j.at("test_accuracy"));
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
  return {{"mean", m.mean}, {"std", m.std}};
}

}  // namespace gcnh
