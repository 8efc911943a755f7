// A trained model on disk: safetensors whose metadata carries the contract (options, classes, features, view, scaling),
// so that it can be applied to other data safely.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/graph/dataset.h"
#include "gcnh/graph/scaling.h"
#include "gcnh/train/stepper.h"

namespace gcnh {

struct TrainedModel {
  std::string model;
  OptionValues options;
  View view;
  Scaling scaling;
  std::vector<std::string> classes;
  Index num_features = 0;
  std::vector<std::string> feature_names;  // empty: features are known by number
  std::uint64_t graph = 0;                 // fingerprint of the graph it was trained on
  NamedMatrices parameters;
};

void save_model(const std::filesystem::path& path, const TrainedModel& model);
TrainedModel load_model(const std::filesystem::path& path);

// Brings tables into the form the model was trained on: columns found by name (any order), the model's view and
// scaling. Refuses data that does not fit and shows the difference, and other graphs for a model bound to its own.
Dataset fit_to_model(const TrainedModel& model, Tables tables);

// Log-probabilities of the nodes, (nodes, classes). The dataset comes from fit_to_model.
Matrix predict(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes);

}  // namespace gcnh
