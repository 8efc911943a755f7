// The models and options that tests over all models walk through. Dropout is off unless a test asks for it.
#pragma once

#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/dataset.h"

namespace gcnh::testing {

struct Variant {
  std::string model;
  OptionValues options;
  bool apart = false;  // on graphs whose directions are kept apart

  bool has(const std::string& option) const { return options.contains(option); }
  // Whether its parameters are those of certain nodes.
  bool numbers_nodes() const { return has("adjacency_rows"); }
  // Whether every node has a say in what becomes of any other.
  bool counts_nodes() const { return has("norm") && options.at("norm") == "batch"; }
  std::string text() const {
    std::string out = model + (apart ? " apart" : "");
    for (const auto& [name, value] : options) out += " " + name + "=" + value;
    return out;
  }
  // The dataset as the variant wants it.
  Dataset on(Dataset d) const {
    if (!apart) return d;
    d.pointing_to = std::move(d.adjacency);
    d.adjacency = symmetric_max(d.pointing_to);
    return d;
  }
};

inline std::vector<Variant> model_variants(int hidden = 3, const std::string& dropout = "0") {
  std::vector<Variant> out = {
      {"gcnh", {}},
      {"gcnh", {{"aggregation", "mean"}, {"layers", "2"}}},
      {"gcnh", {{"aggregation", "max"}}},
      {"gcnh", {{"aggregation", "max"}, {"max_floor", "true"}, {"layers", "2"}}},
      {"gcnh", {{"encoders", "shared"}, {"layers", "3"}}},
      {"gcnh", {{"encoders", "shared"}, {"aggregation", "max"}, {"beta", "pointwise"}}},
      {"gcnh", {{"beta", "0.3"}, {"layers", "2"}}},
      {"gcnh", {{"beta", "pointwise"}, {"layers", "2"}}},
      {"gcnh", {{"aggregation", "symmetric"}}},
      {"gcnh", {{"messages", "linear"}, {"layers", "2"}}},
      {"gcnh", {{"messages", "linear"}, {"own", "false"}, {"adjacency_rows", "true"}, {"mixing", "concat"}}},
      {"gcnh", {{"adjacency_rows", "true"}, {"norm", "l2"}, {"layers", "2"}}, true},
      {"gcnh", {{"hops", "3"}, {"aggregation", "symmetric"}}, true},
      {"gcnh", {{"hops", "2"}, {"mixing", "concat"}, {"jump", "concat"}, {"layers", "3"}, {"norm", "l2"}}},
      {"gcnh",
       {{"messages", "linear"}, {"aggregation", "max"}, {"beta", "pointwise"}, {"jump", "max"}, {"layers", "2"}},
       true},
      {"gcnh", {{"encoders", "shared"}, {"own", "false"}, {"hops", "2"}, {"aggregation", "mean"}}},
      {"gcnh", {{"norm", "layer"}, {"residual", "add"}, {"layers", "3"}, {"encoder_decay", "0.02"}}},
      {"gcnh", {{"norm", "batch"}, {"residual", "linear"}, {"layers", "2"}, {"mixing", "concat"}}, true},
      {"mlp", {}},
      {"mlp", {{"layers", "3"}}},
      {"gcn", {}},
      {"gcn", {{"layers", "3"}}},
      {"gcn", {{"layers", "3"}, {"norm", "layer"}, {"residual", "linear"}, {"jump", "concat"}}},
      {"gcn", {{"layers", "3"}, {"norm", "batch"}, {"residual", "add"}}},
      {"gcn", {{"residual", "add"}, {"jump", "max"}}},
      {"gat", {{"heads", "2"}}},
      {"gat", {{"attention", "exp"}, {"heads", "3"}}},
      {"gat", {{"heads", "2"}, {"norm", "layer"}, {"residual", "linear"}, {"jump", "concat"}}},
      {"gat", {{"heads", "2"}, {"layers", "3"}, {"norm", "batch"}, {"residual", "add"}, {"jump", "last"}}},
      {"ggcn", {}},
      {"ggcn", {{"layers", "4"}, {"decay", "0.7"}}},
      {"gprgnn", {{"steps", "1"}, {"propagation_dropout", "0"}}},
      {"gprgnn", {{"steps", "4"}, {"alpha", "0.5"}, {"propagation_dropout", dropout}}},
      {"h2gcn", {{"rounds", "1"}}},
      {"h2gcn", {{"rounds", "2"}, {"relu", "false"}}},
      {"h2gcn", {{"rounds", "2"}}},
      {"odsd", {{"layers", "2"}, {"hp", "true"}}},
      {"odsd", {{"d", "2"}, {"layers", "1"}, {"lp", "true"}, {"sparse_learner", "true"}, {"edge_weights", "false"}}},
      {"odsd", {{"d", "4"}, {"layers", "1"}, {"second_linear", "true"}}},
      {"odsd", {{"maps", "diagonal"}, {"layers", "2"}, {"lp", "true"}}},
      {"geomgcn", {}},
      {"geomgcn", {{"layers", "3"}}},
      {"logreg", {}},
  };
  for (Variant& v : out) v.options.insert({{"hidden", std::to_string(hidden)}, {"dropout", dropout}});
  return out;
}

}  // namespace gcnh::testing
