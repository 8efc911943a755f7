// One optimisation step and one evaluation, whatever carries them out. The Trainer cannot tell steppers apart.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "gcnh/base/matrix.h"
#include "gcnh/base/random.h"

namespace gcnh {

class Adam;
class Model;

using NamedMatrices = std::map<std::string, Matrix>;

struct Score {
  double loss = 0;
  double accuracy = 0;
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

// Mean loss and accuracy (first of equal classes wins) of log-probabilities against labels.
Score score(const Matrix& logp, std::span<const int> labels);
// The class with the largest entry, the first of equals.
int argmax(const Matrix& m, Index row);

// Loads matrices into a model; every parameter must be there in the right shape and nothing else.
void set_parameters(Model& model, const NamedMatrices& values);
NamedMatrices parameters_of(const Model& model);
// The same into matrices that may be there already, so that keeping the best epoch does not allocate.
void copy_parameters(const Model& model, NamedMatrices& to);

}  // namespace gcnh
