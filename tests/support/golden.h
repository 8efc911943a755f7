// Reads the cases that tests/oracle writes: graph, features, initial parameters, batches, and what PyTorch made of
// them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gcnh/graph/adjacency.h"
#include "gcnh/train/stepper.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {

struct GoldenCase {
  std::string name;
  std::string model;
  OptionValues options;
  Dataset dataset;
  double lr, weight_decay;
  kernels::AdamForm adam = kernels::AdamForm::torch;
  std::uint64_t seed;
  NamedMatrices parameters;                 // before training
  std::vector<std::vector<Index>> batches;  // taken in turn

  Matrix logits;                         // of all nodes before training, without dropout
  NamedMatrices gradients;               // of the first step
  std::map<std::string, double> summed;  // by parameter, the size of what its largest gradient sums; where recorded
  std::vector<double> losses;            // one per step
  NamedMatrices final;                   // parameters after all steps
  std::size_t smooth_steps;              // before the first that comes near a kink, where float and double may part
};

inline Matrix read_matrix(const nlohmann::json& rows) {
  Matrix m(static_cast<Index>(rows.size()), rows.empty() ? 0 : static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) m(i, j) = static_cast<Real>(rows[i][j].get<double>());
  return m;
}

inline NamedMatrices read_matrices(const nlohmann::json& named) {
  NamedMatrices out;
  for (const auto& [name, rows] : named.items()) out[name] = read_matrix(rows);
  return out;
}

inline Csr read_csr(const nlohmann::json& j) {
  Csr a;
  a.rows = j.at("rows");
  a.cols = j.at("cols");
  a.offsets = j.at("offsets").get<std::vector<Offset>>();
  a.indices = j.at("indices").get<std::vector<Index>>();
  for (const auto& value : j.at("values")) a.values.push_back(static_cast<Real>(value.get<double>()));
  drop_unit_values(a);
  return a;
}

inline GoldenCase read_golden(const std::filesystem::path& path) {
  const auto j = nlohmann::json::parse(std::ifstream(path));
  GoldenCase c;
  c.name = j.at("name");
  c.model = j.at("model");
  c.options = j.at("options").get<OptionValues>();
  Features features = j.at("features").is_object() ? sparse_features(read_csr(j["features"]))
                                                   : dense_features(read_matrix(j["features"]));
  c.dataset = make_test_dataset(read_csr(j.at("graph")), std::move(features), j.at("labels").get<std::vector<int>>(),
                                j.at("classes").get<int>());
  if (j.contains("apart")) {
    c.dataset.pointing_to = std::move(c.dataset.adjacency);
    c.dataset.adjacency = symmetric_max(c.dataset.pointing_to);
  }
  if (j.contains("relations")) {
    c.dataset.derived.matrices.clear();
    for (const auto& relation : j["relations"]) c.dataset.derived.matrices.push_back(read_csr(relation));
  }
  c.lr = j.at("lr");
  c.weight_decay = j.at("weight_decay");
  parse_text("adam", j.value("adam", "torch"), c.adam);
  c.seed = j.at("seed");
  c.parameters = read_matrices(j.at("parameters"));
  c.batches = j.at("batches").get<std::vector<std::vector<Index>>>();
  c.logits = read_matrix(j.at("logits"));
  c.gradients = read_matrices(j.at("gradients"));
  if (j.contains("summed")) c.summed = j["summed"].get<std::map<std::string, double>>();
  c.losses = j.at("losses").get<std::vector<double>>();
  c.smooth_steps = j.at("smooth_steps");
  c.final = read_matrices(j.at("final"));
  return c;
}

// The cases of the repository, or those of the folder that the environment variable GCNH_GOLDEN names.
inline std::vector<std::filesystem::path> golden_files() {
  const char* folder = std::getenv("GCNH_GOLDEN");
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder ? folder : GCNH_TEST_DATA "/golden"))
    if (entry.path().extension() == ".json") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace gcnh::testing
