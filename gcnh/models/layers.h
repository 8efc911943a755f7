// The parts that models are made of: trained matrices and what they do. Propagation along edges is an op (spmm, spmax,
// power_sum), as it trains nothing.
#pragma once

#include <optional>
#include <vector>

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

// A mean of parts with trained weights, one for all columns or one for each. Of two parts, b z + (1 - b) a with
// b = sigmoid(theta), or with a fixed b; of more, sum_c w_c z_c with w = softmax(theta); a single part is itself.
struct Mix {
  Param* theta =
      nullptr;  // (1, ...) for two parts, else (parts, ...), with 1 or k columns; absent where nothing is trained
  Real fixed = 0;

  Var operator()(Tape& t, const std::vector<Var>& parts) const {
    if (parts.size() == 1) return parts[0];
    if (parts.size() > 2) return mix(t, theta, parts);
    return theta ? mix(t, theta, parts[0], parts[1]) : mix(t, fixed, parts[0], parts[1]);
  }
  // Of the first of two parts or more, the weight in each of k columns, (1, k).
  Matrix weights(Index k) const;
};

// How the messages of a node's neighbours become one: P m, or the largest of each column.
struct Aggregator {
  Propagator edges;
  bool is_max = false;
  bool floor_at_zero = false;  // no maximum below 0

  Var operator()(Tape& t, Var m) const { return is_max ? spmax(t, edges, m, floor_at_zero) : spmm(t, edges, m); }
};

// One kind of what a node can hear of, with an encoder of its own: itself, or what is so many steps away.
struct Channel {
  Linear encoder;
  std::optional<Aggregator> along = {};  // absent: the node itself
  int hops = 0;
  std::optional<Input> rows = {};  // encoded in place of what the layer reads

  Var encode(Tape& t, const Input& h) const { return encoder(t, rows ? *rows : h); }
  Var carry(Tape& t, Var m) const {
    for (int k = 0; k < hops; ++k) m = (*along)(t, m);
    return m;
  }
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
