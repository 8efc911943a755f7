// How today's data differs from what a model was trained on, and whether that is a reason to train again.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gcnh/run/model_file.h"
#include "gcnh/run/stored_run.h"

namespace gcnh {

// One thing that is looked at. Numbers that do not apply are not numbers.
struct DriftRule {
  std::string name;
  std::string about;  // what is compared, in a few words
  double then = 0;    // in training
  double now = 0;
  double drift = 0;                                          // what is held against the limit
  double limit = 0;                                          // above it, it is time to train again
  std::string obstacle = {};                                 // why it cannot be judged; empty where it can
  double margin = std::numeric_limits<double>::quiet_NaN();  // two standard errors, where the drift is without them
  bool train_again() const { return obstacle.empty() && drift > limit; }
  std::string verdict() const { return train_again() ? "train again" : obstacle.empty() ? "ok" : "not judged"; }
};

struct Drift {
  double nodes_then = 0;
  Index nodes_now = 0;
  std::vector<Index> fresh;    // nodes that training did not have; all nodes where nothing tells
  bool knows_fresh = false;    // whether the run tells them apart
  std::size_t labelled = 0;    // of the fresh ones those whose label has arrived
  std::size_t of_unknown = 0;  // of those the ones of classes that the model does not know
  std::vector<DriftRule> rules;

  bool train_again() const;
};

// What tables have that the model cannot answer: the nodes of classes that it does not know, ascending.
std::vector<Index> nodes_of_unknown_classes(const TrainedModel& model, const Tables& tables);

// The run is that of the model, the dataset comes from fit_to_model, log-probabilities are of all its nodes.
Drift measure_drift(const TrainedModel& model, const StoredRun& run, const Dataset& dataset,
                    const Matrix& log_probabilities, const std::vector<Index>& unknown_classes);

// For tools; keys are stable (docs/formats.md).
std::string drift_json(const TrainedModel& model, const std::string& data, const Drift& drift);

}  // namespace gcnh
