#include "gcnh/run/split_data.h"

#include "gcnh/graph/encode.h"

namespace gcnh {
namespace {

// A copy for one split of many: with all of them in every copy, time would grow with the square of their number.
Dataset without_splits(const Dataset& d) {
  return {.name = d.name,
          .adjacency = d.adjacency,
          .weighted = d.weighted,
          .pointing_to = d.pointing_to,
          .whole_sums = {},
          .features = {},
          .labels = d.labels,
          .classes = d.classes,
          .ids = d.ids,
          .feature_names = {},
          .columns = d.columns,
          .splits = {},
          .published = d.published,
          .derived = d.derived,
          .num_edges = d.num_edges,
          .num_one_way = d.num_one_way,
          .num_self_loops = d.num_self_loops};
}

}  // namespace

Schema split_schema(const Experiment& e, int split) {
  const Dataset& d = *e.dataset;
  return d.columns ? fit_schema(*d.columns, d.splits[split].train, e.scaling.kind) : Schema{};
}

std::shared_ptr<const Dataset> split_dataset(const Experiment& e, int split) {
  if (!e.dataset->columns) return e.dataset;
  auto out = std::make_shared<Dataset>(without_splits(*e.dataset));
  const Schema schema = split_schema(e, split);
  out->features = encode(schema, *out->columns, out->num_nodes());
  out->feature_names = schema.feature_names();
  apply_scaling({e.scaling.kind == Scale::rows ? Scale::rows : Scale::none, {}, {}}, out->features);
  return out;
}

}  // namespace gcnh
