#include "gcnh/run/run_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/base/parallel.h"
#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/graph/homophily.h"
#include "gcnh/graph/splits.h"
#include "gcnh/io/csv_write.h"
#include "gcnh/models/model.h"
#include "gcnh/run/graph_json.h"
#include "gcnh/run/split_data.h"
#include "gcnh/train/make_stepper.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

constexpr int kBins = 10;
constexpr std::uint64_t kMapSeed = 5000;

std::vector<std::size_t> degrees_of(const Dataset& d) {
  const Csr graph = simple_graph(d.adjacency);
  std::vector<std::size_t> out;
  for (Index u = 0; u < graph.rows; ++u) out.push_back(graph.row(u).size());
  return out;
}

// [degree, nodes that have it], ascending.
json degree_counts(const Dataset& d) {
  std::map<std::size_t, Index> count;
  for (std::size_t degree : degrees_of(d)) ++count[degree];
  json out = json::array();
  for (const auto& [degree, nodes] : count) out.push_back({degree, nodes});
  return out;
}

// Nodes by the share of neighbours that have their class, in ten steps.
json homophily_counts(const Dataset& d) {
  std::vector<Index> count(kBins, 0);
  for (double share : node_homophily(d))
    if (!std::isnan(share)) ++count[std::min(kBins - 1, static_cast<int>(share * kBins))];
  return count;
}

json remarks_json(const Experiment& e) {
  json out = json::array();
  for (const auto& [rule, found] : e.remarks) out.push_back({{"rule", rule}, {"found", found}});
  return out;
}

std::string class_columns(const Dataset& d, const char* prefix) {
  std::string out;
  for (const std::string& name : d.classes) out += "," + csv_field(prefix + name);
  return out + ",degree,homophily";
}

// The last cells of a node's row: where it stands in the graph, whatever the model says.
std::vector<std::string> surroundings(const Dataset& d) {
  const std::vector<std::size_t> degrees = degrees_of(d);
  const std::vector<double> shares = node_homophily(d);
  std::vector<std::string> out;
  for (std::size_t u = 0; u < degrees.size(); ++u)
    out.push_back(fmt::format(",{},{}", degrees[u], std::isnan(shares[u]) ? "" : fmt::format("{:.6g}", shares[u])));
  return out;
}

std::string label_field(const Dataset& d, Index node) {
  return d.labels[node] < 0 ? "" : csv_field(d.classes[d.labels[node]]);
}

// Every class keeps its share, and at least one node.
std::vector<Index> sample_nodes(const Dataset& d, std::size_t most) {
  std::vector<std::vector<Index>> nodes(d.num_classes() + 1);
  for (Index u = 0; u < d.num_nodes(); ++u) nodes[d.labels[u] < 0 ? d.num_classes() : d.labels[u]].push_back(u);
  std::vector<Index> out;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::size_t share = nodes[k].size() * most / static_cast<std::size_t>(std::max(1, d.num_nodes()));
    shuffle(nodes[k], Rng(kMapSeed).fork(k));
    nodes[k].resize(std::min(nodes[k].size(), std::max<std::size_t>(1, share)));
    out.insert(out.end(), nodes[k].begin(), nodes[k].end());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string predictions_rows(const Dataset& d, int split, const Matrix& logp, const std::vector<std::string>& around) {
  std::string out;
  const std::vector<Index>& nodes = d.splits[split].test;
  for (Index i = 0; i < logp.rows(); ++i) {
    out += fmt::format("{},{},{},{}", split, csv_field(d.id(nodes[i])), label_field(d, nodes[i]),
                       csv_field(d.classes[argmax(logp, i)]));
    for (Index k = 0; k < logp.cols(); ++k) out += fmt::format(",{:.9g}", std::exp(static_cast<double>(logp(i, k))));
    out += around[nodes[i]] + "\n";
  }
  return out;
}

// `seen` holds the features as the model saw them.
std::string map_rows(const Dataset& d, const Dataset& seen, int split, const std::vector<Index>& nodes,
                     const Matrix& logp, const std::vector<std::string>& around) {
  std::vector<const char*> role(d.num_nodes(), "");
  for (Index u : d.splits[split].train) role[u] = "train";
  for (Index u : d.splits[split].val) role[u] = "val";
  for (Index u : d.splits[split].test) role[u] = "test";
  std::string out;
  for (Index i = 0; i < logp.rows(); ++i) {
    out += csv_field(d.id(nodes[i])) + "," + label_field(d, nodes[i]) + "," + csv_field(d.classes[argmax(logp, i)]) + "," +
           role[nodes[i]];
    for (Index k = 0; k < logp.cols(); ++k) out += fmt::format(",{:.6g}", static_cast<double>(logp(i, k)));
    out += fmt::format("{},{:016x}\n", around[nodes[i]], row_hash(seen.features, nodes[i]));
  }
  return out;
}

// A model that takes the weights of one split after the other; columns of a table give it another dataset for each.
struct KeptModel {
  std::shared_ptr<const Dataset> data;
  std::unique_ptr<Model> model;
  std::optional<TapeStepper> stepper;

  void load(const Experiment& e, const SplitOutcome& s) {
    if (auto next = split_dataset(e, s.split); next != data) {
      stepper.reset();
      model.reset();
      data = std::move(next);
      model = find_model_type(e.model).make(*data, e.model_options, Rng(0));
      stepper.emplace(*model, 0, 0);
    }
    set_parameters(*model, s.weights);
    stepper->parameters_changed();
  }
};

}  // namespace

Answers model_answers(const Experiment& e) {
  return [&e, kept = std::make_shared<KeptModel>()](const SplitOutcome& s, std::span<const Index> nodes) {
    if (nodes.empty()) return Matrix(0, e.dataset->num_classes());
    kept->load(e, s);
    return kept->stepper->log_probabilities(nodes);
  };
}

std::string data_json(const Experiment& e) {
  const Dataset& d = *e.dataset;
  const Homophily h = measure_homophily(d);
  const json out = {{"name", d.name},
                    {"view", e.view_name},
                    {"fingerprint", join(d.name, " ", e.hash)},
                    {"nodes", d.num_nodes()},
                    {"edges", d.num_edges},
                    {"self_loops", d.num_self_loops},
                    {"features", d.features.cols()},
                    {"feature_nonzeros", d.features.nonzeros()},
                    {"unlabelled", std::count(d.labels.begin(), d.labels.end(), -1)},
                    {"test_per_train", test_per_train(d, e.splits)},
                    {"classes", classes_json(d)},
                    {"homophily", homophily_json(h)},
                    {"label_informativeness", h.label_informativeness},
                    {"degree", degrees_json(d)},
                    {"degree_counts", degree_counts(d)},
                    {"node_homophily_counts", homophily_counts(d)},
                    {"compatibility", compatibility_json(d)},
                    {"remarks", remarks_json(e)}};
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

RunTables run_tables(const Experiment& e, const RunResult& result, const Answers& answers, std::size_t most_on_map) {
  const Dataset& d = *e.dataset;
  Pool pool(e.threads);
  const PoolScope scope(&pool);
  const std::vector<std::string> around = surroundings(d);
  RunTables out{"split,id,label,predicted" + class_columns(d, "p_") + "\n",
                "id,label,predicted,role" + class_columns(d, "s_") + ",features\n"};
  const int kept = result.best().split;
  for (const SplitOutcome& s : result.splits) {
    out.predictions += predictions_rows(d, s.split, answers(s, d.splits[s.split].test), around);
    if (s.split != kept) continue;
    const std::vector<Index> nodes = sample_nodes(d, most_on_map);
    out.map += map_rows(d, *split_dataset(e, kept), kept, nodes, answers(s, nodes), around);
  }
  return out;
}

}  // namespace gcnh
