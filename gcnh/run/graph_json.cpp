#include "gcnh/run/graph_json.h"

namespace gcnh {

namespace {

using json = nlohmann::ordered_json;

}  // namespace

json classes_json(const Dataset& d) {
  std::vector<Index> count(d.num_classes(), 0);
  for (int label : d.labels)
    if (label >= 0) ++count[label];
  json out = json::array();
  for (Index k = 0; k < d.num_classes(); ++k) out.push_back({{"name", d.classes[k]}, {"nodes", count[k]}});
  return out;
}

json degrees_json(const Dataset& d) {
  const Degrees degrees = measure_degrees(d);
  return {{"min", degrees.min},
          {"median", degrees.median},
          {"mean", degrees.mean},
          {"max", degrees.max},
          {"isolated", degrees.isolated}};
}

json homophily_json(const Homophily& h) {
  return {{"edge", h.edge}, {"node", h.node}, {"class_insensitive", h.class_insensitive}, {"adjusted", h.adjusted}};
}

json compatibility_json(const Dataset& d) {
  const Matrix table = class_compatibility(d);
  json out = json::array();
  for (Index i = 0; i < table.rows(); ++i)
    out.push_back(std::vector<double>(table.row(i), table.row(i) + table.cols()));
  return out;
}

}  // namespace gcnh
