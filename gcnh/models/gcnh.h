// What GCNH's fused step (train/fused_stepper.h) and its explainer (explain/gcnh_explainer.cpp) read of the model,
// which gcnh.cpp makes and runs on a tape.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gcnh/models/model.h"

namespace gcnh {

struct GcnhNetwork {
  static constexpr Real kSlope = Real(0.01);  // of LeakyReLU

  enum class Aggregation { sum, mean, max, symmetric };
  enum class Messages { relu, linear };
  enum class Mixing { weights, concat };

  struct Layer {
    std::vector<Channel> channels;
    Mix mix;
    Shortcut shortcut = {};
    std::optional<std::vector<Index>> nodes = {};  // that hear; absent: all

    // Of the paper's network.
    const Linear& self() const { return channels[0].encoder; }
    const Linear& neighbours() const { return channels[1].encoder; }
  };
  // The values of a layer, by channel: encoded, and as they arrive (z and a of the equation in gcnh.cpp); their
  // mixture.
  struct Values {
    std::vector<Var> encoded, arrived;
    Var mixed = nullptr;
  };

  Index hidden = 0;
  double dropout = 0;
  bool shared = false;   // encoders
  bool as_paper = true;  // a node and its neighbours, mixed: what is read from outside
  Aggregation aggregation = Aggregation::sum;
  Messages messages = Messages::relu;
  Mixing mixing = Mixing::weights;
  std::vector<Layer> layers = {};
  Linear classifier = {};

  // Of the paper's network.
  const Aggregator& neighbours() const { return *layers[0].channels[1].along; }

  Values run(Tape& t, const Layer& layer, const Input& h) const;
};

// Model::fast_stepper of the model that has this network. Defined in train/, the only part that knows how to step.
std::unique_ptr<Stepper> fused_stepper(Model& model, const GcnhNetwork& network, const StepOptions& options,
                                       std::string& obstacle);
// Model::own_explainer of the same; null where it is not as in the paper. Defined in explain/.
std::unique_ptr<Explainer> gcnh_explainer(Model& model, const GcnhNetwork& network);

}  // namespace gcnh
