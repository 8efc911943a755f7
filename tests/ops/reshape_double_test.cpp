// The gradient of reshape against central differences, and Geom-GCN's operators, which take a node's parts as rows,
// against their equation.
#include <gtest/gtest.h>

#include "gcnh/graph/relations.h"
#include "gcnh/ops/ops.h"
#include "tests/support/fixtures.h"
#include "tests/support/gradcheck.h"

namespace gcnh::testing {
namespace {

struct ReshapeOps : ::testing::Test {
  static constexpr Index kNodes = 9, kWidth = 4;

  // A hub, isolated nodes, one-way pairs; with the nodes themselves two, three or nine parts.
  static std::vector<Csr> relations(bool directed, int count) {
    return random_relations(random_graph({.nodes = kNodes, .directed = directed}, Rng(9)), count);
  }
  Param x = make_param("x", random_matrix(6, 8, Rng(1)));
};

// clang-format off
TEST_F(ReshapeOps, ReshapeTaller) { check_op({&x}, [&](Tape& t) { return reshape(t, &x, 12, 4); }); }
TEST_F(ReshapeOps, ReshapeWider) { check_op({&x}, [&](Tape& t) { return reshape(t, &x, 2, 24); }); }
// clang-format on

TEST_F(ReshapeOps, ReshapeKeepsTheOrderAndChecksTheSize) {
  Tape t;
  t.start_evaluation();
  const Var y = reshape(t, &x, 12, 4);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 8; ++j) EXPECT_EQ(y->value(2 * i + j / 4, j % 4), x.value(i, j));
  EXPECT_THROW(reshape(t, &x, 5, 9), Error);
}

// Block i of row v of the result = sum over u in relation i of v of block i of row u / sqrt(deg u deg v).
TEST_F(ReshapeOps, BlocksEqualTheEquation) {
  for (bool directed : {false, true}) {
    for (int count : {1, 2, 8}) {
      std::vector<Csr> all = relations(directed, count);
      const Index k = count + 1;
      const Param z = make_param("z", random_matrix(kNodes, k * kWidth, Rng(3)));
      const Propagator blocks(relation_blocks(all)), mean(mean_of_blocks(blocks.forward(), kNodes));
      Tape t;
      t.start_evaluation();
      Node input = z;
      const Var parts = reshape(t, &input, kNodes * k, kWidth);
      const Var side_by_side = reshape(t, spmm(t, blocks, parts), kNodes, k * kWidth), average = spmm(t, mean, parts);

      std::vector<Triple> itself;
      for (Index v = 0; v < kNodes; ++v) itself.push_back({v, v, 1});
      all.push_back(make_csr(kNodes, kNodes, itself, Repeats::add));
      std::vector<double> degree(kNodes, 0);
      for (const Csr& relation : all)
        for (Index v = 0; v < kNodes; ++v) degree[v] += static_cast<double>(relation.row(v).size());
      Matrix expected(kNodes, k * kWidth), expected_mean(kNodes, kWidth);
      for (Index i = 0; i < k; ++i)
        for (Index v = 0; v < kNodes; ++v)
          for (Index u : all[i].row(v))
            for (Index j = 0; j < kWidth; ++j) {
              const double term = z.value(u, i * kWidth + j) / std::sqrt(degree[u] * degree[v]);
              expected(v, i * kWidth + j) += term;
              expected_mean(v, j) += term / k;
            }
      EXPECT_TRUE(matrices_near(side_by_side->value, expected, 1e-14));
      EXPECT_TRUE(matrices_near(average->value, expected_mean, 1e-14));
    }
  }
}

TEST_F(ReshapeOps, GradientsThroughTheBlocks) {
  for (bool directed : {false, true}) {
    const Propagator blocks(relation_blocks(relations(directed, 2))), mean(mean_of_blocks(blocks.forward(), kNodes));
    Param z = make_param("z", random_matrix(kNodes, 3 * kWidth, Rng(3)));
    const auto parts = [&](Tape& t) { return reshape(t, &z, 3 * kNodes, kWidth); };
    check_op({&z}, [&](Tape& t) { return reshape(t, spmm(t, blocks, parts(t)), kNodes, 3 * kWidth); });
    check_op({&z}, [&](Tape& t) { return spmm(t, mean, parts(t)); });
  }
}

TEST_F(ReshapeOps, NoRelationsAreAnError) { EXPECT_THROW(relation_blocks({}), Error); }

}  // namespace
}  // namespace gcnh::testing
