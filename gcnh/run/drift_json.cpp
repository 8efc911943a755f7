// Drift for tools.
#include "gcnh/run/drift.h"
#include "gcnh/run/outcome_json.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

json rule_json(const DriftRule& r) {
  return {{"rule", r.name},
          {"about", r.about},
          {"then", number_json(r.then)},
          {"now", number_json(r.now)},
          {"drift", number_json(r.drift)},
          {"margin", number_json(r.margin)},
          {"limit", r.limit},
          {"verdict", r.verdict()},
          {"obstacle", r.obstacle.empty() ? json() : json(r.obstacle)},
          {"train_again", r.train_again()}};
}

}  // namespace

std::string drift_json(const TrainedModel& model, const std::string& data, const Drift& drift) {
  json rules = json::array();
  for (const DriftRule& rule : drift.rules) rules.push_back(rule_json(rule));
  const json out = {{"model", model.model},
                    {"data", data},
                    {"nodes_then", drift.nodes_then},
                    {"nodes", drift.nodes_now},
                    {"new", drift.knows_fresh ? json(drift.fresh.size()) : json()},
                    {"new_labels", drift.knows_fresh ? json(drift.labelled) : json()},
                    {"new_labels_unknown", drift.knows_fresh ? json(drift.of_unknown) : json()},
                    {"rules", std::move(rules)},
                    {"train_again", drift.train_again()}};
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh
