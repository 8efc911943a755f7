// Scores a trained model on labelled nodes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/run/predict.h"

namespace gcnh {

struct Evaluation {
  std::vector<std::string> classes = {};  // the model's
  std::size_t nodes = 0;                  // scored: those with one of these classes
  std::size_t unlabelled = 0;             // asked for, and not scored
  // Of the scored nodes those that the model was trained on, and those that chose its epoch, both of which flatter it;
  // absent where nothing tells. `fresh`: those that its graph did not have; `unknown`: of so many nothing tells.
  std::optional<std::size_t> trained = {}, validated = {};
  std::size_t fresh = 0, unknown = 0;
  Measures measures = {};
  std::optional<DecisionScores> decision = {};  // of a final model: its sets, and its costs where it has any
  std::vector<ClassMeasures> by_class = {};
  std::vector<std::vector<Index>> confusion = {};  // rows are true classes, columns the most probable ones
  std::vector<std::vector<Index>> decided = {};  // columns are answers by costs or weights; empty where there are none
};

// The nodes of the graph that a model was trained on, by id.
struct TrainingNodes {
  struct Node {
    std::string role = {};                       // in the model's split: train, val, test or nothing
    std::optional<std::uint64_t> features = {};  // row_hash, where it is known
  };
  std::map<std::string, Node> nodes = {};
  bool is_complete = false;  // else a sample
};

// From the map.csv beside a model file; empty where there is none. A final model was trained on every node that has a
// label there.
TrainingNodes training_nodes_beside(const std::filesystem::path& model_file, bool is_final = false);

// The dataset comes from fit_to_model. Throws a data error when none of the nodes has a label that the model knows.
Evaluation evaluate(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes,
                    const TrainingNodes& known = {});

// For tools; keys are stable (docs/formats.md).
std::string evaluation_json(const TrainedModel& model, const std::string& data, const Evaluation& evaluation);

}  // namespace gcnh
