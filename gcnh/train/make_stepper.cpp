#include "gcnh/train/make_stepper.h"

#include "gcnh/base/error.h"
#include "gcnh/base/options.h"
#include "gcnh/train/tape_stepper.h"

namespace gcnh {
namespace {

std::unique_ptr<Stepper> choose_stepper(const std::string& engine, Model& model, const StepOptions& options) {
  require_one_of("engine", engine, {"auto", "tape", "fused"});
  if (engine != "tape") {
    std::string obstacle;
    if (auto stepper = model.fast_stepper(options, obstacle)) return stepper;
    if (engine == "fused") fail(Status::usage, "engine: ", obstacle, "; take tape or auto");
  }
  return std::make_unique<TapeStepper>(model, options.lr, options.weight_decay);
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const std::string& engine, Model& model, const StepOptions& options,
                                      kernels::AdamForm adam) {
  std::unique_ptr<Stepper> stepper = choose_stepper(engine, model, options);
  stepper->adam().set_form(adam);
  return stepper;
}

int arithmetic_of(std::string_view engine) { return engine == "tape" || engine == "fused" ? 1 : 0; }

}  // namespace gcnh
