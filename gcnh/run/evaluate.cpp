#include "gcnh/run/evaluate.h"

#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/csv_rows.h"
#include "gcnh/run/outcome_json.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

// Row numbers mean the same nodes in the same graph alone.
bool ids_tell(const TrainedModel& model, const Dataset& d) { return !d.ids.empty() || graph_hash(d) == model.graph; }

void count_roles(const Dataset& d, std::span<const Index> nodes, const NodeRoles& roles, Evaluation& out) {
  std::map<std::string, std::size_t> count;
  for (Index node : nodes) {
    const auto found = roles.find(d.id(node));
    ++count[found == roles.end() ? "unknown" : found->second];
  }
  out.unknown = count["unknown"];
  if (out.unknown == nodes.size()) return;
  out.trained = count["train"];
  out.validated = count["val"];
}

// What the decision is worth on answers that have its temperature already.
DecisionScores score_kept(Decision decision, const Matrix& logp, std::span<const int> labels) {
  const double temperature = std::exchange(decision.temperature, 1);
  Aims aims;
  aims.costs = decision.costs;
  DecisionScores out = score_decision(decision, logp, labels, aims);
  out.temperature = temperature;
  out.ece_before = DecisionScores::kNone;
  return out;
}

json class_json(const std::string& name, const ClassMeasures& c) {
  return {{"name", name},       {"support", c.support}, {"predicted", c.predicted},         {"precision", c.precision},
          {"recall", c.recall}, {"f1", c.f1},           {"roc_auc", number_json(c.roc_auc)}};
}

}  // namespace

NodeRoles roles_beside(const std::filesystem::path& model_file, bool is_final) {
  NodeRoles out;
  const std::filesystem::path map = model_file.parent_path() / "map.csv";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(map, ignored)) return out;
  CsvRows rows(map.string());
  const std::size_t id = rows.column("id"), role = rows.column("role"), label = rows.column("label");
  while (rows.next()) {
    const bool trained = is_final && !rows.row()[label].empty();
    out[rows.row()[id]] = trained ? "train" : is_final ? "" : rows.row()[role];
  }
  return out;
}

Evaluation evaluate(const TrainedModel& model, const Dataset& d, std::span<const Index> nodes, const NodeRoles& roles) {
  Evaluation out;
  out.classes = model.classes;
  std::vector<Index> scored;
  for (Index node : nodes)
    if (d.labels[node] >= 0) scored.push_back(node);
  out.nodes = scored.size();
  out.unlabelled = nodes.size() - scored.size();
  require(!scored.empty(), d.name, ": none of the ", nodes.size(), " nodes has a label that the model knows (",
          list_words(model.classes), "); `label` names their column");
  count_roles(d, scored, ids_tell(model, d) ? roles : NodeRoles{}, out);
  const Matrix logp = predict(model, d, scored);
  const std::vector<int> labels = labels_of(d.labels, scored);
  out.measures = measure(logp, labels);
  out.by_class = measure_classes(logp, labels);
  out.confusion = confusion(logp, labels);
  if (model.decision) out.decision = score_kept(*model.decision, logp, labels);
  return out;
}

std::string evaluation_json(const TrainedModel& model, const std::string& data, const Evaluation& e) {
  json classes = json::array();
  for (std::size_t k = 0; k < e.classes.size(); ++k) classes.push_back(class_json(e.classes[k], e.by_class[k]));
  json out = {{"model", model.model},
              {"data", data},
              {"nodes", e.nodes},
              {"unlabelled", e.unlabelled},
              {"trained", e.trained ? json(*e.trained) : json()},
              {"validated", e.validated ? json(*e.validated) : json()},
              {"unknown", e.unknown},
              {"metrics", measures_json(e.measures)},
              {"classes", std::move(classes)},
              {"confusion", e.confusion}};
  if (e.decision) out["decision"] = decision_json(*e.decision);
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh
