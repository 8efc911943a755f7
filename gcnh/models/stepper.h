// One optimisation step and one evaluation, whatever carries them out. The Trainer cannot tell steppers apart.
#pragma once

#include <span>
#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/base/random.h"

namespace gcnh {

class Adam;
class Model;

struct StepOptions {
  double lr = 0;
  double weight_decay = 0;
  bool one_batch = true;                 // every step is told the same batch, so what depends on it is prepared once
  std::vector<Real> class_weights = {};  // in the loss, by class; empty: all 1
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  // One Adam step on the mean loss of the batch; dropout draws from the stream. Returns the loss before the step.
  virtual double step(std::span<const Index> batch, const Rng& rng) = 0;
  // Log-probabilities of the listed nodes, (rows, classes), without dropout.
  virtual const Matrix& log_probabilities(std::span<const Index> rows) = 0;

  // To be called after parameters were set from outside: nothing computed before is valid.
  virtual void parameters_changed() {}

  // The model whose parameters are trained in place, and the optimiser's state.
  virtual Model& model() = 0;
  virtual Adam& adam() = 0;
  virtual const char* engine() const = 0;
};

}  // namespace gcnh
