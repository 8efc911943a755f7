#include "gcnh/run/drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_set>

#include "gcnh/base/error.h"
#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/encode.h"
#include "gcnh/graph/homophily.h"
#include "gcnh/run/predict.h"

namespace gcnh {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kUnknown = "the run does not list all of its nodes";
constexpr std::size_t kFewest = 100;  // nodes that shares and scores are judged by; fewer are noise

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

double share(double part, double of) { return of > 0 ? part / of : kNoNumber; }

DriftRule judged(DriftRule rule) {
  if (rule.obstacle.empty() && std::isnan(rule.drift)) rule.obstacle = "nothing to compare";
  return rule;
}

std::string too_few(std::size_t count, const std::string& what) {
  return count >= kFewest ? "" : join(count, " ", what, "; judged from ", kFewest, " on");
}

DriftRule growth(const Drift& drift) {
  const double fresh = share(static_cast<double>(drift.fresh.size()), drift.nodes_now);
  DriftRule out{"new-nodes", "share of nodes that training did not have", 0, fresh, fresh, 0.5};
  if (!drift.knows_fresh) out.obstacle = kUnknown;
  return out;
}

DriftRule unknown_labels(Index nodes) {
  return {"new-classes",
          "nodes of classes that the model does not know",
          0,
          static_cast<double>(nodes),
          static_cast<double>(nodes),
          0};
}

DriftRule more_labels(const DataSummary& then, const Dataset& d) {
  double before = 0;
  for (const auto& [name, nodes] : then.classes) before += nodes;
  const auto now = static_cast<double>(std::count_if(d.labels.begin(), d.labels.end(), [](int k) { return k >= 0; }));
  return {"more-labels", "labelled nodes; the growth counts", before, now, share(now - before, before), 0.5};
}

// The column whose cells hold most values that training had not seen.
DriftRule unseen_values(const TrainedModel& model, const Dataset& d, const std::vector<Index>& nodes) {
  DriftRule out{"unseen-values", "share of cells with values that training did not have", 0, 0, 0, 0.05};
  if (model.schema.columns.empty() || !d.columns) out.obstacle = "the model has no columns with values";
  if (nodes.empty()) out.obstacle = "no new nodes";
  if (!out.obstacle.empty()) return out;
  Unseen unseen;
  encode(joint_schema(model), take_rows(*d.columns, nodes), static_cast<Index>(nodes.size()), &unseen, d.name);
  for (const auto* list : {&unseen.values, &unseen.missing, &unseen.far})
    for (const Unseen::Values& v : *list) {
      const double cells = share(static_cast<double>(v.cells), static_cast<double>(nodes.size()));
      if (cells <= out.now) continue;
      out.now = out.drift = cells;
      out.about = "cells of '" + v.column + "' with values that training did not have";
    }
  return out;
}

// The largest distance between the shares of nodes of at most some degree (Kolmogorov and Smirnov).
DriftRule degrees(const DataSummary& then, const Dataset& d) {
  const Csr graph = simple_graph(d.adjacency);
  std::map<double, std::array<double, 2>> count;
  double before = 0, sum_before = 0, sum_now = 0;
  for (const auto& [degree, nodes] : then.degree_counts) {
    count[degree][0] += nodes;
    before += nodes;
    sum_before += degree * nodes;
  }
  for (Index u = 0; u < graph.rows; ++u) {
    count[static_cast<double>(graph.row(u).size())][1] += 1;
    sum_now += static_cast<double>(graph.row(u).size());
  }
  double distance = before > 0 ? 0 : kNoNumber, below_then = 0, below_now = 0;
  for (const auto& [degree, nodes] : count) {
    below_then += share(nodes[0], before);
    below_now += share(nodes[1], graph.rows);
    distance = std::max(distance, std::abs(below_then - below_now));
  }
  return judged({"degrees", "mean degree; the distance of the distributions counts", share(sum_before, before),
                 share(sum_now, graph.rows), distance, 0.2});
}

DriftRule homophily(const DataSummary& then, const Dataset& d) {
  double before = kNoNumber;
  for (const auto& [name, value] : then.homophily)
    if (name == "edge") before = value;
  const double now = measure_homophily(d).edge;
  return judged({"homophily", "share of labelled edges within a class", before, now, std::abs(now - before), 0.1});
}

// Half the sum of the differences between the shares of the classes, given then and answered now.
DriftRule classes(const TrainedModel& model, const DataSummary& then, const Matrix& logp,
                  const std::vector<Index>& nodes) {
  DriftRule out{"class-shares", "distance of the answers for new nodes from the labels of training", 0, 0, 0, 0.15};
  out.obstacle = too_few(nodes.size(), "new nodes");
  std::vector<double> given(model.classes.size()), answered(model.classes.size());
  double labels = 0;
  for (const auto& [name, count] : then.classes) {
    const auto found = std::find(model.classes.begin(), model.classes.end(), name);
    if (found != model.classes.end()) given[static_cast<std::size_t>(found - model.classes.begin())] += count;
    labels += count;
  }
  for (Index u : nodes) answered[static_cast<std::size_t>(argmax(logp, u))] += 1;
  for (std::size_t k = 0; k < given.size(); ++k)
    out.now += std::abs(share(given[k], labels) - share(answered[k], static_cast<double>(nodes.size()))) / 2;
  out.drift = out.now;
  return judged(out);
}

// What a metric was on the test nodes, and what it is on nodes whose label has arrived.
DriftRule score(Metric metric, const StoredRun& run, bool knows_fresh, const Matrix& logp,
                const std::vector<int>& labels) {
  const bool accuracy = metric == Metric::accuracy;
  DriftRule out{accuracy ? "accuracy" : "calibration",
                accuracy ? "accuracy on new labels; the loss beyond two standard errors counts"
                         : "expected calibration error on new labels; the growth counts",
                kNoNumber,
                kNoNumber,
                kNoNumber,
                0.05};
  out.obstacle = knows_fresh ? too_few(labels.size(), "new labels") : kUnknown;
  if (!labels.empty()) out.now = measure(metric, logp, labels);
  double sum = 0;
  for (const SplitOutcome& split : run.result.splits)
    sum += split.test || (accuracy && split.test_accuracy) ? test_value(split, metric) : kNoNumber;
  out.then = sum / static_cast<double>(run.result.splits.size());
  const double error =
      2 * std::sqrt(out.then * (1 - out.then) / static_cast<double>(std::max<std::size_t>(1, labels.size())));
  out.drift = accuracy ? out.then - out.now - error : out.now - out.then;
  return judged(out);
}

}  // namespace

bool Drift::train_again() const {
  return std::any_of(rules.begin(), rules.end(), [](const DriftRule& r) { return r.train_again(); });
}

Index nodes_of_unknown_classes(const TrainedModel& model, const Tables& tables) {
  std::vector<bool> known;
  for (const std::string& name : tables.classes)
    known.push_back(std::find(model.classes.begin(), model.classes.end(), name) != model.classes.end());
  return static_cast<Index>(
      std::count_if(tables.labels.begin(), tables.labels.end(), [&](int k) { return k >= 0 && !known[k]; }));
}

Drift measure_drift(const TrainedModel& model, const StoredRun& run, const Dataset& d, const Matrix& logp,
                    Index unknown_classes) {
  require(!run.data.classes.empty(), run.path.string(), ": no data.json; what the model was trained on is not known");
  Drift out;
  out.nodes_then = run.data.nodes;
  out.nodes_now = d.num_nodes();
  out.fresh = fresh_nodes(model, run, d, out.knows_fresh);
  std::vector<Index> labelled;
  for (Index u : out.fresh)
    if (out.knows_fresh && d.labels[u] >= 0) labelled.push_back(u);
  out.labelled = labelled.size();
  const std::vector<int> labels = labels_of(d.labels, labelled);
  Matrix scored(static_cast<Index>(labelled.size()), logp.cols());
  for (std::size_t i = 0; i < labelled.size(); ++i)
    std::copy_n(logp.row(labelled[i]), logp.cols(), scored.row(static_cast<Index>(i)));
  out.rules = {growth(out),
               unknown_labels(unknown_classes),
               more_labels(run.data, d),
               unseen_values(model, d, out.fresh),
               degrees(run.data, d),
               homophily(run.data, d),
               classes(model, run.data, logp, out.fresh),
               score(Metric::accuracy, run, out.knows_fresh, scored, labels),
               score(Metric::ece, run, out.knows_fresh, scored, labels)};
  return out;
}

}  // namespace gcnh
