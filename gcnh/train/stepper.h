// What a stepper computes, scored, and its parameters, set from outside.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gcnh/models/stepper.h"
#include "gcnh/train/metrics.h"

namespace gcnh {

using NamedMatrices = std::map<std::string, Matrix>;

struct Score {
  double loss = 0;
  double accuracy = 0;
  double metric = 0;  // of the metric that chooses; the accuracy where that is it
};

// The labels of the nodes, one after the other.
std::vector<int> labels_of(const std::vector<int>& labels, std::span<const Index> nodes);
// Mean loss and accuracy (first of equal classes wins) of log-probabilities against labels, and the metric.
Score score(const Matrix& logp, std::span<const int> labels, Metric metric = Metric::accuracy);
// The class with the largest entry, the first of equals.
int argmax(const Matrix& m, Index row);

// Loads matrices into a model; every parameter must be there in the right shape and nothing else.
void set_parameters(Model& model, const NamedMatrices& values);
NamedMatrices parameters_of(const Model& model);
// The same into matrices that may be there already, so that keeping the best epoch does not allocate.
void copy_parameters(const Model& model, NamedMatrices& to);

}  // namespace gcnh
