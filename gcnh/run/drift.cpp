#include "gcnh/run/drift.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

#include "gcnh/base/error.h"
#include "gcnh/run/drift_rules.h"

namespace gcnh {
namespace {

// Nodes that a final model does not know, or that the run's map does not name; of nodes without ids those beyond its
// number.
std::vector<Index> fresh_nodes(const TrainedModel& model, const StoredRun& run, const Dataset& d, bool& known) {
  known = model.final || d.ids.empty() || static_cast<double>(run.map.size()) == run.data.nodes;
  std::vector<Index> out;
  if (model.final) {
    for (Index u = 0; u < d.num_nodes(); ++u)
      if (!model.knows(d, u)) out.push_back(u);
    return out;
  }
  std::unordered_set<std::string> names;
  for (const MapPoint& p : run.map) names.insert(p.id);
  for (Index u = 0; u < d.num_nodes(); ++u)
    if (!known || (d.ids.empty() ? static_cast<double>(u) >= run.data.nodes : !names.contains(d.id(u))))
      out.push_back(u);
  return out;
}

DriftData drift_data(const TrainedModel& model, const StoredRun& run, const Dataset& d, const Matrix& logp,
                     const std::vector<Index>& unknown_classes) {
  DriftData out{model, run, d, logp};
  out.fresh = fresh_nodes(model, run, d, out.knows_fresh);
  out.unknown = unknown_classes;
  out.is_fresh.assign(d.labels.size(), false);
  for (Index u : out.fresh) {
    out.is_fresh[u] = true;
    if (out.knows_fresh && d.labels[u] >= 0) out.labelled.push_back(u);
  }
  return out;
}

}  // namespace

double labels_then(const DriftData& x) {
  double out = 0;
  for (const auto& [name, nodes] : x.run.data.classes) out += nodes;
  return out;
}

std::string too_few(std::size_t count, const std::string& what, std::size_t fewest) {
  return count >= fewest ? "" : join(count, " ", what, "; judged from ", fewest, " on");
}

DriftRule judged(DriftRule rule) {
  if (rule.obstacle.empty() && std::isnan(rule.drift)) rule.obstacle = "nothing to compare";
  return rule;
}

bool Drift::train_again() const {
  return std::any_of(rules.begin(), rules.end(), [](const DriftRule& r) { return r.train_again(); });
}

std::vector<Index> nodes_of_unknown_classes(const TrainedModel& model, const Tables& tables) {
  std::vector<bool> known;
  for (const std::string& name : tables.classes)
    known.push_back(std::find(model.classes.begin(), model.classes.end(), name) != model.classes.end());
  std::vector<Index> out;
  for (std::size_t u = 0; u < tables.labels.size(); ++u)
    if (tables.labels[u] >= 0 && !known[tables.labels[u]]) out.push_back(static_cast<Index>(u));
  return out;
}

Drift measure_drift(const TrainedModel& model, const StoredRun& run, const Dataset& d, const Matrix& logp,
                    const std::vector<Index>& unknown_classes) {
  require(!run.data.classes.empty(), run.path.string(), ": no data.json; what the model was trained on is not known");
  const DriftData x = drift_data(model, run, d, logp, unknown_classes);
  Drift out;
  out.nodes_then = run.data.nodes;
  out.nodes_now = d.num_nodes();
  out.fresh = x.fresh;
  out.knows_fresh = x.knows_fresh;
  if (x.knows_fresh)
    out.of_unknown = static_cast<std::size_t>(
        std::count_if(x.unknown.begin(), x.unknown.end(), [&](Index u) { return x.is_fresh[u]; }));
  out.labelled = x.labelled.size() + out.of_unknown;
  for (auto rules : {table_rules, graph_rules, class_rules, score_rules})
    std::ranges::move(rules(x), std::back_inserter(out.rules));
  return out;
}

}  // namespace gcnh
