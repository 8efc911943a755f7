#include "gcnh/ops/sheaf.h"

#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh {
namespace {

// A new value that depends on all of the inputs.
Var node_from(Tape& t, Index rows, Index cols, const std::vector<Var>& inputs) {
  const auto trained = std::find_if(inputs.begin(), inputs.end(), [](Var v) { return v->has_grad(); });
  return trained == inputs.end() ? t.node(rows, cols, {}) : t.node(rows, cols, {*trained});
}

// f(learner, row and column of its weights, row and column of w) for every number of w that is not padding.
template <class F>
void for_each_weight(const std::vector<Var>& learners, Index width, Index per_end, const F& f) {
  Index column = 0;
  for (Var l : learners) {
    for (Index end = 0; end < 2; ++end)
      for (Index a = 0; a < width; ++a)
        for (Index j = 0; j < l->cols(); ++j) f(*l, (end * width + a) % l->rows(), j, a, end * per_end + column + j);
    column += l->cols();
  }
}

}  // namespace

// w[a] = [l[a mod r] | l[(width + a) mod r]];   dl[r] += the sum of dw over the places where row r stands
Var end_weights(Tape& t, const std::vector<Var>& learners, Index width) {
  Index per_end = 0;
  for (Var l : learners) per_end += l->cols();
  Var w = node_from(t, width, kernels::projection_width(per_end), learners);
  w->value.fill(0);
  for_each_weight(learners, width, per_end,
                  [w](Node& l, Index r, Index j, Index a, Index c) { w->value(a, c) = l.value(r, j); });
  return t.on_backward(w, [learners, width, per_end, w] {
    for_each_weight(learners, width, per_end, [w](Node& l, Index r, Index j, Index a, Index c) {
      if (l.has_grad()) l.grad(r, j) += w->grad(a, c);
    });
  });
}

// With s = (D + 1)^-1/2 and r_uv = <block, dblock>:  dD_u = s_u^4 ddiagonal_u - s_u^2 / 2 * sum of r_uv over v,
// then along the edges
SheafLaplacian orthogonal_laplacian(Tape& t, const Edges& edges, Var p, int d, bool weighted) {
  const EdgeList& g = *edges;
  const Index n = g.num_nodes(), m = g.num_edges(), per_end = d * (d - 1) / 2 + weighted;
  require(d >= 1 && d <= kernels::kMaxStalk, "orthogonal_laplacian: no kernel for stalks of dimension ", d);
  require(p->rows() == n && p->cols() >= 2 * per_end, "orthogonal_laplacian: projections of another shape");
  const SheafLaplacian l{d, t.node(n, 1, {p}), t.node(m, d * d, {p})};
  Matrix &weight = t.scratch(m, 1), &degree = t.scratch(n, 1), &root = t.scratch(n, 1);
  kernels::orthogonal_transports(g, d, weighted, p->value, weight, l.blocks->value);
  kernels::edge_sums(g, weight, degree);
  kernels::normalize_blocks(g, degree, root, l.diagonal->value, l.blocks->value);
  if (!p->has_grad()) return l;
  Matrix &dends = t.scratch(m, 2 * per_end), &ddegree = degree, &product = weight;  // both were needed above only
  t.on_backward(l.diagonal, [edges, p, d, weighted, l, &root, &product, &ddegree, &dends] {
    kernels::row_products(l.blocks->value, l.blocks->grad, product);
    kernels::edge_sums(*edges, product, ddegree);
    for (Index u = 0; u < p->rows(); ++u) {
      const Real square = root(u, 0) * root(u, 0);
      ddegree(u, 0) = square * (square * l.diagonal->grad(u, 0) - ddegree(u, 0) / 2);
    }
    kernels::orthogonal_transports_backward(*edges, d, weighted, p->value, root, l.blocks->grad, product, ddegree,
                                            dends);
    kernels::edge_ends_add(*edges, dends, p->grad);
  });
  return l;
}

// With s = (D + 1)^-1/2 and a map a whose other end has b:  dD_u = s_u^4 ddiagonal_u - s_u^2 / 2 * sum of block dblock,
// da = -s_u s_v b dblock + 2 a dD_u
std::vector<SheafLaplacian> diagonal_laplacians(Tape& t, const Edges& edges, Var p, int d) {
  const EdgeList& g = *edges;
  const Index n = g.num_nodes(), m = g.num_edges();
  require(d >= 1 && p->rows() == n && p->cols() >= 2 * d, "diagonal_laplacians: projections of another shape");
  Matrix &maps = t.scratch(m, 2 * d), &root = t.scratch(n, d);
  kernels::diagonal_maps(g, d, p->value, maps);
  std::vector<SheafLaplacian> out;
  for (int k = 0; k < d; ++k) {
    const SheafLaplacian l{1, t.node(n, 1, {p}), t.node(m, 1, {p})};
    out.push_back(l);
    kernels::diagonal_blocks(g, k, maps, root, l.diagonal->value, l.blocks->value);
  }
  if (!p->has_grad()) return out;
  Matrix &dends = t.scratch(m, 2 * d), &ddegree = t.scratch(n, 1);
  t.on_backward(out[0].diagonal, [edges, p, out, &maps, &root, &dends, &ddegree] {
    for (int k = 0; const SheafLaplacian& l : out)
      kernels::diagonal_blocks_backward(*edges, k++, maps, root, l.blocks->value, l.diagonal->grad, l.blocks->grad,
                                        ddegree, dends);
    kernels::edge_ends_add(*edges, dends, p->grad);
  });
  return out;
}

// y = left x;   dx += left' dy,  dleft[i][j] += sum over nodes of <dy[i], x[j]>
Var left_product(Tape& t, Var left, Var x) {
  const Index f = left->rows(), channels = x->cols() / f;
  require(left->cols() == f && f * channels == x->cols(), "left_product: ", x->cols(), " columns for ", f,
          " coordinates");
  Var y = t.node(x->rows() * f, channels, {left, x});
  kernels::left_product(left->value, channels, x->value, y->value);
  if (!y->has_grad()) return y;
  Matrix& transposed = t.scratch(f, f);
  return t.on_backward(y, [left, x, y, channels, &transposed] {
    if (left->has_grad()) kernels::left_product_backward_add(channels, x->value, y->grad, left->grad);
    if (!x->has_grad()) return;
    kernels::transpose(left->value, transposed);
    kernels::left_product_add(transposed, channels, y->grad, x->grad);
  });
}

// y = L x;   dx += L dy, as L = L',  ddiagonal_u += <dy_u, x_u>,  dblock_uv += dy_u x_v' + x_u dy_v'
Var diffuse(Tape& t, const Edges& edges, const std::vector<SheafLaplacian>& parts, Var x) {
  const EdgeList& g = *edges;
  std::vector<Var> inputs = {x};
  Index f = 0;
  for (const SheafLaplacian& l : parts) {
    inputs.insert(inputs.end(), {l.diagonal, l.blocks});
    f += l.d;
  }
  require(x->rows() == g.num_nodes() * f, "diffuse: ", x->rows(), " rows for ", g.num_nodes(), " nodes with ", f,
          " coordinates");
  Var y = node_from(t, g.num_nodes(), f * x->cols(), inputs);
  const auto each_part = [parts, x, f](const auto& work) {
    kernels::StalkPart part{0, 0, f, x->cols()};
    for (const SheafLaplacian& l : parts) {
      part.d = l.d;
      work(part, l);
      part.first += l.d;
    }
  };
  each_part([&](const kernels::StalkPart& part, const SheafLaplacian& l) {
    kernels::diffuse(g, part, l.diagonal->value, l.blocks->value, x->value, y->value);
  });
  return t.on_backward(y, [edges, x, y, each_part] {
    each_part([&](const kernels::StalkPart& part, const SheafLaplacian& l) {
      if (x->has_grad()) kernels::diffuse_add(*edges, part, l.diagonal->value, l.blocks->value, y->grad, x->grad);
      if (l.diagonal->has_grad() || l.blocks->has_grad())
        kernels::diffuse_backward_add(*edges, part, x->value, y->grad, l.diagonal->grad, l.blocks->grad);
    });
  });
}

// y = b x - z, b = 1 + tanh(eps) over the channels of a coordinate;   dx += b dy,  dz -= dy,
// deps += (1 - tanh(eps)^2) * sum over nodes and channels of dy x
Var stalk_residual(Tape& t, Var eps, Var x, Var z) {
  const Index f = eps->cols(), channels = x->cols() / f;
  require(f * channels == x->cols() && x->value.same_shape(z->value), "stalk_residual: ", x->cols(), " and ", z->cols(),
          " columns for ", f, " coordinates");
  Var y = t.node(x->rows(), x->cols(), {eps, x, z});
  Matrix& b = t.scratch(1, x->cols());
  for (Index j = 0; j < b.cols(); ++j) b(0, j) = 1 + std::tanh(eps->value(0, j / channels));
  kernels::scaled_difference(b, x->value, z->value, y->value);
  Matrix& db = t.scratch(1, eps->has_grad() ? b.cols() : 0);
  return t.on_backward(y, [eps, x, z, y, channels, &b, &db] {
    db.fill(0);
    kernels::scaled_difference_backward_add(b, x->value, y->grad, x->grad, z->grad, db);
    for (Index j = 0; j < db.cols(); ++j)
      eps->grad(0, j / channels) += b(0, j) * (2 - b(0, j)) * db(0, j);  // 1 - tanh^2 = (1 + tanh) (1 - tanh)
  });
}

}  // namespace gcnh
