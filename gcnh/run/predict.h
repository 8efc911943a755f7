// Applies a trained model to data: the graph it was trained on, a grown one, or another.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gcnh/io/feature_spec.h"
#include "gcnh/run/model_file.h"

namespace gcnh {

class Model;

// Brings tables into the form the model was trained on: columns found by name (any order), the model's view and
// scaling. Refuses data that does not fit and shows the difference, and other graphs for a model bound to its own.
// Values and columns that training had not seen are told in `notes`, and which nodes have such values in `unseen`; both
// may be null.
Dataset fit_to_model(const TrainedModel& model, Tables tables, std::vector<std::string>* notes = nullptr,
                     std::vector<Index>* unseen = nullptr);

// Throws a data error unless the dataset comes from fit_to_model, for this model or one that reads data alike. What
// takes a model and a dataset calls it.
void check_fitted(const TrainedModel& model, const Dataset& dataset);

// How a table for the model is read: by the kinds of its training.
FeatureSpec feature_spec(const TrainedModel& model);

// What all networks of the model have seen together.
Schema joint_schema(const TrainedModel& model);

// Log-probabilities of the nodes, (nodes, classes). The dataset comes from fit_to_model. An ensemble gives those of the
// mean of its members' logits; the temperature of a decision is applied. Throws a data error for nodes that it lacks.
Matrix predict(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes);
// The answer for each row of them: what costs and weights of the model make of it, else the most probable class.
std::vector<int> decided_answers(const TrainedModel& model, const Matrix& log_probabilities);

// The dataset as one of the model's members reads it: the same, unless a table's columns are numbers to it that they
// are not to the others.
std::shared_ptr<const Dataset> member_dataset(const TrainedModel& member, std::shared_ptr<const Dataset> dataset);

// The first network of a model, made for a dataset in its form. Errors name the file that the model was read from.
std::unique_ptr<Model> network_of(const TrainedModel& model, const Dataset& dataset);

// What is known of a node when a final model answers for it, in words: known or new, isolated, unseen values.
std::vector<std::string> node_status(const TrainedModel& model, const Dataset& dataset, std::span<const Index> unseen,
                                     Index node);

}  // namespace gcnh
