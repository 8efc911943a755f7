// Dropout on a share of an array (dropout.cpp): the factors that dropout_factors gives its elements in the whole.
#pragma once

#include <span>

#include "gcnh/base/matrix.h"
#include "gcnh/base/random.h"

namespace gcnh::kernels {

// Draws draw .. draw + count - 1 of the whole, and where they go.
struct DropoutRun {
  std::int64_t draw, count;
  Real* to;
};

// Row i of factor = that of row places[i] of a matrix of the same width.
void dropout_factors_at(const Rng& rng, double p, std::span<const Offset> places, Matrix& factor);
// Entries offsets[i] .. offsets[i + 1] - 1 of factor = those that begin at first[i] in the whole.
void dropout_factors_at(const Rng& rng, double p, std::span<const Offset> first, std::span<const Offset> offsets,
                        std::span<Real> factor);

}  // namespace gcnh::kernels
