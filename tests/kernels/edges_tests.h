// Kernels on edge values against their plain twins, which are written from the equations in edges.h: under every
// instruction set, with the same bits wherever multiply-add is fused, and for any number of threads. In the float and
// the double suite.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/edges.h"
#include "gcnh/kernels/kernels.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"
#include "tests/support/simd_target.h"

namespace gcnh::testing {

namespace plain {

inline Index row_of(const Csr& p, Offset e) {
  return static_cast<Index>(std::upper_bound(p.offsets.begin(), p.offsets.end(), e) - p.offsets.begin()) - 1;
}

// f(e, u, v, h) for every edge value
template <class F>
Matrix each_edge(const Csr& p, Index heads, const F& f) {
  return each(static_cast<Index>(p.nnz()), heads,
              [&](Index e, Index h) { return f(e, row_of(p, e), p.indices[e], h); });
}

// sum over the entries e of row u of f(e)
template <class F>
Wide row_sum(const Csr& p, Index u, const F& f) {
  Wide sum = 0;
  for (Offset e = p.offsets[u]; e < p.offsets[u + 1]; ++e) sum += f(static_cast<Index>(e));
  return sum;
}

inline Matrix edge_spmm_add(const Csr& p, const Matrix& a, const Matrix& x, const Matrix& y) {
  const Index width = x.cols() / a.cols();
  return each(p.rows, x.cols(), [&](Index u, Index j) {
    return wide(y(u, j)) + row_sum(p, u, [&](Index e) { return wide(a(e, j / width)) * wide(x(p.indices[e], j)); });
  });
}

inline Matrix edge_dots_add(const Csr& p, const Matrix& x, const Matrix& y, const Matrix& d) {
  const Index width = x.cols() / d.cols();
  return each_edge(p, d.cols(), [&](Index e, Index u, Index v, Index h) {
    Wide sum = wide(d(e, h));
    for (Index j = h * width; j < (h + 1) * width; ++j) sum += wide(x(u, j)) * wide(y(v, j));
    return sum;
  });
}

inline Wide softplus(Wide x) { return x > 20 ? x : std::log1p(std::exp(x)); }

}  // namespace plain

// Runs a kernel on copies of its outputs, filled with random numbers, and compares the one of interest.
struct EdgeCheck {
  double tolerance;
  std::vector<Matrix> outputs;
  std::size_t of_interest = 0;

  void expect(const Matrix& expected, const std::function<void(std::vector<Matrix>&)>& kernel) const {
    Matrix fused;  // what the instruction sets with fused multiply-add give
    for (std::int64_t target : simd_targets()) {
      SCOPED_TRACE(hwy::TargetName(target));
      const SimdTarget scope(target);
      std::vector<Matrix> out = outputs;
      kernel(out);
      EXPECT_TRUE(matrices_near(out[of_interest], expected, tolerance, tolerance));
      if (target > HWY_AVX2) continue;  // lower bits: better targets
      if (fused.empty()) fused = out[of_interest];
      EXPECT_TRUE(matrices_equal(out[of_interest], fused));
    }
  }
};

struct EdgeKernels : ::testing::Test {
  EdgeKernels() {
    p.values.resize(p.indices.size());
    for (std::size_t e = 0; e < p.values.size(); ++e) p.values[e] = static_cast<Real>(0.1 + Rng(22).uniform(e));
    pt = transpose(p, &source);
  }
  Matrix nodes(int stream, Index cols) const { return random_matrix(p.rows, cols, Rng(23).fork(stream)); }
  Matrix values(int stream, Index heads, double low = -1, double high = 1) const {
    return random_matrix(static_cast<Index>(p.nnz()), heads, Rng(24).fork(stream), low, high);
  }

  Csr p = random_graph({.nodes = 60, .edges_per_node = 4, .directed = true, .weights = false}, Rng(21)), pt;
  std::vector<Offset> source;
  const std::vector<Index> all_heads = {1, 2, 3, 8, 11, 16};
  static constexpr double kSums = kEpsilon * 256;
};

TEST_F(EdgeKernels, ProductsEqualPlainTwins) {
  for (Index heads : all_heads) {
    for (Index width : {1, 2, 5, 8, 9, 16, 33}) {
      SCOPED_TRACE(::testing::Message() << heads << " heads of width " << width);
      const Matrix a = values(0, heads), x = nodes(1, heads * width), y = nodes(2, heads * width), d = values(3, heads);
      EdgeCheck{kSums, {y}}.expect(plain::edge_spmm_add(p, a, x, Matrix(p.rows, x.cols())),
                                   [&](auto& out) { kernels::edge_spmm(p, a, x, out[0]); });
      EdgeCheck{kSums, {y}}.expect(plain::edge_spmm_add(p, a, x, y),
                                   [&](auto& out) { kernels::edge_spmm_add(p, a, x, out[0]); });
      EdgeCheck{kSums, {d}}.expect(plain::edge_dots_add(p, x, y, Matrix(d.rows(), heads)),
                                   [&](auto& out) { kernels::edge_dots(p, x, y, out[0]); });
      EdgeCheck{kSums, {d}}.expect(plain::edge_dots_add(p, x, y, d),
                                   [&](auto& out) { kernels::edge_dots_add(p, x, y, out[0]); });
    }
  }
}

TEST_F(EdgeKernels, TakenEdgesMultiplyLikeTheTranspose) {
  const Matrix a = values(0, 3), x = nodes(1, 6), y = nodes(2, 6);
  Matrix taken = values(3, 3), found = y, expected = y;
  kernels::take_edges(a, source, taken);
  kernels::edge_spmm_add(pt, taken, x, found);
  for (Index u = 0; u < p.rows; ++u)  // a push where the kernel pulls
    for (Offset e = p.offsets[u]; e < p.offsets[u + 1]; ++e)
      for (Index j = 0; j < 6; ++j) expected(p.indices[e], j) += a(static_cast<Index>(e), j / 2) * x(u, j);
  EXPECT_TRUE(matrices_near(found, expected, kSums));
}

TEST_F(EdgeKernels, ScoresEqualPlainTwins) {
  using plain::wide;
  const Real slope = Real(0.2);
  for (Index heads : all_heads) {
    SCOPED_TRACE(heads);
    const Matrix st = nodes(0, 2 * heads), de = values(1, heads), before = nodes(2, 2 * heads);
    const Matrix e = plain::each_edge(p, heads, [&](Index, Index u, Index v, Index h) {
      const plain::Wide sum = wide(st(u, h)) + wide(st(v, heads + h));
      return sum > 0 ? sum : wide(slope) * sum;
    });
    EdgeCheck{kSums, {values(3, heads)}}.expect(e, [&](auto& out) { kernels::edge_scores(p, st, slope, out[0]); });
    Matrix expected = before;
    for (Index u = 0; u < p.rows; ++u)
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
        for (Index h = 0; h < heads; ++h) {
          const auto row = static_cast<Index>(i);
          const Real gradient = (e(row, h) > 0 ? 1 : slope) * de(row, h);
          expected(u, h) += gradient;
          expected(p.indices[i], heads + h) += gradient;
        }
    EdgeCheck{kSums, {before}}.expect(
        expected, [&](auto& out) { kernels::edge_scores_backward_add(p, pt, source, e, slope, de, out[0]); });
  }
}

TEST_F(EdgeKernels, SoftmaxEqualsPlainTwin) {
  using plain::wide;
  for (Index heads : all_heads) {
    for (double reach : {1.0, 200.0}) {  // the exponentials of large scores do not overflow
      SCOPED_TRACE(::testing::Message() << heads << " heads, scores up to " << reach);
      const Matrix e = values(0, heads, -reach, reach), da = values(1, heads), before = values(2, heads);
      const Matrix a = plain::each_edge(p, heads, [&](Index i, Index u, Index, Index h) {
        return std::exp(wide(e(i, h))) / plain::row_sum(p, u, [&](Index j) { return std::exp(wide(e(j, h))); });
      });
      EdgeCheck{kSums, {before}}.expect(a, [&](auto& out) { kernels::edge_softmax(p, e, out[0]); });
      const Matrix de = plain::each_edge(p, heads, [&](Index i, Index u, Index, Index h) {
        const auto mean = plain::row_sum(p, u, [&](Index j) { return wide(a(j, h)) * wide(da(j, h)); });
        return wide(before(i, h)) + wide(a(i, h)) * (wide(da(i, h)) - mean);
      });
      EdgeCheck{kSums, {before}}.expect(de, [&](auto& out) { kernels::edge_softmax_backward_add(p, a, da, out[0]); });
    }
  }
}

TEST_F(EdgeKernels, SharesEqualPlainTwins) {
  using plain::wide;
  for (Index heads : all_heads) {
    SCOPED_TRACE(heads);
    const Matrix e = values(0, heads, -3, 3), da = values(1, heads), before = values(2, heads);
    Matrix k = plain::each_edge(p, heads, [&](Index i, Index, Index, Index h) { return std::exp(-wide(e(i, h))); });
    EdgeCheck{kSums, {before}}.expect(k, [&](auto& out) { kernels::exp_negative(e, out[0]); });
    EdgeCheck{kSums, {before}}.expect(plain::each_edge(p, heads,
                                                       [&](Index i, Index, Index, Index h) {
                                                         return wide(before(i, h)) - wide(k(i, h)) * wide(da(i, h));
                                                       }),
                                      [&](auto& out) { kernels::exp_negative_backward_add(k, da, out[0]); });

    for (Offset i = p.offsets[0]; i < p.offsets[1]; ++i) k(static_cast<Index>(i), 0) = 0;  // at the floor
    const Matrix z = plain::each(p.rows, heads, [&](Index u, Index h) {
      return std::max(plain::row_sum(p, u, [&](Index i) { return wide(k(i, h)); }), wide(Real(1e-9)));
    });
    const Matrix a =
        plain::each_edge(p, heads, [&](Index i, Index u, Index, Index h) { return wide(k(i, h)) / wide(z(u, h)); });
    EdgeCheck{kSums, {nodes(3, heads), before}, 0}.expect(
        z, [&](auto& out) { kernels::edge_shares(p, k, out[0], out[1]); });
    EdgeCheck{kSums, {nodes(3, heads), before}, 1}.expect(
        a, [&](auto& out) { kernels::edge_shares(p, k, out[0], out[1]); });
    const Matrix dk = plain::each_edge(p, heads, [&](Index i, Index u, Index, Index h) {
      const auto mean = plain::row_sum(p, u, [&](Index j) { return wide(a(j, h)) * wide(da(j, h)); });
      return wide(before(i, h)) + (wide(da(i, h)) - (z(u, h) > Real(1e-9) ? mean : 0)) / wide(z(u, h));
    });
    EdgeCheck{kSums, {before}}.expect(dk, [&](auto& out) { kernels::edge_shares_backward_add(p, z, a, da, out[0]); });
  }
}

TEST(EdgeExponentials, EndAtZeroAndInfinity) {
  for (std::int64_t target : simd_targets()) {
    const SimdTarget scope(target);
    Matrix k(1, 20);
    kernels::exp_negative(Matrix(1, 20, Real(1e6)), k);
    for (Real v : k.values()) EXPECT_EQ(v, 0);
    kernels::exp_negative(Matrix(1, 20, Real(-1e6)), k);
    for (Real v : k.values()) EXPECT_EQ(v, std::numeric_limits<Real>::infinity());
  }
}

TEST_F(EdgeKernels, CosinesEqualPlainTwins) {
  using plain::wide;
  for (Index width : {1, 3, 8, 16, 33}) {
    SCOPED_TRACE(width);
    Matrix x = nodes(0, width);
    for (Index j = 0; j < width; ++j) x(0, j) = 0;  // a row without direction
    const Matrix dc = values(1, 1), g = nodes(2, width), before = nodes(3, width);
    const auto square = [&](Index u) {
      plain::Wide sum = 0;
      for (Index j = 0; j < width; ++j) sum += wide(x(u, j)) * wide(x(u, j));
      return sum;
    };
    const auto length = [&](Index u, Index v) { return std::sqrt(square(u) * square(v)); };
    const Matrix dots = plain::edge_dots_add(p, x, x, Matrix(dc.rows(), 1));
    const std::vector<Matrix> outputs = {nodes(4, 1), values(5, 1)};
    EdgeCheck{kSums, outputs, 0}.expect(plain::each(p.rows, 1, [&](Index u, Index) { return std::sqrt(square(u)); }),
                                        [&](auto& out) { kernels::edge_cosines(p, x, out[0], out[1]); });
    EdgeCheck{kSums, outputs, 1}.expect(
        plain::each_edge(
            p, 1, [&](Index e, Index u, Index v, Index) { return wide(dots(e, 0)) / std::max(length(u, v), 1e-9L); }),
        [&](auto& out) { kernels::edge_cosines(p, x, out[0], out[1]); });
    Matrix norm = nodes(4, 1), c = values(5, 1);
    kernels::edge_cosines(p, x, norm, c);
    EdgeCheck{kSums, {c}}.expect(plain::each_edge(p, 1,
                                                  [&](Index e, Index u, Index v, Index) {
                                                    return length(u, v) > 1e-9L ? wide(dc(e, 0)) / length(u, v) : 0;
                                                  }),
                                 [&](auto& out) { kernels::edge_cosine_weights(p, norm, dc, out[0]); });
    const Matrix turned = plain::each(p.rows, width, [&](Index u, Index j) {
      plain::Wide along = 0;
      for (Index i = 0; i < width; ++i) along += wide(x(u, i)) * wide(g(u, i));
      return wide(before(u, j)) + wide(g(u, j)) - (square(u) > 0 ? along / square(u) * wide(x(u, j)) : 0);
    });
    EdgeCheck{kSums, {before}}.expect(turned, [&](auto& out) { kernels::turning_part_add(x, norm, g, out[0]); });
  }
}

TEST_F(EdgeKernels, SignedWeightsEqualPlainTwins) {
  using plain::wide;
  Matrix c = values(0, 1), r = values(1, 1, -1, 60);
  c(3, 0) = 0;
  const Matrix dw = values(2, 1), before = values(3, 1);
  const kernels::SignedWeights s{0.5, -0.25, 0.75, 0.125, 1.5};
  const auto z = [&](Index e) { return 0.5L * wide(r(e, 0)) - 0.25L; };
  const auto factor = [&](Index e) { return c(e, 0) > 0 ? 0.75L : c(e, 0) < 0 ? 0.125L : 0; };
  const Matrix tau = plain::each_edge(p, 1, [&](Index e, Index, Index, Index) { return plain::softplus(z(e)); });
  const auto base = [&](Index e) { return wide(p.values[e]) * wide(tau(e, 0)); };
  const std::vector<Matrix> outputs = {values(4, 1), values(5, 1)};
  EdgeCheck{kSums, outputs, 0}.expect(tau,
                                      [&](auto& out) { kernels::signed_weights(p, r.values(), c, s, out[0], out[1]); });
  EdgeCheck{kSums, outputs, 1}.expect(
      plain::each_edge(
          p, 1,
          [&](Index e, Index u, Index v, Index) { return factor(e) * wide(c(e, 0)) * base(e) + (u == v ? 1.5L : 0); }),
      [&](auto& out) { kernels::signed_weights(p, r.values(), c, s, out[0], out[1]); });
  EdgeCheck{kSums, {before}}.expect(
      plain::each_edge(
          p, 1,
          [&](Index e, Index, Index, Index) { return wide(before(e, 0)) + factor(e) * base(e) * wide(dw(e, 0)); }),
      [&](auto& out) { kernels::signed_weights_backward_add(p, r.values(), c, s, tau, dw, out[0]); });

  plain::Wide sums[5] = {};
  for (Index u = 0; u < p.rows; ++u) {
    for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) {
      const auto e = static_cast<Index>(i);
      const auto dz = factor(e) * wide(c(e, 0)) * wide(p.values[e]) * wide(dw(e, 0)) / (1 + std::exp(-z(e)));
      sums[0] += dz * wide(r(e, 0));
      sums[1] += dz;
      if (c(e, 0) != 0) sums[c(e, 0) > 0 ? 2 : 3] += wide(c(e, 0)) * base(e) * wide(dw(e, 0));
      if (p.indices[i] == u) sums[4] += wide(dw(e, 0));
    }
  }
  const Matrix expected = plain::each(1, 5, [&](Index, Index j) { return sums[j]; });
  EdgeCheck{100 * kSums, {Matrix(1, 5)}}.expect(expected, [&](auto& out) {
    Matrix none;  // the gradient of the cosines is not wanted
    const kernels::SignedWeights d = kernels::signed_weights_backward_add(p, r.values(), c, s, tau, dw, none);
    out[0] = matrix_of({{d.slope, d.shift, d.positive, d.negative, d.self}});
  });
}

TEST_F(EdgeKernels, ColumnsAndScaledSumsEqualPlainTwins) {
  using plain::wide;
  const Matrix x = nodes(0, 13), y = nodes(1, 4);
  Matrix taken = y, put = x, sum = nodes(2, 13);
  const Matrix before = sum;
  kernels::take_columns(x, 5, taken);
  kernels::put_columns_add(y, 5, put);
  kernels::add_scaled(Real(0.25), x, sum);
  for (Index i = 0; i < p.rows; ++i) {
    for (Index j = 0; j < 4; ++j) EXPECT_EQ(taken(i, j), x(i, 5 + j));
    for (Index j = 0; j < 13; ++j) EXPECT_EQ(put(i, j), j >= 5 && j < 9 ? x(i, j) + y(i, j - 5) : x(i, j));
  }
  EXPECT_TRUE(matrices_near(
      sum, plain::each(p.rows, 13, [&](Index i, Index j) { return wide(before(i, j)) + 0.25L * wide(x(i, j)); }),
      4 * kEpsilon));
}

// Large enough for parallel_for to split every loop.
TEST(EdgeKernelThreads, SameBitsForAnyNumberOfThreads) {
  Csr p = random_graph({.nodes = 20001, .edges_per_node = 3, .directed = true}, Rng(31));
  std::vector<Offset> source;
  const Csr pt = transpose(p, &source);
  const Index heads = 9, edges = static_cast<Index>(p.nnz());
  const auto nodes = [&](int stream, Index cols) { return random_matrix(p.rows, cols, Rng(32).fork(stream)); };
  const auto values = [&](int stream, Index cols) { return random_matrix(edges, cols, Rng(33).fork(stream), 0.1, 1); };
  const Matrix x = nodes(0, 18), y = nodes(1, 18), a = values(0, heads), d = values(1, heads), one = values(2, 1);
  const Matrix st = nodes(2, 2 * heads);
  const auto run = [&] {
    std::vector<Matrix> out = {y, a,           a,   x,   a, d,   a,   a,   nodes(3, heads), a,
                               a, nodes(4, 1), one, one, x, one, one, one, Matrix(1, 5)};
    kernels::edge_spmm(p, a, x, out[0]);
    kernels::edge_dots(p, x, y, out[1]);
    kernels::take_edges(a, source, out[2]);
    kernels::edge_scores(p, st, Real(0.2), out[4]);
    kernels::edge_scores_backward_add(p, pt, source, out[4], Real(0.2), d, out[3]);
    kernels::edge_softmax(p, a, out[5]);
    kernels::edge_softmax_backward_add(p, a, d, out[6]);
    kernels::exp_negative(a, out[7]);
    kernels::exp_negative_backward_add(a, d, out[7]);
    kernels::edge_shares(p, a, out[8], out[9]);
    kernels::edge_shares_backward_add(p, out[8], a, d, out[10]);
    kernels::edge_cosines(p, x, out[11], out[12]);
    kernels::edge_cosine_weights(p, out[11], one, out[13]);
    kernels::turning_part_add(x, out[11], y, out[14]);
    const kernels::SignedWeights s{0.5, -0.25, 0.75, 0.125, 1.5};
    kernels::signed_weights(p, one.values(), out[12], s, out[15], out[16]);
    const auto g = kernels::signed_weights_backward_add(p, one.values(), out[12], s, out[15], one, out[17]);
    out[18] = matrix_of({{g.slope, g.shift, g.positive, g.negative, g.self}});
    return out;
  };
  if (p.values.empty()) p.values.assign(p.indices.size(), Real{1});
  const std::vector<Matrix> serial = run();
  for (int threads : {1, 2, 3, 8}) {
    Pool pool(threads);
    const PoolScope scope(&pool);
    const std::vector<Matrix> parallel = run();
    for (std::size_t i = 0; i < serial.size(); ++i)
      EXPECT_TRUE(matrices_equal(parallel[i], serial[i])) << threads << " threads, output " << i;
  }
}

}  // namespace gcnh::testing
