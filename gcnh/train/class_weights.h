// How much the classes count in the loss, from the words of the option.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// none                nothing: all count alike
// balanced            w_k = n / (classes n_k), n_k of the n nodes listed are of class k: every class counts alike
// rare=20,common=1    as given; classes that are not named have 1; a name with a comma is quoted: "rent, paid"=20
// Throws a usage error for anything else.
std::vector<Real> class_weights(const std::string& words, const Dataset& dataset, std::span<const Index> nodes);

}  // namespace gcnh
