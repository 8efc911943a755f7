// A trained model on disk: safetensors whose metadata carries the contract (options, classes, features, view, scaling),
// so that it can be applied to other data safely.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

struct TrainedModel {
  std::string model;
  OptionValues options;
  View view;
  Scaling scaling;
  std::vector<std::string> classes;
  Index num_features = 0;
  std::vector<std::string> feature_names;  // empty: features are known by number
  Schema schema;                           // of a table's columns; empty: the features are numbers as they are
  std::uint64_t graph = 0;                 // fingerprint of the graph it was trained on
  bool weighted = false;                   // whether the edges of that graph had weights
  NamedMatrices parameters;
  OptionValues table = {};  // columns of the tables it was trained on, by role: id, label, source, target, weight
};

// The model that a run keeps: the one of its best split.
TrainedModel trained_model(const Experiment& experiment, const RunResult& result);

void save_model(const std::filesystem::path& path, const TrainedModel& model);
TrainedModel load_model(const std::filesystem::path& path);

}  // namespace gcnh
