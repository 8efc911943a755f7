// Takes the answers of a model apart (models/explanation.h), and shows what is inside of it.
#pragma once

#include <memory>
#include <vector>

#include "gcnh/models/model.h"

namespace gcnh {

// The model's own explainer, or the one by gradients. It refers to the model, whose parameters stay as they are.
std::unique_ptr<Explainer> make_explainer(Model& model);

// Gradient times input for any model: the part of a feature is its value times the derivative of the logit, the bias
// the same of all biases. Where a network is linear between its kinks (ReLU, LeakyReLU, max) nothing remains.
std::unique_ptr<Explainer> gradient_explainer(Model& model);

// What the hidden layers give for all nodes, first layer first, and last the logits.
std::vector<Matrix> layer_outputs(Model& model);

}  // namespace gcnh
