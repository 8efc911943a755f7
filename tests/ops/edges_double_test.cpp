// The gradient of every op on edge values against central differences, on undirected and directed graphs with loops,
// a hub and isolated nodes. Inputs keep away from kinks.
#include <gtest/gtest.h>

#include "gcnh/base/error.h"
#include "gcnh/ops/ops.h"
#include "tests/support/gradcheck.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

struct EdgeOps : ::testing::TestWithParam<bool> {  // directed or not
  static constexpr Index kNodes = 9, kHeads = 2, kWidth = 6;

  static Csr graph(bool directed) {
    Csr a = random_graph({.nodes = kNodes, .directed = directed, .weights = false}, Rng(9));
    a.values.resize(a.indices.size());
    for (std::size_t e = 0; e < a.values.size(); ++e) a.values[e] = 0.2 + Rng(10).uniform(e);
    return a;
  }

  const Propagator edges{graph(GetParam())};
  const Index count = edges.num_entries();
  const std::vector<Real> ratios = [this] {
    std::vector<Real> out(count);
    for (Index e = 0; e < count; ++e) out[e] = 3 * Rng(11).uniform(e) - 1;
    return out;
  }();
  Param x = make_param("x", random_matrix(kNodes, kWidth, Rng(1)));
  Param values = make_param("values", random_matrix(count, kHeads, Rng(2)));
  Param one = make_param("one", random_matrix(count, 1, Rng(3)));
  Param positive = make_param("positive", random_matrix(count, kHeads, Rng(4), 0.1, 2));
  Param cosines = make_param("cosines", random_matrix_off_zero(count, 1, Rng(5)));
  Param st = make_param("st", random_matrix(kNodes, 2 * kHeads, Rng(6)));
  Param a = make_param("a", matrix_of({{0.7, -0.3}}));
  Param kappa = make_param("kappa", matrix_of({{0.5, -0.4, 0.1}}));
  Param s = make_param("s", matrix_of({{0.8}}));
  Param attention = make_param("attention", random_matrix(2, kWidth, Rng(7)));
};

TEST_P(EdgeOps, FixturesAreWhatTheyClaim) {
  EXPECT_EQ(is_symmetric(edges.forward()), false);  // the values differ
  Csr pattern = edges.forward();
  pattern.values.clear();
  EXPECT_EQ(is_symmetric(pattern), !GetParam());
  int loops = 0, empty = 0;
  for (Index u = 0; u < kNodes; ++u) {
    empty += pattern.row(u).empty();
    for (Index v : pattern.row(u)) loops += u == v;
  }
  EXPECT_GT(loops, 0);
  EXPECT_GT(empty, 0);
}

// clang-format off
TEST_P(EdgeOps, Spmm) { check_op({&values, &x}, [&](Tape& t) { return edge_spmm(t, edges, &values, &x); }); }
TEST_P(EdgeOps, SpmmOneHead) { check_op({&one, &x}, [&](Tape& t) { return edge_spmm(t, edges, &one, &x); }); }
TEST_P(EdgeOps, Scores) { check_op({&st}, [&](Tape& t) { return edge_scores(t, edges, &st, 0.2); }); }
TEST_P(EdgeOps, Softmax) { check_op({&values}, [&](Tape& t) { return edge_softmax(t, edges, &values); }); }
TEST_P(EdgeOps, Shares) { check_op({&positive}, [&](Tape& t) { return edge_shares(t, edges, &positive); }); }
TEST_P(EdgeOps, SharesDropped) { check_op({&positive}, [&](Tape& t) { return edge_shares(t, edges, dropout(t, &positive, 0.5)); }); }
TEST_P(EdgeOps, ExpNegative) { check_op({&values}, [&](Tape& t) { return exp_negative(t, &values); }); }
TEST_P(EdgeOps, Cosines) { check_op({&x}, [&](Tape& t) { return edge_cosines(t, edges, &x); }); }
TEST_P(EdgeOps, SignedWeights) { check_op({&cosines, &a, &kappa, &s}, [&](Tape& t) { return signed_weights(t, edges, ratios, &cosines, &a, &kappa, &s); }); }
TEST_P(EdgeOps, BlockDiagonal) { check_op({&attention}, [&](Tape& t) { return block_diagonal(t, &attention, kHeads); }); }
TEST_P(EdgeOps, Columns) { check_op({&x}, [&](Tape& t) { return columns(t, &x, 2, 3); }); }
TEST_P(EdgeOps, AddScaled) { check_op({&values, &positive}, [&](Tape& t) { return add_scaled(t, &values, 0.3, &positive); }); }
// clang-format on

// A whole layer, in which edge values and node values depend on the same matrix.
TEST_P(EdgeOps, LayerOfSignedWeights) {
  check_op({&x, &a, &kappa, &s}, [&](Tape& t) {
    return edge_spmm(t, edges, signed_weights(t, edges, ratios, edge_cosines(t, edges, &x), &a, &kappa, &s), &x);
  });
}

INSTANTIATE_TEST_SUITE_P(Directed, EdgeOps, ::testing::Bool());

// Rows of zeros have no direction: cosine 0, no gradient, and nothing that is not a number.
TEST(EdgeCosines, ZeroRowsGiveZero) {
  const Propagator edges(make_csr(2, 2, {{0, 1, 1}, {1, 0, 1}, {1, 1, 1}}, Repeats::add));
  Param x = make_param("x", matrix_of({{0, 0}, {3, 4}}));
  Tape t;
  t.start_training(Rng(0));
  const Var c = edge_cosines(t, edges, &x);
  t.backward(weighted_sum(t, c));
  EXPECT_TRUE(matrices_near(c->value, matrix_of({{0}, {0}, {1}}), 1e-15));
  EXPECT_TRUE(matrices_near(x.grad, Matrix(2, 2), 1e-15));
}

// All weights of a row may be dropped: its shares are 0.
TEST(EdgeShares, RowOfZerosGivesZero) {
  const Propagator edges(make_csr(2, 2, {{0, 0, 1}, {0, 1, 1}, {1, 1, 1}}, Repeats::add));
  Param k = make_param("k", matrix_of({{0}, {0}, {2}}));
  Tape t;
  t.start_evaluation();
  EXPECT_TRUE(matrices_equal(edge_shares(t, edges, &k)->value, matrix_of({{0}, {0}, {1}})));
}

TEST(EdgeOpsRefuse, WrongShapes) {
  const Propagator edges(make_csr(2, 2, {{0, 1, 1}, {1, 0, 2}}, Repeats::add));
  Param three = make_param("three", Matrix(3, 1)), two = make_param("two", Matrix(2, 3)),
        one = make_param("one", Matrix(2, 2));
  Tape t;
  t.start_evaluation();
  EXPECT_THROW(edge_spmm(t, edges, &three, &two), Error);
  EXPECT_THROW(edge_spmm(t, edges, &one, &two), Error);  // 3 columns for 2 heads
  EXPECT_THROW(edge_scores(t, edges, &two, 0.2), Error);
  EXPECT_THROW(edge_softmax(t, edges, &three), Error);
  EXPECT_THROW(edge_cosines(t, edges, &three), Error);
  EXPECT_THROW(block_diagonal(t, &two, 2), Error);
  EXPECT_THROW(columns(t, &two, 2, 2), Error);
  EXPECT_THROW(add_scaled(t, &two, 1, &one), Error);
}

}  // namespace
}  // namespace gcnh::testing
