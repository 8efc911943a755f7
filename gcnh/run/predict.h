// Applies a trained model to data: the graph it was trained on, a grown one, or another.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gcnh/io/feature_spec.h"
#include "gcnh/run/model_file.h"

namespace gcnh {

// Brings tables into the form the model was trained on: columns found by name (any order), the model's view and
// scaling. Refuses data that does not fit and shows the difference, and other graphs for a model bound to its own.
// Values and columns that training had not seen are told in `notes`, and which nodes have such values in `unseen`; both
// may be null.
Dataset fit_to_model(const TrainedModel& model, Tables tables, std::vector<std::string>* notes = nullptr,
                     std::vector<Index>* unseen = nullptr);

// How a table for the model is read: by the kinds of its training.
FeatureSpec feature_spec(const TrainedModel& model);

// Log-probabilities of the nodes, (nodes, classes). The dataset comes from fit_to_model. An ensemble gives those of the
// mean of its members' logits; the temperature of a decision is applied.
Matrix predict(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes);

// The dataset as one of the model's members reads it: the same, unless a table's columns are numbers to it that they
// are not to the others.
std::shared_ptr<const Dataset> member_dataset(const TrainedModel& member, std::shared_ptr<const Dataset> dataset);

// What is known of a node when a final model answers for it, in words: known or new, isolated, unseen values.
std::vector<std::string> node_status(const TrainedModel& model, const Dataset& dataset, std::span<const Index> unseen,
                                     Index node);

}  // namespace gcnh
