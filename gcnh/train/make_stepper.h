// Chooses what takes a model's steps.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gcnh/kernels/kernels.h"
#include "gcnh/models/model.h"

namespace gcnh {

// engine: tape | fused (an error where the model has no such step, or not for this case) | auto (fused where it can).
std::unique_ptr<Stepper> make_stepper(const std::string& engine, Model& model, const StepOptions& options,
                                      kernels::AdamForm adam = kernels::AdamForm::torch);

// The version of an engine's arithmetic; 0 for a name that is none. Whoever changes the bits of an engine's trainings
// raises its version here and adds them to tests/train/arithmetic_test.cpp, which holds this to account: journals then
// know which of their lines cannot be had any more.
int arithmetic_of(std::string_view engine);

}  // namespace gcnh
