#include "gcnh/train/report.h"

#include <sys/resource.h>

#include "gcnh/train/option_json.h"
#include "gcnh/version.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

json to_json(const MeanStd& m) { return {{"mean", m.mean}, {"std", m.std}}; }

json sizes(const Dataset& d) {
  return {{"nodes", d.num_nodes()},
          {"edges", d.num_edges},
          {"self_loops", d.num_self_loops},
          {"features", d.features.cols()},
          {"feature_nonzeros", d.features.nonzeros()},
          {"classes", d.num_classes()}};
}

}  // namespace

OptionValues all_options(const DataCard& card, const RunConfig& config) {
  OptionValues out = config.model_options;
  out.merge(to_values(config.train));
  out["scale"] = card.scale;
  return out;
}

std::string run_json(const Dataset& dataset, const DataCard& card, const RunConfig& config, const RunResult& result,
                     const std::string& command) {
  json data = {{"name", card.name}, {"view", card.view}};
  data.update(sizes(dataset));
  if (!dataset.derived.name.empty()) data[dataset.derived.name] = dataset.derived.source;
  json splits = json::array();
  for (const SplitResult& s : result.splits) {
    json entry = {{"split", s.split},
                  {"best_epoch", s.state.best_epoch},
                  {"epochs", s.state.epoch()},
                  {"val_accuracy", s.state.best.accuracy},
                  {"val_loss", s.state.best.loss},
                  {"test_accuracy", s.test_accuracy}};
    entry["beta"] = json::array();
    for (const auto& [name, values] : s.readings) entry[name] = values;
    entry["seconds"] = s.state.seconds;
    splits.push_back(std::move(entry));
  }
  json out = {{"model", config.model},
              {"data", std::move(data)},
              {"options", options_json(all_options(card, config))},
              {"engine", result.splits[0].engine},
              {"seed", config.seed},
              {"threads", config.threads},
              {"parameters", result.parameters},
              {"splits", std::move(splits)},
              {"val_accuracy", to_json(val_accuracy(result))},
              {"test_accuracy", to_json(test_accuracy(result))},
              {"seconds", result.seconds},
              {"peak_rss_bytes", peak_rss_bytes()}};
  if (!command.empty())
    out.update({{"command", command}, {"version", version()}, {"simd", simd()}, {"cpu", cpu_name()}});
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string curves_jsonl(const RunResult& result) {
  std::string out;
  for (const SplitResult& s : result.splits) {
    int epoch = 0;
    for (const EpochRecord& e : s.state.history) {
      json line = {{"split", s.split},
                   {"epoch", ++epoch},
                   {"train_loss", e.train_loss},
                   {"val_loss", e.val_loss},
                   {"val_accuracy", e.val_accuracy}};
      for (const auto& [name, values] : e.readings) line[name] = values;
      out += line.dump() + "\n";
    }
  }
  return out;
}

std::string inspect_json(const Dataset& dataset, const Homophily& h) {
  json out = sizes(dataset);
  out["homophily"] = {
      {"edge", h.edge}, {"node", h.node}, {"class_insensitive", h.class_insensitive}, {"adjusted", h.adjusted}};
  out["label_informativeness"] = h.label_informativeness;
  return out.dump(2) + "\n";
}

std::string models_json(const std::string& data, const std::vector<ModelSize>& sizes) {
  json models = json::array();
  for (const ModelSize& size : sizes)
    models.push_back({{"model", size.model}, {"parameters", size.parameters}, {"options", options_json(size.options)}});
  return json{{"data", data}, {"models", std::move(models)}}.dump(2) + "\n";
}

std::int64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace gcnh
