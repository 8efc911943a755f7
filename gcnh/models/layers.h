// The parts that models are made of: trained matrices with what they do to their input.
#pragma once

#include "gcnh/ops/ops.h"

namespace gcnh {

// A weight matrix with its bias row.
struct Linear {
  Param* weight = nullptr;  // (in, out)
  Param* bias = nullptr;    // (1, out)

  // x w + b
  Var operator()(Tape& t, Var x) const { return add_bias(t, matmul(t, x, weight), bias); }
  Var operator()(Tape& t, const Input& x, double dropout = 0) const {
    return add_bias(t, x.times(t, weight, dropout), bias);
  }
};

// b z + (1 - b) a with a trained b = sigmoid(theta), one for all columns or one for each, or with a fixed one.
struct Mix {
  Param* theta = nullptr;  // (1, 1) or (1, k); absent where b is fixed
  Real fixed = 0;

  Var operator()(Tape& t, Var z, Var a) const { return theta ? mix(t, theta, z, a) : mix(t, fixed, z, a); }
  // b of each of k columns, (1, k)
  Matrix weights(Index k) const;
};

}  // namespace gcnh
