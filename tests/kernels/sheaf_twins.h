// Plain twins of the kernels of sheaf diffusion, written from the equations in kernels/sheaf.h.
#pragma once

#include <cmath>
#include <vector>

#include "gcnh/kernels/sheaf.h"
#include "tests/kernels/twins.h"

namespace gcnh::testing::plain {

// A small square matrix.
struct Small {
  explicit Small(int size) : d(size), v(static_cast<std::size_t>(size) * size) {}
  Wide& operator()(int i, int j) { return v[i * d + j]; }
  Wide operator()(int i, int j) const { return v[i * d + j]; }
  int d;
  std::vector<Wide> v;
};

inline Small operator*(const Small& a, const Small& b) {
  Small out(a.d);
  for (int i = 0; i < a.d; ++i)
    for (int j = 0; j < a.d; ++j)
      for (int k = 0; k < a.d; ++k) out(i, j) += a(i, k) * b(k, j);
  return out;
}

inline Small transposed(const Small& a) {
  Small out(a.d);
  for (int i = 0; i < a.d; ++i)
    for (int j = 0; j < a.d; ++j) out(i, j) = a(j, i);
  return out;
}

inline Small scaled(Small a, Wide factor) {
  for (Wide& v : a.v) v *= factor;
  return a;
}

inline Small block_of(const Matrix& blocks, Index e, int d) {
  Small out(d);
  for (int i = 0; i < d * d; ++i) out.v[i] = wide(blocks(e, i));
  return out;
}

// The unit vectors of the reflections, column by column, and their lengths before.
struct Reflections {
  Small unit;
  std::vector<Wide> length;

  explicit Reflections(const std::vector<Wide>& lower, int d) : unit(d), length(d) {
    std::size_t next = 0;
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < i; ++j) unit(i, j) = lower[next++];
      unit(i, i) = 1;
    }
    for (int j = 0; j < d; ++j) {
      for (int i = 0; i < d; ++i) length[j] += unit(i, j) * unit(i, j);
      length[j] = std::sqrt(length[j]);
      for (int i = 0; i < d; ++i) unit(i, j) /= length[j];
    }
  }

  // I - 2 u_j u_j'
  Small reflection(int j) const {
    Small out(unit.d);
    for (int i = 0; i < unit.d; ++i)
      for (int c = 0; c < unit.d; ++c) out(i, c) = (i == c) - 2 * unit(i, j) * unit(c, j);
    return out;
  }

  Small product() const {
    Small q = reflection(0);
    for (int j = 1; j < unit.d; ++j) q = q * reflection(j);
    return q;
  }

  // Gradient of the numbers below the diagonal: du_j = (dH_j + dH_j') u_j times -2, dH_j = G R' with the reflections to
  // the right of H_j in R and those to its left taken off dQ in G.
  std::vector<Wide> backward(Small g) const {
    const int d = unit.d;
    std::vector<std::vector<Wide>> rows(d);
    for (int j = 0; j < d; ++j) {
      Small right(d);
      for (int i = 0; i < d; ++i) right(i, i) = 1;
      for (int k = j + 1; k < d; ++k) right = right * reflection(k);
      const Small dh = g * transposed(right);
      std::vector<Wide> du(d);
      Wide along = 0;
      for (int i = 0; i < d; ++i) {
        for (int c = 0; c < d; ++c) du[i] -= 2 * (dh(i, c) + dh(c, i)) * unit(c, j);
        along += du[i] * unit(i, j);
      }
      for (int i = j + 1; i < d; ++i) rows[i].push_back((du[i] - along * unit(i, j)) / length[j]);
      g = reflection(j) * g;
    }
    std::vector<Wide> out;
    for (const auto& row : rows) out.insert(out.end(), row.begin(), row.end());
    return out;
  }
};

// What one direction u -> v of an edge reads from the projections.
struct DirectedEdge {
  std::vector<Wide> lower;  // tanh of the first d (d - 1) / 2 numbers
  Wide gate = 1;            // sigmoid of the last one

  DirectedEdge(const Matrix& p, Index u, Index v, int d, bool weighted) {
    const Index angles = d * (d - 1) / 2, k = angles + weighted;
    const auto number = [&](Index j) { return wide(p(u, j)) + wide(p(v, k + j)); };
    for (Index j = 0; j < angles; ++j) lower.push_back(std::tanh(number(j)));
    if (weighted) gate = 1 / (1 + std::exp(-number(angles)));
  }
};

struct Transports {
  Matrix weight, blocks;
};

inline Transports orthogonal_transports(const EdgeList& g, int d, bool weighted, const Matrix& p) {
  Transports out{Matrix(g.num_edges(), 1), Matrix(g.num_edges(), d * d)};
  for (Index e = 0; e < g.num_edges(); ++e) {
    const auto [u, v] = g.ends[e];
    const DirectedEdge there(p, u, v, d, weighted), back(p, v, u, d, weighted);
    const Wide w = there.gate * back.gate;
    out.weight(e, 0) = narrow(w * w);
    const Small block =
        scaled(transposed(Reflections(there.lower, d).product()) * Reflections(back.lower, d).product(), w * w);
    for (int i = 0; i < d * d; ++i) out.blocks(e, i) = narrow(block.v[i]);
  }
  return out;
}

inline Matrix orthogonal_transports_backward(const EdgeList& g, int d, bool weighted, const Matrix& p,
                                             const Matrix& root, const Matrix& dblocks, const Matrix& product,
                                             const Matrix& dweight) {
  const Index angles = d * (d - 1) / 2, k = angles + weighted;
  Matrix out(g.num_edges(), 2 * k);
  for (Index e = 0; e < g.num_edges(); ++e) {
    const auto [u, v] = g.ends[e];
    const DirectedEdge ends[2] = {{p, u, v, d, weighted}, {p, v, u, d, weighted}};
    const Wide w = ends[0].gate * ends[1].gate;
    const Small d_block = scaled(block_of(dblocks, e, d), -wide(root(u, 0)) * wide(root(v, 0)) * w * w);
    const Reflections maps[2] = {Reflections(ends[0].lower, d), Reflections(ends[1].lower, d)};
    const Small d_maps[2] = {maps[1].product() * transposed(d_block), maps[0].product() * d_block};
    for (int end = 0; end < 2; ++end) {
      const std::vector<Wide> lower = maps[end].backward(d_maps[end]);
      for (Index j = 0; j < angles; ++j)
        out(e, end * k + j) = narrow(lower[j] * (1 - ends[end].lower[j] * ends[end].lower[j]));
      const Wide dw = 2 / w * (wide(product(e, 0)) + w * w * (wide(dweight(u, 0)) + wide(dweight(v, 0))));
      if (weighted) out(e, end * k + angles) = narrow(dw * w * (1 - ends[end].gate));
    }
  }
  return out;
}

// The operator of one part as a dense matrix over (node, coordinate of the part).
inline Matrix dense_laplacian(const EdgeList& g, int d, const Matrix& diagonal, const Matrix& blocks) {
  Matrix out(g.num_nodes() * d, g.num_nodes() * d);
  for (Index u = 0; u < g.num_nodes(); ++u)
    for (int i = 0; i < d; ++i) out(u * d + i, u * d + i) = diagonal(u, 0);
  for (Index e = 0; e < g.num_edges(); ++e)
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j)
        out(g.ends[e].u * d + i, g.ends[e].v * d + j) = out(g.ends[e].v * d + j, g.ends[e].u * d + i) =
            blocks(e, i * d + j);
  return out;
}

// Coordinate first + i of node u, channel c.
inline Real stalk(const kernels::StalkPart& part, const Matrix& x, Index u, Index i, Index c) {
  return x.values()[(Offset{u} * part.coordinates + part.first + i) * part.channels + c];
}

inline Matrix diffuse_add(const EdgeList& g, const kernels::StalkPart& part, const Matrix& diagonal,
                          const Matrix& blocks, const Matrix& x, Matrix y) {
  const Matrix l = dense_laplacian(g, part.d, diagonal, blocks);
  for (Index u = 0; u < g.num_nodes(); ++u)
    for (Index i = 0; i < part.d; ++i)
      for (Index c = 0; c < part.channels; ++c) {
        Real& at = y.values()[(Offset{u} * part.coordinates + part.first + i) * part.channels + c];
        Wide sum = wide(at);
        for (Index v = 0; v < g.num_nodes(); ++v)
          for (Index j = 0; j < part.d; ++j)
            sum += wide(l(u * part.d + i, v * part.d + j)) * wide(stalk(part, x, v, j, c));
        at = narrow(sum);
      }
  return y;
}

// sum over channels of x_u[i] y_v[j]
inline Wide stalk_product(const kernels::StalkPart& part, const Matrix& x, Index u, Index i, const Matrix& y, Index v,
                          Index j) {
  Wide sum = 0;
  for (Index c = 0; c < part.channels; ++c) sum += wide(stalk(part, x, u, i, c)) * wide(stalk(part, y, v, j, c));
  return sum;
}

}  // namespace gcnh::testing::plain
