// Chooses what takes a model's steps.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gcnh/graph/dataset.h"
#include "gcnh/models/model.h"
#include "gcnh/train/stepper.h"

namespace gcnh {

// engine: tape | fused (an error where it does not cover the model) | auto (fused where it can). With `one_batch` every
// step is told the same batch, so what depends on it is prepared once. adam: torch | keras (kernels/adam.cpp).
std::unique_ptr<Stepper> make_stepper(const std::string& engine, Model& model, const Dataset& dataset, double lr,
                                      double weight_decay, bool one_batch, const std::string& adam = "torch");

// The version of an engine's arithmetic; 0 for a name that is none. Whoever changes the bits of an engine's trainings
// raises its version here and adds them to tests/train/arithmetic_test.cpp, which holds this to account: journals then
// know which of their lines cannot be had any more.
int arithmetic_of(std::string_view engine);

}  // namespace gcnh
