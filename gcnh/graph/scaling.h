// Feature scaling that can be fitted on one table and applied to another, so that new nodes see what training saw.
#pragma once

#include <string>

#include "gcnh/graph/dataset.h"

namespace gcnh {

struct Scaling {
  std::string kind =
      "none";   // none | rows (each row divided by its sum) | standard (each column to mean 0, deviation 1)
  Matrix mean;  // (1, features), standard only
  Matrix deviation;
};

// `kind` may also be "auto": standard for dense features, none for sparse ones.
Scaling fit_scaling(const std::string& kind, const Features& features);
void apply_scaling(const Scaling& scaling, Features& features);

}  // namespace gcnh
