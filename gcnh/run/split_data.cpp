#include "gcnh/run/split_data.h"

#include "gcnh/graph/encode.h"

namespace gcnh {

Schema split_schema(const Experiment& e, int split) {
  const Dataset& d = *e.dataset;
  return d.columns ? fit_schema(*d.columns, d.splits[split].train, e.scaling.kind) : Schema{};
}

std::shared_ptr<const Dataset> split_dataset(const Experiment& e, int split) {
  if (!e.dataset->columns) return e.dataset;
  auto out = std::make_shared<Dataset>(*e.dataset);
  const Schema schema = split_schema(e, split);
  out->features = encode(schema, *out->columns, out->num_nodes());
  out->feature_names = schema.feature_names();
  apply_scaling({e.scaling.kind == Scale::rows ? Scale::rows : Scale::none, {}, {}}, out->features);
  return out;
}

}  // namespace gcnh
