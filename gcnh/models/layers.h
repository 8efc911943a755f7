// The parts that models are made of: trained matrices and what they do. Propagation along edges is an op (spmm, spmax,
// power_sum), as it trains nothing.
#pragma once

#include <optional>
#include <vector>

#include "gcnh/models/trimmings.h"
#include "gcnh/ops/ops.h"
#include "gcnh/ops/share.h"

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
  Linear encoder = {};
  std::optional<Aggregator> along = {};  // absent: the node itself
  int hops = 0;
  std::optional<Propagator> rows = {};  // encoded in place of what the layer reads
  Normalizer norm = {};
  std::optional<Aggregator> last_hop = {};  // along which some nodes alone hear; absent: all do

  // LeakyReLU(h W + b), or h W + b where the slope is 1
  Var encode(Tape& t, const Input& h, Real slope) const {
    return (rows ? Input(*rows) : h).encode(t, encoder.weight, encoder.bias, slope);
  }
  Var carry(Tape& t, Var m) const {
    for (int k = 1; k <= hops; ++k) m = (k == hops && last_hop ? *last_hop : *along)(t, m);
    return m;
  }
  // The same for the listed nodes alone; what a node hears of itself is still encoded for all.
  Channel heard_by(std::span<const Index> nodes) const {
    const auto listed = [&](const Propagator& p) { return Propagator(take_rows(p.forward(), nodes), true); };
    Channel out = *this;
    if (rows) out.rows = listed(*rows);
    if (along) out.last_hop = Aggregator{listed(along->edges), along->is_max, along->floor_at_zero};
    return out;
  }
};

// y plus what a layer reads, or a linear map of it.
struct Shortcut {
  Residual kind = Residual::none;
  Linear map = {};  // of linear

  // y (rows, k) belongs to the listed nodes, or to all where `nodes` is null.
  Var operator()(Tape& t, Var y, const Input& h, const std::span<const Index>* nodes = nullptr) const {
    if (kind == Residual::none || (kind == Residual::add && h.cols() != y->cols())) return y;
    Var x = kind == Residual::linear ? map(t, h) : h.hidden();
    return x ? add(t, y, nodes ? gather_rows(t, x, *nodes) : x) : y;
  }
};

// How much u heeds v, from what both are: e_uv = LeakyReLU(a1 p_u + a2 p_v) for every entry uv of a pattern and every
// head, slope 0.2.
struct Attention {
  Index heads = 1;
  Param* ends = nullptr;  // (2, heads width): a1 of all heads, a2 of all heads

  // (entries, heads) of p (n, heads width). Of a part of a graph, p is borrowed first, as it will be read along edges:
  // then what scores are made of needs no borrowing.
  Var operator()(Tape& t, const Propagator& edges, Var p) const {
    borrow(t, p);
    return edge_scores(t, edges, matmul(t, p, block_diagonal(t, ends, heads)), Real(0.2));
  }
};

}  // namespace gcnh
