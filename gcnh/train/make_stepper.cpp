#include "gcnh/train/make_stepper.h"

#include "gcnh/base/denormals.h"
#include "gcnh/base/error.h"

namespace gcnh {

double TapeStepper::step(std::span<const Index> batch, const Rng& rng) {
  const FlushDenormals flush;
  training_.start_training(rng);
  Var logits = model_.forward(training_, batch);
  std::vector<int> labels = labels_of(model_.dataset().labels, batch);
  Var loss = class_weights_.empty() ? softmax_nll(training_, logits, std::move(labels))
                                    : softmax_nll(training_, logits, std::move(labels), class_weights_);
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

void check_engine(const std::string& engine) { require_one_of("engine", engine, {"auto", "tape", "fused"}); }

std::unique_ptr<Stepper> make_stepper(const std::string& engine, Model& model, const StepOptions& options,
                                      kernels::AdamForm adam) {
  check_engine(engine);
  std::string obstacle;
  std::unique_ptr<Stepper> stepper = engine == "tape" ? nullptr : model.fast_stepper(options, obstacle);
  if (!stepper && engine == "fused") fail(Status::usage, "engine: ", obstacle, "; take tape or auto");
  if (!stepper) stepper = std::make_unique<TapeStepper>(model, options.lr, options.weight_decay, options.class_weights);
  stepper->adam().set_form(adam);
  return stepper;
}

int arithmetic_of(std::string_view engine) { return engine == "tape" || engine == "fused" ? 1 : 0; }

}  // namespace gcnh
