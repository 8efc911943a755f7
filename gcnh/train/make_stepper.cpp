#include "gcnh/train/make_stepper.h"

#include "gcnh/base/error.h"
#include "gcnh/base/options.h"
#include "gcnh/train/fused_stepper.h"
#include "gcnh/train/tape_stepper.h"

namespace gcnh {
namespace {

std::unique_ptr<Stepper> choose_stepper(const std::string& engine, Model& model, const Dataset& dataset, double lr,
                                        double weight_decay, bool one_batch) {
  require_one_of("engine", engine, {"auto", "tape", "fused"});
  if (engine != "tape") {
    auto* gcnh = dynamic_cast<Gcnh*>(&model);
    const std::string obstacle = gcnh ? fused_obstacle(*gcnh, dataset, one_batch) : "only gcnh has a fused step";
    if (obstacle.empty()) return std::make_unique<FusedStepper>(*gcnh, dataset, lr, weight_decay, one_batch);
    if (engine == "fused") fail(Status::usage, "engine: ", obstacle, "; use --engine tape");
  }
  return std::make_unique<TapeStepper>(model, dataset.labels, lr, weight_decay);
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const std::string& engine, Model& model, const Dataset& dataset, double lr,
                                      double weight_decay, bool one_batch, const std::string& adam) {
  require_one_of("adam", adam, {"torch", "keras"});
  std::unique_ptr<Stepper> stepper = choose_stepper(engine, model, dataset, lr, weight_decay, one_batch);
  stepper->adam().set_form(adam == "keras" ? kernels::AdamForm::keras : kernels::AdamForm::torch);
  return stepper;
}

int arithmetic_of(std::string_view engine) { return engine == "tape" || engine == "fused" ? 1 : 0; }

}  // namespace gcnh
