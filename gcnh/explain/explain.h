// Takes the answers of a model apart (models/explanation.h), and shows what is inside of it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gcnh/models/model.h"

namespace gcnh {

// The model's own explainer, or the one by gradients. It refers to the model, whose parameters stay as they are.
std::unique_ptr<Explainer> make_explainer(Model& model);

// Gradient times input for any model: the part of a feature is its value times the derivative of the logit, the bias
// the same of all biases. Where a network is linear between its kinks (ReLU, LeakyReLU, max) nothing remains.
std::unique_ptr<Explainer> gradient_explainer(Model& model);

// Several networks whose logits are averaged, each with the names of its features, which need not be the same: parts
// are matched by node and name. The mean of exact parts is exact.
struct NamedExplainer {
  std::unique_ptr<Explainer> explainer;
  std::vector<std::string> feature_names;  // empty: the column numbers, of all networks the same
};

class MeanExplainer : public Explainer {
 public:
  explicit MeanExplainer(std::vector<NamedExplainer> members);

  // What the features of an explanation are numbers of; empty: the column numbers.
  const std::vector<std::string>& feature_names() const { return names_; }

  std::vector<double> logits(Index node) override;
  Explanation explain(Index node, std::span<const int> classes) override;
  std::optional<NeighbourSum> neighbour_sum(Index node) override;  // where all members have one
  bool is_exact() const override;

 private:
  std::vector<NamedExplainer> members_;
  std::vector<std::string> names_;
  std::vector<std::vector<Index>> number_;  // by member and feature: its place in names_; empty: the same
};

// What the hidden layers give for all nodes, first layer first, and last the logits.
std::vector<Matrix> layer_outputs(Model& model);

}  // namespace gcnh
