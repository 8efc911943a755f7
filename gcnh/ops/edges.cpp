// Ops on values that belong to the entries of a sparse pattern. What flows against the edges is pulled along the
// transpose.
#include "gcnh/kernels/edges.h"

#include <array>
#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/ops/ops.h"
#include "gcnh/ops/share.h"

namespace gcnh {
namespace {

void require_edges(const char* op, const Propagator& edges, Var a) {
  require(a->rows() == edges.num_entries(), op, ": ", a->rows(), " values for ", edges.num_entries(), " edges");
}

}  // namespace

// y = A x, head by head;   da[uv, h] += <dy[u, block h], x[v, block h]>,  dx += A' dy
Var edge_spmm(Tape& t, const Propagator& edges, Var a, Var x) {
  require_edges("edge_spmm", edges, a);
  require(edges.cols() == x->rows() && x->cols() % a->cols() == 0, "edge_spmm: input of ", x->rows(), " x ", x->cols(),
          " for ", edges.cols(), " nodes and ", a->cols(), " heads");
  borrow(t, x);
  Var y = propagated(t, edges, t.node(edges.rows(), x->cols(), {a, x}));
  kernels::edge_spmm(edges.forward(), a->value, x->value, y->value);
  if (!y->has_grad()) return y;
  Matrix& transposed = t.scratch(x->has_grad() ? a->rows() : 0, a->cols());
  return t.on_backward(y, [edges, a, x, y, &transposed] {
    if (a->has_grad()) kernels::edge_dots_add(edges.forward(), y->grad, x->value, a->grad);
    if (!x->has_grad()) return;
    kernels::take_edges(a->value, edges.source(), transposed);
    kernels::edge_spmm_add(edges.backward(), transposed, y->grad, x->grad);
  });
}

// e = LeakyReLU(centre + neighbour);   the gradient of a score goes to both of its ends
Var edge_scores(Tape& t, const Propagator& edges, Var st, Real slope) {
  require(st->rows() == edges.rows() && edges.rows() == edges.cols() && st->cols() % 2 == 0, "edge_scores: scores of ",
          st->rows(), " x ", st->cols(), " for ", edges.rows(), " nodes");
  borrow(t, st);
  Var e = of_entries(t, edges, t.node(edges.num_entries(), st->cols() / 2, {st}));
  kernels::edge_scores(edges.forward(), st->value, slope, e->value);
  return t.on_backward(e, [edges, st, slope, e] {
    kernels::edge_scores_backward_add(edges.forward(), edges.backward(), edges.source(), e->value, slope, e->grad,
                                      st->grad);
  });
}

// a = softmax of each row;   de += a (da - sum over the row of a da)
Var edge_softmax(Tape& t, const Propagator& edges, Var e) {
  require_edges("edge_softmax", edges, e);
  Var a = t.node(e->rows(), e->cols(), {e});
  kernels::edge_softmax(edges.forward(), e->value, a->value);
  return t.on_backward(
      a, [edges, e, a] { kernels::edge_softmax_backward_add(edges.forward(), a->value, a->grad, e->grad); });
}

// a = k / z, z the row's sum;   dk += (da - sum over the row of a da) / z
Var edge_shares(Tape& t, const Propagator& edges, Var k) {
  require_edges("edge_shares", edges, k);
  Var a = t.node(k->rows(), k->cols(), {k});
  Matrix& z = t.scratch(edges.rows(), k->cols());
  kernels::edge_shares(edges.forward(), k->value, z, a->value);
  return t.on_backward(
      a, [edges, k, a, &z] { kernels::edge_shares_backward_add(edges.forward(), z, a->value, a->grad, k->grad); });
}

// y = exp(-x);   dx -= y dy
Var exp_negative(Tape& t, Var x) {
  Var y = t.node(x->rows(), x->cols(), {x});
  kernels::exp_negative(x->value, y->value);
  return t.on_backward(y, [x, y] { kernels::exp_negative_backward_add(y->value, y->grad, x->grad); });
}

// With w[uv] = dc[uv] / (|x[u]| |x[v]|) and g = (W + W') x, dx[u] += the part of g[u] at right angles to x[u].
Var edge_cosines(Tape& t, const Propagator& edges, Var x) {
  require(x->rows() == edges.rows() && edges.rows() == edges.cols(), "edge_cosines: ", x->rows(), " rows for ",
          edges.rows(), " nodes");
  Var c = t.node(edges.num_entries(), 1, {x});
  Matrix& norm = t.scratch(x->rows(), 1);
  kernels::edge_cosines(edges.forward(), x->value, norm, c->value);
  if (!c->has_grad()) return c;
  Matrix &w = t.scratch(c->rows(), 1), &transposed = t.scratch(c->rows(), 1), &g = t.scratch(x->rows(), x->cols());
  return t.on_backward(c, [edges, x, c, &norm, &w, &transposed, &g] {
    kernels::edge_cosine_weights(edges.forward(), norm, c->grad, w);
    kernels::take_edges(w, edges.source(), transposed);
    kernels::edge_spmm(edges.forward(), w, x->value, g);
    kernels::edge_spmm_add(edges.backward(), transposed, x->value, g);
    kernels::turning_part_add(x->value, norm, g, x->grad);
  });
}

// With positive, negative and self = g k:  dg = <k, d(g k)>, dk = g d(g k);  dkappa += k (dk - <k, dk>),
// ds += dg sigmoid(s)
Var signed_weights(Tape& t, const Propagator& edges, std::span<const Real> r, Var c, Var a, Var kappa, Var s) {
  require_edges("signed_weights", edges, c);
  require(static_cast<Index>(r.size()) == edges.num_entries() && r.size() == edges.forward().values.size(),
          "signed_weights: ", r.size(), " ratios for ", edges.num_entries(), " edges");
  const auto scalar = [](Var v, Index j) { return static_cast<double>(v->value(0, j)); };
  std::array<double, 3> k;
  for (Index j = 0; j < 3; ++j) k[j] = std::exp(scalar(kappa, j));
  const double sum = k[0] + k[1] + k[2], g = kernels::softplus(scalar(s, 0));
  for (double& share : k) share /= sum;
  const kernels::SignedWeights scalars{scalar(a, 0), scalar(a, 1), g * k[0], g * k[1], g * k[2]};
  Var w = t.node(c->rows(), 1, {c, a, kappa, s});
  Matrix& tau = t.scratch(c->rows(), 1);
  kernels::signed_weights(edges.forward(), r, c->value, scalars, tau, w->value);
  return t.on_backward(w, [edges, r, c, a, kappa, s, k, g, scalars, w, &tau] {
    const kernels::SignedWeights d =
        kernels::signed_weights_backward_add(edges.forward(), r, c->value, scalars, tau, w->grad, c->grad);
    const std::array<double, 3> dgk = {d.positive, d.negative, d.self};
    const double dg = k[0] * dgk[0] + k[1] * dgk[1] + k[2] * dgk[2];
    if (a->has_grad()) {
      a->grad(0, 0) += static_cast<Real>(d.slope);
      a->grad(0, 1) += static_cast<Real>(d.shift);
    }
    for (Index j = 0; kappa->has_grad() && j < 3; ++j) kappa->grad(0, j) += static_cast<Real>(g * k[j] * (dgk[j] - dg));
    if (s->has_grad()) s->grad(0, 0) += static_cast<Real>(dg / (1 + std::exp(-static_cast<double>(s->value(0, 0)))));
  });
}

// b[h w + j][i heads + h] = a[i][h w + j];   da takes the same places of db
Var block_diagonal(Tape& t, Var a, Index heads) {
  require(a->cols() % heads == 0, "block_diagonal: ", a->cols(), " columns for ", heads, " heads");
  const Index width = a->cols() / heads;
  Var b = t.node(a->cols(), a->rows() * heads, {a});
  b->value.fill(0);
  for (Index i = 0; i < a->rows(); ++i)
    for (Index j = 0; j < a->cols(); ++j) b->value(j, i * heads + j / width) = a->value(i, j);
  return t.on_backward(b, [a, b, heads, width] {
    for (Index i = 0; i < a->rows(); ++i)
      for (Index j = 0; j < a->cols(); ++j) a->grad(i, j) += b->grad(j, i * heads + j / width);
  });
}

}  // namespace gcnh
