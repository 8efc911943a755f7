// Applies a trained model to data: the graph it was trained on, a grown one, or another.
#pragma once

#include <span>

#include "gcnh/io/feature_spec.h"
#include "gcnh/run/model_file.h"

namespace gcnh {

// Brings tables into the form the model was trained on: columns found by name (any order), the model's view and
// scaling. Refuses data that does not fit and shows the difference, and other graphs for a model bound to its own.
// Values and columns that training had not seen are told in `notes`, which may be null.
Dataset fit_to_model(const TrainedModel& model, Tables tables, std::vector<std::string>* notes = nullptr);

// How a table for the model is read: by the kinds of its training.
FeatureSpec feature_spec(const TrainedModel& model);

// Log-probabilities of the nodes, (nodes, classes). The dataset comes from fit_to_model.
Matrix predict(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes);

}  // namespace gcnh
