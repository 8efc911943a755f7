// The gradient of every op of sheaf diffusion against central differences, and what holds for the Laplacian whatever
// the graph.
#include <gtest/gtest.h>

#include "gcnh/base/error.h"
#include "gcnh/ops/ops.h"
#include "gcnh/ops/sheaf.h"
#include "tests/kernels/sheaf_twins.h"
#include "tests/support/gradcheck.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

struct SheafOps : ::testing::Test {
  static constexpr Index kNodes = 9, kChannels = 3;

  // With a hub and isolated nodes.
  const Edges g = std::make_shared<EdgeList>(random_graph({.nodes = kNodes, .weights = false, .loops = false}, Rng(1)));

  Param projections(int d, bool weighted) const {
    const Index width = kernels::projection_width(d * (d - 1) / 2 + weighted);
    return make_param("p", random_matrix(kNodes, width, Rng(2).fork(d)));
  }
};

TEST_F(SheafOps, FixtureHasAHubAndAnIsolatedNode) {
  std::size_t most = 0, least = kNodes;
  for (Index u = 0; u < kNodes; ++u) {
    most = std::max(most, g->rows.row(u).size());
    least = std::min(least, g->rows.row(u).size());
  }
  EXPECT_GE(most, 4u);
  EXPECT_EQ(least, 0u);
}

TEST_F(SheafOps, EndWeights) {
  Param full = make_param("full", random_matrix(12, 3, Rng(3))),
        shared = make_param("shared", random_matrix(4, 3, Rng(4))),
        single = make_param("single", random_matrix(12, 1, Rng(5)));
  check_op({&full, &single}, [&](Tape& t) { return end_weights(t, {&full, &single}, 6); });
  check_op({&shared, &single}, [&](Tape& t) { return end_weights(t, {&shared, &single}, 6); });
  check_op({&single}, [&](Tape& t) { return end_weights(t, {&single}, 6); });
}

TEST_F(SheafOps, EndWeightsSplitTheEnds) {
  Node full{random_matrix(12, 2, Rng(6)), {}}, shared{random_matrix(4, 2, Rng(7)), {}};
  Tape t;
  t.start_evaluation();
  const Matrix w = end_weights(t, {&full, &shared}, 6)->value;
  ASSERT_EQ(w.cols(), 16);
  for (Index a = 0; a < 6; ++a)
    for (Index j = 0; j < 16; ++j) {
      const Index row = j < 4 ? a : 6 + a, column = j % 4;
      const Real expected = j >= 8 ? Real{0} : column < 2 ? full.value(row, column) : shared.value(row % 4, column - 2);
      EXPECT_EQ(w(a, j), expected);
    }
  EXPECT_EQ(end_weights(t, {}, 6)->cols(), 0);
}

TEST_F(SheafOps, OrthogonalLaplacian) {
  for (int d = 1; d <= kernels::kMaxStalk; ++d) {
    for (bool weighted : {true, false}) {
      if (d == 1 && !weighted) continue;  // a constant
      Param p = projections(d, weighted);
      check_op({&p}, [&](Tape& t) { return orthogonal_laplacian(t, g, &p, d, weighted).blocks; });
      check_op({&p}, [&](Tape& t) { return orthogonal_laplacian(t, g, &p, d, weighted).diagonal; });
    }
  }
}

TEST_F(SheafOps, DiagonalLaplacians) {
  for (int d = 1; d <= 4; ++d) {
    Param p = make_param("p", random_matrix(kNodes, kernels::projection_width(d), Rng(25).fork(d)));
    for (int k = 0; k < d; ++k) {
      check_op({&p}, [&](Tape& t) { return diagonal_laplacians(t, g, &p, d)[k].blocks; });
      check_op({&p}, [&](Tape& t) { return diagonal_laplacians(t, g, &p, d)[k].diagonal; });
    }
  }
}

// From the equations, node by node.
TEST_F(SheafOps, DiagonalLaplaciansEqualTheirTwin) {
  constexpr int kStalk = 3;
  Param p = make_param("p", random_matrix(kNodes, kernels::projection_width(kStalk), Rng(26)));
  Tape t;
  t.start_evaluation();
  const std::vector<SheafLaplacian> parts = diagonal_laplacians(t, g, &p, kStalk);
  ASSERT_EQ(parts.size(), std::size_t{kStalk});
  for (int k = 0; k < kStalk; ++k) {
    const auto map = [&](Index u, Index v) { return std::tanh(p.value(u, k) + p.value(v, kStalk + k)); };
    std::vector<double> degree(kNodes);
    for (Index u = 0; u < kNodes; ++u) {
      for (Index v : g->rows.row(u)) degree[u] += map(u, v) * map(u, v);
      EXPECT_NEAR(parts[k].diagonal->value(u, 0), degree[u] / (degree[u] + 1), 1e-14);
    }
    for (Index e = 0; e < g->num_edges(); ++e) {
      const auto [u, v] = g->ends[e];
      EXPECT_NEAR(parts[k].blocks->value(e, 0), -map(u, v) * map(v, u) / std::sqrt((degree[u] + 1) * (degree[v] + 1)),
                  1e-14);
    }
  }
}

TEST_F(SheafOps, LeftProduct) {
  Param left = make_param("left", random_matrix(4, 4, Rng(8))),
        x = make_param("x", random_matrix(kNodes, 4 * kChannels, Rng(9)));
  check_op({&left, &x}, [&](Tape& t) { return left_product(t, &left, &x); });
}

TEST_F(SheafOps, Diffuse) {
  for (int d = 1; d <= kernels::kMaxStalk; ++d) {
    Param x = make_param("x", random_matrix(kNodes * (d + 1), kChannels, Rng(10))),
          diagonal = make_param("diagonal", random_matrix(kNodes, 1, Rng(11))),
          blocks = make_param("blocks", random_matrix(g->num_edges(), d * d, Rng(12))),
          other = make_param("other", random_matrix(g->num_edges(), 1, Rng(13)));
    check_op({&x, &diagonal, &blocks, &other}, [&](Tape& t) {
      return diffuse(t, g, {{d, &diagonal, &blocks}, {1, &diagonal, &other}}, &x);
    });
  }
}

TEST_F(SheafOps, StalkResidual) {
  Param eps = make_param("eps", random_matrix(1, 4, Rng(14))),
        x = make_param("x", random_matrix(kNodes, 4 * kChannels, Rng(15))),
        z = make_param("z", random_matrix(kNodes, 4 * kChannels, Rng(16)));
  check_op({&eps, &x, &z}, [&](Tape& t) { return stalk_residual(t, &eps, &x, &z); });
}

// Through all of them, with values used twice.
TEST_F(SheafOps, OneDiffusionStep) {
  for (int d : {2, 3}) {
    Param x = make_param("x", random_matrix(kNodes, d * kChannels, Rng(17))),
          maps = make_param("maps", random_matrix(2 * d * kChannels, d * (d - 1) / 2, Rng(18))),
          weights = make_param("weights", random_matrix(2 * d * kChannels, 1, Rng(19))),
          left = make_param("left", random_matrix(d, d, Rng(20))),
          eps = make_param("eps", random_matrix(1, d, Rng(21)));
    check_op({&x, &maps, &weights, &left, &eps}, [&](Tape& t) {
      Var p = matmul(t, &x, end_weights(t, {&maps, &weights}, x.cols()));
      const SheafLaplacian l = orthogonal_laplacian(t, g, p, d, true);
      return stalk_residual(t, &eps, &x, diffuse(t, g, {l}, left_product(t, &left, &x)));
    });
  }
}

TEST_F(SheafOps, OneDiffusionStepOfDiagonalMaps) {
  constexpr int kStalk = 2;
  Param x = make_param("x", random_matrix(kNodes, kStalk * kChannels, Rng(27))),
        maps = make_param("maps", random_matrix(2 * kStalk * kChannels, kStalk, Rng(28)));
  check_op({&x, &maps}, [&](Tape& t) {
    const Edges own = std::make_shared<EdgeList>(*g);  // nobody but the ops has it on the way back
    Var p = matmul(t, &x, end_weights(t, {&maps}, x.cols()));
    return diffuse(t, own, diagonal_laplacians(t, own, p, kStalk), reshape(t, &x, kNodes * kStalk, kChannels));
  });
}

TEST_F(SheafOps, WrongShapesAreRefused) {
  Tape t;
  t.start_training(Rng(0));
  Param x = make_param("x", Matrix(kNodes, 7)), p = projections(3, true), square = make_param("square", Matrix(3, 3)),
        eps = make_param("eps", Matrix(1, 3));
  const SheafLaplacian l = orthogonal_laplacian(t, g, &p, 3, true);
  EXPECT_THROW(orthogonal_laplacian(t, g, &p, 0, true), Error);
  EXPECT_THROW(orthogonal_laplacian(t, g, &p, kernels::kMaxStalk + 1, true), Error);
  EXPECT_THROW(orthogonal_laplacian(t, g, &eps, 3, true), Error);
  EXPECT_THROW(diagonal_laplacians(t, g, &eps, 1), Error);
  EXPECT_THROW(diagonal_laplacians(t, g, &x, 4), Error);
  EXPECT_THROW(left_product(t, &square, &x), Error);
  EXPECT_THROW(diffuse(t, g, {l}, &x), Error);
  EXPECT_THROW(stalk_residual(t, &eps, &x, &x), Error);
}

// Blocks are -w^2 s_u s_v times an orthogonal matrix.
TEST_F(SheafOps, TransportsAreOrthogonal) {
  Tape t;
  for (int d = 1; d <= kernels::kMaxStalk; ++d) {
    for (bool weighted : {true, false}) {
      Param p = projections(d, weighted);
      t.start_evaluation();
      const SheafLaplacian l = orthogonal_laplacian(t, g, &p, d, weighted);
      for (Index e = 0; e < g->num_edges(); ++e) {
        plain::Small block = plain::block_of(l.blocks->value, e, d);
        plain::Wide square = 0;
        for (int j = 0; j < d; ++j) square += block(0, j) * block(0, j);
        const plain::Small product = block * plain::transposed(block);
        for (int i = 0; i < d; ++i)
          for (int j = 0; j < d; ++j)
            EXPECT_NEAR(static_cast<double>(product(i, j) / square), i == j ? 1.0 : 0.0, 1e-12);
      }
    }
  }
}

// L = L', and x' L x >= 0: also for the vectors that the power method on c I - L finds, the least of them.
TEST(SheafLaplacian, IsSymmetricAndPositiveSemidefinite) {
  const Edges g = std::make_shared<EdgeList>(
      random_graph({.nodes = 40, .edges_per_node = 4, .weights = false, .loops = false}, Rng(22)));
  Tape t;
  for (int d = 1; d <= kernels::kMaxStalk; ++d) {
    for (bool weighted : {true, false}) {
      Param p = make_param("p", random_matrix(40, kernels::projection_width(d * (d - 1) / 2 + weighted), Rng(23)));
      t.start_evaluation();
      const SheafLaplacian l = orthogonal_laplacian(t, g, &p, d, weighted);
      const Matrix dense = plain::dense_laplacian(*g, d, l.diagonal->value, l.blocks->value);
      Param x = make_param("x", random_matrix(40 * d, 1, Rng(24)));
      for (int step = 0; step < 300; ++step) {
        const Matrix lx = diffuse(t, g, {l}, &x)->value;
        double product = 0, square = 0;
        for (Index i = 0; i < 40 * d; ++i) {
          double sum = 0;
          for (Index j = 0; j < 40 * d; ++j) sum += dense(i, j) * x.value(j, 0);
          EXPECT_NEAR(lx.values()[i], sum, 1e-12);
          product += x.value(i, 0) * lx.values()[i];
          square += x.value(i, 0) * x.value(i, 0);
        }
        EXPECT_GE(product, -1e-13 * square);
        EXPECT_LT(product, 2 * square);
        for (Index i = 0; i < 40 * d; ++i) x.value(i, 0) = (2 * x.value(i, 0) - lx.values()[i]) / std::sqrt(square);
      }
    }
  }
}

}  // namespace
}  // namespace gcnh::testing
