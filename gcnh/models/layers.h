// The parts that models are made of: trained matrices and what they do. Propagation along edges is an op (spmm, spmax,
// power_sum), as it trains nothing.
#pragma once

#include "gcnh/ops/ops.h"

namespace gcnh {

// A weight matrix with its bias row.
struct Linear {
  Param* weight = nullptr;  // (in, out)
  Param* bias = nullptr;    // (1, out)

  // dropout(x) w + b
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

// How much u heeds v, from what both are: e_uv = LeakyReLU(a1 p_u + a2 p_v) for every entry uv of a pattern and every
// head, slope 0.2.
struct Attention {
  Index heads = 1;
  Param* ends = nullptr;  // (2, heads width): a1 of all heads, a2 of all heads

  // (entries, heads) of p (n, heads width)
  Var operator()(Tape& t, const Propagator& edges, Var p) const {
    return edge_scores(t, edges, matmul(t, p, block_diagonal(t, ends, heads)), Real(0.2));
  }
};

}  // namespace gcnh
