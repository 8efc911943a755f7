// Scores a trained model on labelled nodes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/run/predict.h"

namespace gcnh {

struct Evaluation {
  std::vector<std::string> classes;  // the model's
  std::size_t nodes = 0;             // scored: those with one of these classes
  std::size_t unlabelled = 0;        // asked for, and not scored
  // Of the scored nodes those that the model was trained on, and those that chose its epoch, both of which flatter it;
  // absent where nothing tells. `unknown`: of so many nodes it does not.
  std::optional<std::size_t> trained, validated;
  std::size_t unknown = 0;
  Measures measures;
  std::optional<DecisionScores> decision;  // of a final model: its sets, and its costs where it has any
  std::vector<ClassMeasures> by_class;
  std::vector<std::vector<Index>> confusion;  // rows are true classes
};

// What a model's split did with a node, by id: train, val, test or nothing.
using NodeRoles = std::map<std::string, std::string>;

// From the map.csv beside a model file; empty where there is none. It lists a sample of large graphs. A final model was
// trained on every node that has a label there.
NodeRoles roles_beside(const std::filesystem::path& model_file, bool is_final = false);

// The dataset comes from fit_to_model. Throws a data error when none of the nodes has a label that the model knows.
Evaluation evaluate(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes,
                    const NodeRoles& roles = {});

// For tools; keys are stable (docs/formats.md).
std::string evaluation_json(const TrainedModel& model, const std::string& data, const Evaluation& evaluation);

}  // namespace gcnh
