// The differentiable ops of sheaf diffusion (ops/sheaf.cpp). The state of n nodes is (n, f k): f stalk coordinates of k
// channels, one after the other; the same numbers as (n f, k) have one row per coordinate.
#pragma once

#include <memory>
#include <vector>

#include "gcnh/kernels/sheaf.h"
#include "gcnh/ops/tape.h"

namespace gcnh {

using Edges = std::shared_ptr<const EdgeList>;  // ops keep it until the backward pass

// A symmetric operator on d coordinates: diagonal[u] I at node u, for an edge (u, v), u < v, its block at (u, v) and
// the transposed one at (v, u).
struct SheafLaplacian {
  int d;
  Var diagonal;  // (n, 1)
  Var blocks;    // (m, d d)
};

// Weights of learners that look at both ends of an edge, arranged so that y w gives each node's share in both roles. A
// learner's rows belong to the numbers of [y_u | y_v], y (n, width); with fewer rows they are used over and over.
//   w[a] = [l[a mod r] of each learner l | l[(width + a) mod r] | 0 ...]       l (r, k_l), w (width, projection_width)
Var end_weights(Tape& t, const std::vector<Var>& learners, Index width);

// The normalised sheaf Laplacian of orthogonal maps, from the projections p = y w of d (d - 1) / 2 map parameters and,
// with `weighted`, one logit of the edge weight (see orthogonal_transports in kernels/sheaf.h).
//   D_u = sum of w_uv^2;  diagonal = D / (D + 1);  block = -w_uv^2 ((D_u + 1) (D_v + 1))^-1/2 Q_uv' Q_vu
SheafLaplacian orthogonal_laplacian(Tape& t, const Edges& edges, Var p, int d, bool weighted);

// The same for maps that scale each of the d coordinates, F_uv = diag(tanh(d numbers)): one operator per coordinate.
//   D_u = sum of F_uv^2;  diagonal = D / (D + 1);  block = -F_uv F_vu ((D_u + 1) (D_v + 1))^-1/2
std::vector<SheafLaplacian> diagonal_laplacians(Tape& t, const Edges& edges, Var p, int d);

// y_u[i] = sum_j left[i][j] x_u[j]                                 left (f, f), x (n, f k), y (n f, k)
Var left_product(Tape& t, Var left, Var x);
// y = the parts, applied to consecutive coordinates                x (n f, k), y (n, f k)
Var diffuse(Tape& t, const Edges& edges, const std::vector<SheafLaplacian>& parts, Var x);
// y = (1 + tanh eps[i]) x - z for coordinate i                     eps (1, f), x, z, y (n, f k)
Var stalk_residual(Tape& t, Var eps, Var x, Var z);

}  // namespace gcnh
