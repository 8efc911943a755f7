// What takes a model's steps: the tape, or the model's own faster way.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gcnh/train/adam.h"

namespace gcnh {

// The plain way: forward on a tape, backward, Adam.
class TapeStepper : public Stepper {
 public:
  TapeStepper(Model& model, double lr, double weight_decay, std::vector<Real> class_weights = {})
      : model_(model), adam_(model.params(), lr, weight_decay), class_weights_(std::move(class_weights)) {}

  const char* engine() const override { return "tape"; }
  double step(std::span<const Index> batch, const Rng& rng) override;
  const Matrix& log_probabilities(std::span<const Index> rows) override;
  Model& model() override { return model_; }
  Adam& adam() override { return adam_; }

 private:
  Model& model_;
  Adam adam_;
  std::vector<Real> class_weights_;
  Tape training_;
  Tape evaluation_;  // apart from the training tape, so that neither reshapes the other's memory
  Matrix logp_;
};

// Refuses words that are none of auto, tape and fused.
void check_engine(const std::string& engine);

// engine: tape | fused (an error where the model has no such step, or not for this case) | auto (fused where it can).
std::unique_ptr<Stepper> make_stepper(const std::string& engine, Model& model, const StepOptions& options,
                                      kernels::AdamForm adam = kernels::AdamForm::torch);

// The version of an engine's arithmetic; 0 for a name that is none. Whoever changes the bits of an engine's trainings
// raises its version here and adds them to tests/train/arithmetic_test.cpp, which holds this to account: journals then
// know which of their lines cannot be had any more.
int arithmetic_of(std::string_view engine);

}  // namespace gcnh
