// Kernels of sheaf diffusion. A node's state is f stalk coordinates of k channels each, one after the other; an edge
// carries a d x d block that moves stalks from one end to the other. Edges are undirected and stored once.
#pragma once

#include "gcnh/base/edge_list.h"
#include "gcnh/base/matrix.h"

namespace gcnh::kernels {

// The largest stalk dimension d that the kernels are compiled for.
constexpr int kMaxStalk = 5;

// Width of the projections p of nodes with k numbers per end: row u is [as source (k) | as target (k) | 0 ...], filled
// up to whole vectors. The directed edge u -> v reads p[u][j] + p[v][k + j], j < k.
constexpr Index projection_width(Index k) { return (2 * k + 15) / 16 * 16; }

// Orthogonal transports (sheaf_maps.cpp). The first d (d - 1) / 2 numbers of a directed edge, through tanh, fill the
// strict lower triangle of a unit-diagonal matrix row by row; Q = H_0 ... H_(d-1) with the reflections H_j along its
// columns. With `weighted` one more number q follows. For the edge (u, v), u < v:
//   w = sigmoid(q_uv) sigmoid(q_vu) or 1,  weight = w^2,  block = w^2 Q_uv' Q_vu       weight (m, 1), block (m, d d)
void orthogonal_transports(const EdgeList& g, int d, bool weighted, const Matrix& p, Matrix& weight, Matrix& blocks);
// The way back through the normalised blocks -s_u s_v w^2 Q_uv' Q_vu: `product` is <block, dblock> of each edge (m, 1),
// `dweight` the gradient of the sums of w^2 at the nodes (n, 1). dends[e] = [numbers of u -> v | numbers of v -> u]
// (m, 2 k), before the sum over edges.
void orthogonal_transports_backward(const EdgeList& g, int d, bool weighted, const Matrix& p, const Matrix& root,
                                    const Matrix& dblocks, const Matrix& product, const Matrix& dweight, Matrix& dends);

// Diagonal transports (sheaf.cpp). The d numbers of a directed edge, through tanh, are its source's map: for
// the edge (u, v), u < v, maps[e] = [a of u -> v | b of v -> u]                          p (n, >= 2 d), maps (m, 2 d)
void diagonal_maps(const EdgeList& g, int d, const Matrix& p, Matrix& maps);
// The normalised Laplacian of coordinate k. With D_u the sum over the edges of u of the square of its own map,
//   root[u][k] = (D_u + 1)^-1/2,  diagonal = D / (D + 1),  block = -root_u root_v a b
// root (n, d), diagonal (n, 1), blocks (m, 1)
void diagonal_blocks(const EdgeList& g, int k, const Matrix& maps, Matrix& root, Matrix& diagonal, Matrix& blocks);
// The way back to the numbers before tanh: columns k and d + k of dends (m, 2 d). ddegree (n, 1) is memory to work in.
void diagonal_blocks_backward(const EdgeList& g, int k, const Matrix& maps, const Matrix& root, const Matrix& blocks,
                              const Matrix& ddiagonal, const Matrix& dblocks, Matrix& ddegree, Matrix& dends);

// From edges to nodes (sheaf.cpp).
// sums[u] = sum over the edges e of u of x[e]                                        x (m, k), sums (n, k)
void edge_sums(const EdgeList& g, const Matrix& x, Matrix& sums);
// dp[u] += sum over the edges of u of [numbers of u -> v | numbers of v -> u]        dends (m, 2 k), dp (n, >= 2 k)
void edge_ends_add(const EdgeList& g, const Matrix& dends, Matrix& dp);
// products[e] = <x[e], y[e]>                                                         x, y (m, k), products (m, 1)
void row_products(const Matrix& x, const Matrix& y, Matrix& products);
// root = (degree + 1)^-1/2,  diagonal = degree / (degree + 1),  block *= -root_u root_v
void normalize_blocks(const EdgeList& g, const Matrix& degree, Matrix& root, Matrix& diagonal, Matrix& blocks);

// Coordinates first .. first + d - 1 of stalks with `coordinates` coordinates of `channels` channels.
struct StalkPart {
  int d;
  Index first;
  Index coordinates;
  Index channels;
};
// Diffusion (diffusion.cpp).  y_u = diagonal_u x_u + sum over v of B_uv x_v on these coordinates; B_uv is the block of
// the edge for u < v and its transpose for u > v.              x, y: n coordinates channels numbers in any shape
void diffuse(const EdgeList& g, const StalkPart& part, const Matrix& diagonal, const Matrix& blocks, const Matrix& x,
             Matrix& y);
void diffuse_add(const EdgeList& g, const StalkPart& part, const Matrix& diagonal, const Matrix& blocks,
                 const Matrix& x, Matrix& y);
// ddiagonal_u += <dy_u, x_u>,  dblock += dy_u x_v' + x_u dy_v' for the edge (u, v), u < v
void diffuse_backward_add(const EdgeList& g, const StalkPart& part, const Matrix& x, const Matrix& dy,
                          Matrix& ddiagonal, Matrix& dblocks);

// Left products (diffusion.cpp).  y_u[i] = sum_j left[i][j] x_u[j] over the coordinates of stalks     left (f, f)
void left_product(const Matrix& left, Index channels, const Matrix& x, Matrix& y);
void left_product_add(const Matrix& left, Index channels, const Matrix& x, Matrix& y);
// dleft[i][j] += sum_u <dy_u[i], x_u[j]>
void left_product_backward_add(Index channels, const Matrix& x, const Matrix& dy, Matrix& dleft);

// Residual (sheaf.cpp).  y = b x - z, b (1, k): one factor per column
void scaled_difference(const Matrix& b, const Matrix& x, const Matrix& z, Matrix& y);
// dx += b dy,  dz -= dy,  db += sum_i dy[i] x[i];  an empty gradient is skipped
void scaled_difference_backward_add(const Matrix& b, const Matrix& x, const Matrix& dy, Matrix& dx, Matrix& dz,
                                    Matrix& db);

}  // namespace gcnh::kernels
