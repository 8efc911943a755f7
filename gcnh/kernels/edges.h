// Kernels over the entries of a sparse pattern P whose values are computed. Edge values are matrices of shape
// (entries, heads) in the order of the entries; e = (u, v) is an entry in row u and column v. Of a node matrix, head h
// has the h-th of as many equal blocks of columns.
#pragma once

#include <span>

#include "gcnh/base/csr.h"
#include "gcnh/base/matrix.h"

namespace gcnh::kernels {

// Products (edges.cpp).
// y[u, block h] = sum over e = (u, v) of a[e, h] x[v, block h]
void edge_spmm(const Csr& p, const Matrix& a, const Matrix& x, Matrix& y);
void edge_spmm_add(const Csr& p, const Matrix& a, const Matrix& x, Matrix& y);
// d[e, h] = <x[u, block h], y[v, block h]>, e = (u, v)
void edge_dots(const Csr& p, const Matrix& x, const Matrix& y, Matrix& d);
void edge_dots_add(const Csr& p, const Matrix& x, const Matrix& y, Matrix& d);
// b[e] = a[source[e]]
void take_edges(const Matrix& a, std::span<const Offset> source, Matrix& b);

// Attention (attention.cpp).
// e[uv, h] = LeakyReLU(st[u, h] + st[v, heads + h])      st (n, 2 heads)
void edge_scores(const Csr& p, const Matrix& st, Real slope, Matrix& e);
// pt = P', source as of transpose(); slope > 0, so that e has the sign of its sum
void edge_scores_backward_add(const Csr& p, const Csr& pt, std::span<const Offset> source, const Matrix& e, Real slope,
                              const Matrix& de, Matrix& dst);
// a[uv, h] = exp(e[uv, h]) / sum over the row's entries of exp(e[uw, h])
void edge_softmax(const Csr& p, const Matrix& e, Matrix& a);
// de += a (da - sum over the row of a da)
void edge_softmax_backward_add(const Csr& p, const Matrix& a, const Matrix& da, Matrix& de);
// k = exp(-e)
void exp_negative(const Matrix& e, Matrix& k);
// de -= k dk
void exp_negative_backward_add(const Matrix& k, const Matrix& dk, Matrix& de);
// z[u, h] = max(sum over the row of k[uv, h], 1e-9),  a[uv, h] = k[uv, h] / z[u, h]
void edge_shares(const Csr& p, const Matrix& k, Matrix& z, Matrix& a);
// dk += (da - sum over the row of a da) / z; no sum where z stands at its floor
void edge_shares_backward_add(const Csr& p, const Matrix& z, const Matrix& a, const Matrix& da, Matrix& dk);

// Signed weights (signed_edges.cpp), one head.
// norm[u] = |x[u]|,  c[uv] = <x[u], x[v]> / max(norm[u] norm[v], 1e-9)
void edge_cosines(const Csr& p, const Matrix& x, Matrix& norm, Matrix& c);
// w[uv] = dc[uv] / (norm[u] norm[v]); 0 at the floor, where a direction means nothing
void edge_cosine_weights(const Csr& p, const Matrix& norm, const Matrix& dc, Matrix& w);
// dx[u] += g[u] - x[u] <x[u], g[u]> / norm[u]^2: what of g turns x[u]
void turning_part_add(const Matrix& x, const Matrix& norm, const Matrix& g, Matrix& dx);

// tau[uv] = softplus(slope r[uv] + shift)
// w[uv] = (c[uv] > 0 ? positive : negative) c[uv] p[uv] tau[uv] + (u == v ? self : 0), p[uv] the values of P
struct SignedWeights {
  double slope = 0, shift = 0, positive = 0, negative = 0, self = 0;
};
void signed_weights(const Csr& p, std::span<const Real> r, const Matrix& c, const SignedWeights& s, Matrix& tau,
                    Matrix& w);
// Adds to dc (unless empty) and returns the gradients of the five numbers. Where c = 0 there is none.
SignedWeights signed_weights_backward_add(const Csr& p, std::span<const Real> r, const Matrix& c,
                                          const SignedWeights& s, const Matrix& tau, const Matrix& dw, Matrix& dc);
// log(1 + e^x), x itself above 20
double softplus(double x);

}  // namespace gcnh::kernels
