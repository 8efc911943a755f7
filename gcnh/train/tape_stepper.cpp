#include "gcnh/train/tape_stepper.h"

#include "gcnh/base/denormals.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh {

double TapeStepper::step(std::span<const Index> batch, const Rng& rng) {
  const FlushDenormals flush;
  std::vector<int> truth;
  for (Index node : batch) truth.push_back(model_.dataset().labels[node]);
  training_.start_training(rng);
  Var loss = softmax_nll(training_, model_.forward(training_, batch), std::move(truth));
  training_.backward(loss);
  adam_.next_step();
  adam_.update_all();
  return static_cast<double>(loss->value(0, 0));
}

const Matrix& TapeStepper::log_probabilities(std::span<const Index> rows) {
  const FlushDenormals flush;
  evaluation_.start_evaluation();
  Var logits = model_.forward(evaluation_, rows);
  logp_.resize(logits->rows(), logits->cols());
  kernels::log_softmax(logits->value, logp_);
  return logp_;
}

}  // namespace gcnh
