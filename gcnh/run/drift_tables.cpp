// Drift of the tables: nodes, labels and cells that training did not have.
#include <algorithm>

#include "gcnh/graph/encode.h"
#include "gcnh/run/drift_rules.h"
#include "gcnh/run/predict.h"

namespace gcnh {
namespace {

DriftRule growth(const DriftData& x) {
  const double fresh = share(static_cast<double>(x.fresh.size()), x.now.num_nodes());
  DriftRule out{"new-nodes", "share of nodes that training did not have", 0, fresh, fresh, 0.5};
  if (!x.knows_fresh) out.obstacle = kNotListed;
  return out;
}

DriftRule unknown_labels(const DriftData& x) {
  const auto nodes = static_cast<double>(x.unknown.size());
  return {"new-classes", "nodes of classes that the model does not know", 0, nodes, nodes, 0};
}

DriftRule more_labels(const DriftData& x) {
  const double before = labels_then(x);
  const auto known = std::count_if(x.now.labels.begin(), x.now.labels.end(), [](int k) { return k >= 0; });
  const double now = static_cast<double>(known) + static_cast<double>(x.unknown.size());
  return judged({"more-labels", "labelled nodes; the growth counts", before, now, share(now - before, before), 0.5});
}

// The column whose cells hold most values that training had not seen.
DriftRule unseen_values(const DriftData& x) {
  DriftRule out{"unseen-values", "share of cells with values that training did not have", 0, 0, 0, 0.05};
  if (x.model.schema.columns.empty() || !x.now.columns) out.obstacle = "the model has no columns with values";
  if (x.fresh.empty()) out.obstacle = "no new nodes";
  if (!out.obstacle.empty()) return out;
  Unseen unseen;
  encode(joint_schema(x.model), take_rows(*x.now.columns, x.fresh), static_cast<Index>(x.fresh.size()), &unseen,
         x.now.name);
  const auto look_at = [&](const std::vector<Unseen::Values>& list, const std::string& what) {
    for (const Unseen::Values& v : list) {
      const double cells = share(static_cast<double>(v.cells), static_cast<double>(x.fresh.size()));
      if (cells <= out.now) continue;
      out.now = out.drift = cells;
      out.about = "cells of '" + v.column + "' " + what;
    }
  };
  look_at(unseen.values, "with values that training did not have");
  look_at(unseen.missing, "without a value, which training always had");
  look_at(unseen.far, "with numbers far beyond those of training");
  return out;
}

}  // namespace

std::vector<DriftRule> table_rules(const DriftData& x) {
  return {growth(x), unknown_labels(x), more_labels(x), unseen_values(x)};
}

}  // namespace gcnh
