#include "gcnh/run/evaluate.h"

#include <charconv>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/csv_rows.h"
#include "gcnh/io/file.h"
#include "gcnh/io/json.h"
#include "gcnh/run/outcome_json.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

// Whether features are what the training nodes made of them. The map beside a final model has those of a split, whose
// training nodes are others.
bool has_fitted_features(const TrainedModel& model) {
  return !model.schema.columns.empty() || model.scaling.kind == Scale::standard || model.scaling.kind == Scale::largest;
}

// Whether the dataset is the one of the training, grown or changed perhaps, so that equal ids mean equal nodes; nothing
// where that cannot be told. A final model keeps the ids of its graph. Beside others there is only the map: another
// graph may well use the same ids, but not for nodes of the same features.
std::optional<bool> is_same_data(const TrainedModel& model, const Dataset& d, const TrainingNodes& known) {
  if (graph_hash(d) == model.graph) return true;
  if (!model.known_ids.empty()) return !d.ids.empty();
  if (model.final && (known.nodes.empty() || has_fitted_features(model))) return std::nullopt;
  std::size_t common = 0, equal = 0;
  for (Index node = 0; node < d.num_nodes(); ++node) {
    const auto found = known.nodes.find(d.id(node));
    if (found == known.nodes.end() || !found->second.features) continue;
    ++common;
    equal += row_hash(d.features, node) == *found->second.features;
  }
  return common > 0 ? 2 * equal >= common : !d.ids.empty();
}

// The role that a node of the training's graph had in it; nothing where that is not told.
std::optional<std::string> role_of(const TrainedModel& model, const std::string& id, const TrainingNodes& known) {
  if (const auto found = known.nodes.find(id); found != known.nodes.end()) return found->second.role;
  if (model.final && model.labels == model.known_nodes) return "train";  // as every node was
  return std::nullopt;
}

void count_roles(const TrainedModel& model, const Dataset& d, std::span<const Index> nodes, const TrainingNodes& known,
                 Evaluation& out) {
  const std::optional<bool> is_same = is_same_data(model, d, known);
  const auto is_fresh = [&](Index node) {
    if (is_same && !*is_same) return true;
    return model.final ? !model.knows(d, node) : known.is_complete && !known.nodes.contains(d.id(node));
  };
  std::map<std::string, std::size_t> count;
  for (Index node : nodes) {
    const auto role = is_same ? role_of(model, d.id(node), known) : std::nullopt;
    if (is_fresh(node))
      ++out.fresh;
    else if (role)
      ++count[*role];
    else
      ++out.unknown;
  }
  if (out.unknown > 0 && count.empty()) return;
  out.trained = count["train"];
  out.validated = count["val"];
}

// As map_rows writes it.
std::optional<std::uint64_t> hash_in(const std::string& cell) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), out, 16);
  return error == std::errc() && end == cell.data() + cell.size() ? std::optional(out) : std::nullopt;
}

// How many nodes the graph of a run had; 0 where nothing tells.
std::size_t num_nodes_of(const std::filesystem::path& data_file) {
  if (!is_file(data_file)) return 0;
  try {
    return parse_json<json>(read_file(data_file), data_file.string()).at("nodes").get<std::size_t>();
  } catch (const json::exception& e) {
    fail(Status::data, data_file.string(), ": not of a run (", e.what(), ")");
  }
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

TrainingNodes training_nodes_beside(const std::filesystem::path& model_file, bool is_final) {
  TrainingNodes out;
  const std::filesystem::path map = model_file.parent_path() / "map.csv";
  if (!is_file(map)) return out;
  CsvRows rows(map.string());
  const std::size_t id = rows.column("id"), role = rows.column("role"), label = rows.column("label");
  const bool tells_features = rows.header().back() == "features";  // older ones do not
  while (rows.next()) {
    const std::vector<std::string>& cells = rows.row();
    const std::string final_role = cells[label].empty() ? "" : "train";
    out.nodes[cells[id]] = {is_final ? final_role : cells[role], tells_features ? hash_in(cells.back()) : std::nullopt};
  }
  out.is_complete = out.nodes.size() == num_nodes_of(map.parent_path() / "data.json");
  return out;
}

Evaluation evaluate(const TrainedModel& model, const Dataset& d, std::span<const Index> nodes,
                    const TrainingNodes& known) {
  check_nodes(d, nodes);
  Evaluation out;
  out.classes = model.classes;
  std::vector<Index> scored;
  for (Index node : nodes)
    if (d.labels[node] >= 0) scored.push_back(node);
  out.nodes = scored.size();
  out.unlabelled = nodes.size() - scored.size();
  require(!scored.empty(), d.name, ": none of the ", nodes.size(), " nodes has a label that the model knows (",
          list_words(model.classes), "); `label` names their column");
  if (known.nodes.empty() && !model.final)
    out.unknown = out.nodes;
  else
    count_roles(model, d, scored, known, out);
  const Matrix logp = predict(model, d, scored);
  const std::vector<int> labels = labels_of(d.labels, scored);
  AllMeasures reached = measure_all(logp, labels);
  out.measures = reached.overall;
  out.by_class = std::move(reached.classes);
  out.confusion = confusion(logp, labels);
  if (!model.decision) return out;
  out.decision = score_kept(*model.decision, logp, labels);
  if (!model.decision->has_rule()) return out;
  out.decided.assign(model.classes.size(), std::vector<Index>(model.classes.size()));
  for (std::size_t i = 0; i < labels.size(); ++i)
    ++out.decided[static_cast<std::size_t>(labels[i])]
                 [static_cast<std::size_t>(decide(*model.decision, logp, static_cast<Index>(i)))];
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
              {"new", e.fresh},
              {"unknown", e.unknown},
              {"metrics", measures_json(e.measures)},
              {"classes", std::move(classes)},
              {"confusion", e.confusion}};
  if (e.decision) out["decision"] = decision_json(*e.decision);
  if (!e.decided.empty()) out["decided"] = e.decided;
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh
