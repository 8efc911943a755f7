// Kernels of sheaf diffusion against their plain twins, on threads and on instruction sets. In the float and the double
// suite.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "gcnh/base/parallel.h"
#include "tests/kernels/sheaf_twins.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"
#include "tests/support/simd_target.h"

namespace gcnh::testing {

inline EdgeList random_edges(Index nodes, const Rng& rng) {
  return EdgeList(random_graph({.nodes = nodes, .weights = false, .loops = false}, rng));
}

// Numbers large enough for tanh and sigmoid to bend.
inline Matrix random_projections(const EdgeList& g, int d, bool weighted, const Rng& rng) {
  return random_matrix(g.num_nodes(), kernels::projection_width(d * (d - 1) / 2 + weighted), rng, -1.5, 1.5);
}

template <class F>
void for_all_stalks(const F& f) {
  for (int d = 1; d <= kernels::kMaxStalk; ++d)
    for (bool weighted : {false, true}) {
      SCOPED_TRACE(::testing::Message() << "d " << d << (weighted ? ", weighted" : ""));
      f(d, weighted);
    }
}

TEST(EdgeList, NumbersEveryEdgeOnce) {
  const EdgeList g = random_edges(30, Rng(1));
  EXPECT_EQ(Offset{2} * g.num_edges(), g.rows.nnz());
  EXPECT_GT(g.num_edges(), 20);
  for (Index u = 0; u < g.num_nodes(); ++u)
    for (Offset e = g.rows.offsets[u]; e < g.rows.offsets[u + 1]; ++e) {
      const auto [a, b] = g.ends[g.edge[e]];
      EXPECT_EQ(a, std::min(u, g.rows.indices[e]));
      EXPECT_EQ(b, std::max(u, g.rows.indices[e]));
    }
  EXPECT_EQ(EdgeList(make_csr(4, 4, {}, Repeats::add)).num_edges(), 0);
}

TEST(SheafKernels, TransportsEqualPlainTwin) {
  for_all_stalks([](int d, bool weighted) {
    for (Index nodes : {1, 2, 5, 37}) {
      const EdgeList g = random_edges(nodes, Rng(2).fork(nodes));
      const Matrix p = random_projections(g, d, weighted, Rng(3));
      Matrix weight(g.num_edges(), 1), blocks(g.num_edges(), d * d);
      kernels::orthogonal_transports(g, d, weighted, p, weight, blocks);
      const plain::Transports expected = plain::orthogonal_transports(g, d, weighted, p);
      EXPECT_TRUE(matrices_near(weight, expected.weight, 32 * kEpsilon));
      EXPECT_TRUE(matrices_near(blocks, expected.blocks, 64 * kEpsilon));
    }
  });
}

TEST(SheafKernels, TransportsBackwardEqualsPlainTwin) {
  for_all_stalks([](int d, bool weighted) {
    const EdgeList g = random_edges(37, Rng(4));
    const Index m = g.num_edges();
    const Matrix p = random_projections(g, d, weighted, Rng(5)), root = random_matrix(37, 1, Rng(6), 0.1, 1),
                 dblocks = random_matrix(m, d * d, Rng(7)), product = random_matrix(m, 1, Rng(8)),
                 dweight = random_matrix(37, 1, Rng(9));
    Matrix dends(m, d * (d - 1) + 2 * weighted, 7);
    kernels::orthogonal_transports_backward(g, d, weighted, p, root, dblocks, product, dweight, dends);
    EXPECT_TRUE(matrices_near(dends,
                              plain::orthogonal_transports_backward(g, d, weighted, p, root, dblocks, product, dweight),
                              256 * kEpsilon));
  });
}

// Saturated maps and weights stay finite.
TEST(SheafKernels, TransportsOfLargeNumbers) {
  const EdgeList g = random_edges(9, Rng(10));
  for (double size : {50.0, 1e4, 1e30}) {
    Matrix p = random_projections(g, 4, true, Rng(11)), weight(g.num_edges(), 1), blocks(g.num_edges(), 16);
    for (Real& v : p.values()) v *= static_cast<Real>(size);
    kernels::orthogonal_transports(g, 4, true, p, weight, blocks);
    const plain::Transports expected = plain::orthogonal_transports(g, 4, true, p);
    EXPECT_TRUE(matrices_near(weight, expected.weight, 32 * kEpsilon));
    EXPECT_TRUE(matrices_near(blocks, expected.blocks, 64 * kEpsilon));
  }
}

TEST(SheafKernels, SumsFromEdgesToNodes) {
  const EdgeList g = random_edges(37, Rng(12));
  const Matrix x = random_matrix(g.num_edges(), 6, Rng(13)), before = random_matrix(37, 16, Rng(14));
  Matrix sums(37, 6), expected(37, 6), dp = before, expected_dp = before;
  kernels::edge_sums(g, x, sums);
  kernels::edge_ends_add(g, x, dp);
  for (Index e = 0; e < g.num_edges(); ++e) {
    const auto [u, v] = g.ends[e];
    for (Index j = 0; j < 6; ++j) {
      expected(u, j) += x(e, j);
      expected(v, j) += x(e, j);
      expected_dp(u, j) += x(e, j);
      expected_dp(v, (j + 3) % 6) += x(e, j);
    }
  }
  EXPECT_TRUE(matrices_near(sums, expected, 64 * kEpsilon));
  EXPECT_TRUE(matrices_near(dp, expected_dp, 64 * kEpsilon));
  Matrix products(37, 1);
  kernels::row_products(before, before, products);
  for (Index u = 0; u < 37; ++u) {
    plain::Wide sum = 0;
    for (Index j = 0; j < 16; ++j) sum += plain::wide(before(u, j)) * plain::wide(before(u, j));
    EXPECT_NEAR(static_cast<double>(products(u, 0)), static_cast<double>(sum), 64 * kEpsilon);
  }
}

TEST(SheafKernels, Normalisation) {
  const EdgeList g = random_edges(37, Rng(15));
  const Matrix degree = random_matrix(37, 1, Rng(16), 0, 9), before = random_matrix(g.num_edges(), 4, Rng(17));
  Matrix root(37, 1), diagonal(37, 1), blocks = before;
  kernels::normalize_blocks(g, degree, root, diagonal, blocks);
  const auto at = [&](Index u) { return static_cast<double>(degree(u, 0)); };
  for (Index u = 0; u < 37; ++u) {
    EXPECT_NEAR(static_cast<double>(root(u, 0)), 1 / std::sqrt(at(u) + 1), 4 * kEpsilon);
    EXPECT_NEAR(static_cast<double>(diagonal(u, 0)), at(u) / (at(u) + 1), 4 * kEpsilon);
  }
  for (Index e = 0; e < g.num_edges(); ++e)
    for (Index j = 0; j < 4; ++j)
      EXPECT_NEAR(static_cast<double>(blocks(e, j)),
                  -static_cast<double>(before(e, j)) / std::sqrt((at(g.ends[e].u) + 1) * (at(g.ends[e].v) + 1)),
                  8 * kEpsilon);
}

// Every dimension, at the start and at the end of the stalk, for channels around each vector length.
template <class F>
void for_all_parts(const F& f) {
  for (int d = 1; d <= kernels::kMaxStalk; ++d)
    for (Index first : {0, 2})
      for (Index channels : {1, 3, 7, 8, 16, 20, 31, 32, 33, 40}) {
        SCOPED_TRACE(::testing::Message() << "d " << d << ", first " << first << ", channels " << channels);
        f(kernels::StalkPart{d, first, first + d + 1, channels});
      }
}

struct DiffusionTest : ::testing::Test {
  static constexpr Index kNodes = 23;
  const EdgeList g = random_edges(kNodes, Rng(18));
  const Matrix diagonal = random_matrix(kNodes, 1, Rng(19));
  Matrix states(const kernels::StalkPart& part, int stream) const {
    return random_matrix(kNodes, part.coordinates * part.channels, Rng(20).fork(stream));
  }
  Matrix blocks(const kernels::StalkPart& part) const { return random_matrix(g.num_edges(), part.d * part.d, Rng(21)); }
};

TEST_F(DiffusionTest, EqualsPlainTwin) {
  for_all_parts([&](const kernels::StalkPart& part) {
    const Matrix x = states(part, 0), before = states(part, 1), b = blocks(part);
    Matrix y = before;
    kernels::diffuse_add(g, part, diagonal, b, x, y);
    EXPECT_TRUE(matrices_near(y, plain::diffuse_add(g, part, diagonal, b, x, before), 256 * kEpsilon));
    kernels::diffuse(g, part, diagonal, b, x, y);
    Matrix empty = before;  // other coordinates are left alone
    for (Index u = 0; u < kNodes; ++u)
      for (Index c = part.first * part.channels; c < (part.first + part.d) * part.channels; ++c) empty(u, c) = 0;
    EXPECT_TRUE(matrices_near(y, plain::diffuse_add(g, part, diagonal, b, x, empty), 256 * kEpsilon));
  });
}

TEST_F(DiffusionTest, BackwardEqualsPlainTwin) {
  for_all_parts([&](const kernels::StalkPart& part) {
    const Matrix x = states(part, 0), dy = states(part, 1), b = blocks(part);
    Matrix ddiagonal = diagonal, dblocks = b, expected_diagonal = diagonal, expected = b;
    kernels::diffuse_backward_add(g, part, x, dy, ddiagonal, dblocks);
    for (Index u = 0; u < kNodes; ++u)
      for (Index i = 0; i < part.d; ++i)
        expected_diagonal(u, 0) += plain::narrow(plain::stalk_product(part, x, u, i, dy, u, i));
    for (Index e = 0; e < g.num_edges(); ++e) {
      const auto [u, v] = g.ends[e];
      for (Index i = 0; i < part.d; ++i)
        for (Index j = 0; j < part.d; ++j)
          expected(e, i * part.d + j) += plain::narrow(plain::stalk_product(part, dy, u, i, x, v, j) +
                                                       plain::stalk_product(part, x, u, i, dy, v, j));
    }
    EXPECT_TRUE(matrices_near(ddiagonal, expected_diagonal, 512 * kEpsilon));
    EXPECT_TRUE(matrices_near(dblocks, expected, 512 * kEpsilon));
    Matrix none;
    kernels::diffuse_backward_add(g, part, x, dy, none, none);
  });
}

TEST_F(DiffusionTest, LeftProductEqualsPlainTwin) {
  for_all_parts([&](const kernels::StalkPart& part) {
    const Index f = part.coordinates;
    const kernels::StalkPart whole{static_cast<int>(f), 0, f, part.channels};
    const Matrix left = random_matrix(f, f, Rng(22)), x = states(part, 0), before = states(part, 1);
    Matrix product(kNodes, f * part.channels), y = before, dleft = left, expected = left;
    for (Index u = 0; u < kNodes; ++u)
      for (Index i = 0; i < f; ++i)
        for (Index c = 0; c < part.channels; ++c) {
          plain::Wide sum = 0;
          for (Index j = 0; j < f; ++j) sum += plain::wide(left(i, j)) * plain::wide(plain::stalk(whole, x, u, j, c));
          product(u, i * part.channels + c) = plain::narrow(sum);
        }
    kernels::left_product(left, part.channels, x, y);
    EXPECT_TRUE(matrices_near(y, product, 64 * kEpsilon));
    y = before;
    kernels::left_product_add(left, part.channels, x, y);
    for (std::size_t i = 0; i < product.size(); ++i) product.values()[i] += before.values()[i];
    EXPECT_TRUE(matrices_near(y, product, 64 * kEpsilon));
    kernels::left_product_backward_add(part.channels, x, before, dleft);
    for (Index u = 0; u < kNodes; ++u)
      for (Index i = 0; i < f; ++i)
        for (Index j = 0; j < f; ++j)
          expected(i, j) += plain::narrow(plain::stalk_product(whole, before, u, i, x, u, j));
    EXPECT_TRUE(matrices_near(dleft, expected, 2048 * kEpsilon));
  });
}

TEST(SheafKernels, ScaledDifference) {
  const Matrix b = random_matrix(1, 19, Rng(23)), x = random_matrix(40, 19, Rng(24)),
               z = random_matrix(40, 19, Rng(25)), dy = random_matrix(40, 19, Rng(26));
  Matrix y(40, 19), dx = x, dz = z, db = b;
  kernels::scaled_difference(b, x, z, y);
  kernels::scaled_difference_backward_add(b, x, dy, dx, dz, db);
  Matrix expected_db = b;
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 19; ++j) {
      EXPECT_NEAR(static_cast<double>(y(i, j)), static_cast<double>(b(0, j) * x(i, j) - z(i, j)), 4 * kEpsilon);
      EXPECT_NEAR(static_cast<double>(dx(i, j)), static_cast<double>(x(i, j) + b(0, j) * dy(i, j)), 4 * kEpsilon);
      EXPECT_NEAR(static_cast<double>(dz(i, j)), static_cast<double>(z(i, j) - dy(i, j)), 4 * kEpsilon);
      expected_db(0, j) += dy(i, j) * x(i, j);
    }
  EXPECT_TRUE(matrices_near(db, expected_db, 128 * kEpsilon));
}

// All kernels in turn on one graph; returns what they wrote.
inline std::vector<Matrix> run_sheaf_kernels(const EdgeList& g, int d, Index channels) {
  const Index n = g.num_nodes(), m = g.num_edges(), f = d + 1;
  const Matrix p = random_projections(g, d, true, Rng(27)), x = random_matrix(n, f * channels, Rng(28)),
               dy = random_matrix(n, f * channels, Rng(29)), left = random_matrix(f, f, Rng(30)),
               b = random_matrix(1, f * channels, Rng(31));
  Matrix weight(m, 1), blocks(m, d * d), degree(n, 1), root(n, 1), diagonal(n, 1), y(n, f * channels), ddiagonal(n, 1),
      dblocks(m, d * d), product(m, 1), dends(m, d * (d - 1) + 2), dp(n, p.cols()), moved(n, f * channels), dleft(f, f),
      scaled(n, f * channels), dx(n, f * channels), dz(n, f * channels), db(1, f * channels);
  kernels::orthogonal_transports(g, d, true, p, weight, blocks);
  kernels::edge_sums(g, weight, degree);
  kernels::normalize_blocks(g, degree, root, diagonal, blocks);
  kernels::left_product(left, channels, x, moved);
  const kernels::StalkPart part{d, 1, f, channels};
  kernels::diffuse(g, part, diagonal, blocks, moved, y);
  kernels::scaled_difference(b, x, y, scaled);
  kernels::scaled_difference_backward_add(b, x, dy, dx, dz, db);
  kernels::diffuse_backward_add(g, part, moved, dy, ddiagonal, dblocks);
  kernels::row_products(blocks, dblocks, product);
  kernels::orthogonal_transports_backward(g, d, true, p, root, dblocks, product, ddiagonal, dends);
  kernels::edge_ends_add(g, dends, dp);
  kernels::left_product_backward_add(channels, x, dy, dleft);
  return {weight, blocks, degree,    root,    diagonal, moved, y,  scaled, dx,
          dz,     db,     ddiagonal, dblocks, product,  dends, dp, dleft};
}

inline void expect_equal(const std::vector<Matrix>& found, const std::vector<Matrix>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(matrices_equal(found[i], expected[i])) << "output " << i;
}

TEST(SheafKernels, SameBitsForAnyNumberOfThreads) {
  const EdgeList g(random_graph({.nodes = 20001, .edges_per_node = 3, .weights = false, .loops = false}, Rng(32)));
  for (int d : {1, 3}) {
    const std::vector<Matrix> serial = run_sheaf_kernels(g, d, 11);
    for (int threads : {1, 2, 3, 8}) {
      SCOPED_TRACE(::testing::Message() << threads << " threads, d " << d);
      Pool pool(threads);
      const PoolScope scope(&pool);
      expect_equal(run_sheaf_kernels(g, d, 11), serial);
    }
  }
}

TEST(SheafKernels, SameBitsForInstructionSetsWithFusedProducts) {
  const EdgeList g = random_edges(60, Rng(33));
  for (int d = 1; d <= kernels::kMaxStalk; ++d) {
    for (Index channels : {3, 16, 20, 32}) {
      const std::vector<Matrix> best = run_sheaf_kernels(g, d, channels);
      for (std::int64_t target : simd_targets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        const SimdTarget scope(target);
        const std::vector<Matrix> found = run_sheaf_kernels(g, d, channels);
        for (std::size_t i = 0; i < best.size(); ++i)
          EXPECT_TRUE(matrices_near(found[i], best[i], target > HWY_AVX2 ? 4096 * kEpsilon : 0)) << "output " << i;
      }
    }
  }
}

}  // namespace gcnh::testing
