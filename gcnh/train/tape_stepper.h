// The plain way to take a step: forward on a tape, backward, Adam.
#pragma once

#include "gcnh/train/adam.h"
#include "gcnh/train/stepper.h"

namespace gcnh {

class TapeStepper : public Stepper {
 public:
  TapeStepper(Model& model, double lr, double weight_decay) : model_(model), adam_(model.params(), lr, weight_decay) {}

  const char* engine() const override { return "tape"; }
  double step(std::span<const Index> batch, const Rng& rng) override;
  const Matrix& log_probabilities(std::span<const Index> rows) override;
  Model& model() override { return model_; }
  Adam& adam() override { return adam_; }

 private:
  Model& model_;
  Adam adam_;
  Tape training_;
  Tape evaluation_;  // apart from the training tape, so that neither reshapes the other's memory
  Matrix logp_;
};

}  // namespace gcnh
