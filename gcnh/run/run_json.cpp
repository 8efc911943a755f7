#include "gcnh/run/run_json.h"

#include <algorithm>

#include "gcnh/models/model.h"
#include "gcnh/run/graph_json.h"
#include "gcnh/run/outcome_json.h"
#include "gcnh/version.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

json sizes(const Dataset& d) {
  return {{"nodes", d.num_nodes()},
          {"edges", d.num_edges},
          {"self_loops", d.num_self_loops},
          {"one_way_edges", d.num_one_way},
          {"weighted", d.weighted},
          {"features", d.features.cols()},
          {"feature_nonzeros", d.features.nonzeros()},
          {"classes", d.num_classes()}};
}

// A number of every class over the splits whose test nodes have the class.
json class_mean(std::span<const SplitOutcome> splits, std::size_t k, double ClassMeasures::*field) {
  std::vector<double> values;
  for (const SplitOutcome& s : splits)
    if (s.test_classes[k].support > 0) values.push_back(s.test_classes[k].*field);
  return mean_std_json(values);
}

// Not of a run that an older version began.
bool has_classes(const Dataset& d, std::span<const SplitOutcome> splits) {
  return std::all_of(splits.begin(), splits.end(),
                     [&](const SplitOutcome& s) { return s.test_classes.size() == d.classes.size(); });
}

json classes_json(const Dataset& d, std::span<const SplitOutcome> splits) {
  json out = json::array();
  for (std::size_t k = 0; k < d.classes.size(); ++k) {
    std::vector<double> support, predicted;
    for (const SplitOutcome& s : splits) {
      support.push_back(s.test_classes[k].support);
      predicted.push_back(s.test_classes[k].predicted);
    }
    out.push_back({{"name", d.classes[k]},
                   {"support", mean_std_json(support)},
                   {"predicted", mean_std_json(predicted)},
                   {"precision", class_mean(splits, k, &ClassMeasures::precision)},
                   {"recall", class_mean(splits, k, &ClassMeasures::recall)},
                   {"f1", class_mean(splits, k, &ClassMeasures::f1)},
                   {"roc_auc", class_mean(splits, k, &ClassMeasures::roc_auc)}});
  }
  return out;
}

}  // namespace

json run_object(const Experiment& e, const RunResult& result, const std::string& command) {
  json data = {{"name", e.dataset->name}, {"view", e.view_name}};
  data["direction"] = to_word(e.view.direction);
  data.update(sizes(*e.dataset));
  if (const Derived& derived = e.dataset->derived; !derived.name.empty()) data[derived.name] = derived.source;
  json splits = json::array();
  for (const SplitOutcome& s : result.splits) {
    json entry = outcome_json(s);
    for (const ReadingInfo& info : known_readings())  // every run has the same keys
      entry[info.name] = s.readings.contains(info.name) ? json(s.readings.at(info.name)) : json::array();
    if (s.decision) entry["decision"] = decision_json(*s.decision);
    entry["seconds"] = s.seconds;
    splits.push_back(std::move(entry));
  }
  json out = {{"model", e.model},
              {"data", std::move(data)},
              {"options", options_json(all_options(e))},
              {"engine", result.splits[0].engine},
              {"seed", e.seed},
              {"threads", e.threads},
              {"parameters", result.splits[0].parameters},
              {"splits", std::move(splits)},
              {"val_accuracy", mean_std_json(val_accuracies(result.splits))},
              {"test_accuracy", mean_std_json(test_accuracies(result.splits))},
              {"metric", to_word(e.train.metric)},
              {"seconds", result.seconds},
              {"peak_rss_bytes", result.peak_rss_bytes}};
  add_measures(result.splits, out);
  if (const auto decision = mean_decision(result.splits)) out["decision"] = decision_json(*decision);
  if (has_classes(*e.dataset, result.splits)) out["classes"] = classes_json(*e.dataset, result.splits);
  if (e.parts > 0) out["parts"] = e.parts;
  if (!command.empty())
    out.update({{"command", command}, {"version", version()}, {"simd", simd()}, {"cpu", cpu_name()}});
  return out;
}

std::string run_json(const Experiment& experiment, const RunResult& result, const std::string& command,
                     const std::string& final) {
  json out = run_object(experiment, result, command);
  if (!final.empty()) out["final"] = json::parse(final);
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string curves_jsonl(const RunResult& result) {
  std::string out;
  for (const SplitOutcome& s : result.splits) {
    int epoch = 0;
    for (const EpochRecord& e : s.history) {
      json line = {{"split", s.split},
                   {"epoch", ++epoch},
                   {"train_loss", e.train_loss},
                   {"val_loss", e.val_loss},
                   {"val_accuracy", e.val_accuracy}};
      if (s.metric != Metric::accuracy) line["val_metric"] = e.val_metric;
      for (const auto& [name, values] : e.readings) line[name] = values;
      out += line.dump() + "\n";
    }
  }
  return out;
}

std::string inspect_json(const Dataset& dataset, const Homophily& h) {
  json out = {{"name", dataset.name}};
  out.update(sizes(dataset));
  out["features_are"] = dataset.features.is_sparse() ? "sparse" : "dense";
  if (dataset.weighted) {
    const Weights weights = measure_weights(dataset);
    out["weights"] = {{"min", weights.min}, {"mean", weights.mean}, {"max", weights.max}};
  }
  out["class_sizes"] = classes_json(dataset);
  out["unlabelled"] = std::count(dataset.labels.begin(), dataset.labels.end(), -1);
  out["degree"] = degrees_json(dataset);
  out["homophily"] = homophily_json(h);
  out["label_informativeness"] = h.label_informativeness;
  out["splits"] = json::array();
  for (const Split& split : dataset.splits)
    out["splits"].push_back({{"train", split.train.size()}, {"val", split.val.size()}, {"test", split.test.size()}});
  out["compatibility"] = compatibility_json(dataset);
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string models_json(const std::string& data, const std::vector<ModelSize>& sizes) {
  json models = json::array();
  for (const ModelSize& size : sizes)
    models.push_back({{"model", size.model}, {"parameters", size.parameters}, {"options", options_json(size.options)}});
  return json{{"data", data}, {"models", std::move(models)}}.dump(2) + "\n";
}

}  // namespace gcnh
