// What GCNH's fused step (train/fused_stepper.h) and its explainer (explain/gcnh_explainer.cpp) read of the model, which
// gcnh.cpp makes and runs on a tape.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gcnh/models/model.h"

namespace gcnh {

struct GcnhNetwork {
  static constexpr Real kSlope = Real(0.01);  // of LeakyReLU

  struct Layer {
    Linear self;
    Linear neighbours;  // the same as self when the encoders are shared
    Mix mix;
  };
  // The values of a layer: z, m and a of the equation (gcnh.cpp), and their mixture.
  struct Values {
    Var self, messages, joined, mixed;
  };

  Index hidden;
  double dropout;
  bool shared;     // encoders
  bool is_max;     // the aggregation, else a product with `neighbours`
  bool is_mean;    // that product, else a sum
  bool max_floor;  // no maximum below 0
  Propagator neighbours;
  std::vector<Layer> layers = {};
  Linear classifier = {};

  Values run(Tape& t, const Layer& layer, const Input& h) const;
};

// Model::fast_stepper of the model that has this network. Defined in train/, the only part that knows how to step.
std::unique_ptr<Stepper> fused_stepper(Model& model, const GcnhNetwork& network, const StepOptions& options,
                                       std::string& obstacle);
// Model::own_explainer of the same. Defined in explain/.
std::unique_ptr<Explainer> gcnh_explainer(Model& model, const GcnhNetwork& network);

}  // namespace gcnh
