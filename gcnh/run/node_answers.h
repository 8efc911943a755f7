// What a model answers for some nodes, with what is known of them, and the forms it is written in.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gcnh/run/predict.h"

namespace gcnh {

struct AnswerRequest {
  // Both outlive the request and its answers; the dataset comes from fit_to_model.
  std::reference_wrapper<const TrainedModel> model;
  std::reference_wrapper<const Dataset> dataset;
  std::vector<Index> nodes = {};
  std::vector<Index> unseen = {};  // nodes with values that training had not seen, ascending
  int top = 0;                     // classes to be told of; 0: all, in the model's order
  double level = 0;                // of sets; 0: the model's
  double abstain = 0;              // least probability of an answer
  int threads = 1;
};

struct NodeAnswers {
  AnswerRequest request;
  Matrix logp = {};                                   // (nodes, classes)
  std::vector<int> predicted = {};                    // -1: none, its probability is too low
  std::vector<std::vector<int>> sets = {};            // of a final model, else empty
  std::vector<std::vector<std::string>> status = {};  // the same
  std::size_t abstained = 0;
};
NodeAnswers answer(const AnswerRequest& request);

std::string to_csv(const NodeAnswers& answers);    // id, predicted, p_<class>..., and of a final model set, status
std::string to_jsonl(const NodeAnswers& answers);  // the same, an object per node
std::string to_npy(const NodeAnswers& answers);    // probabilities alone

}  // namespace gcnh
