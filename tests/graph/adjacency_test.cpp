#include "gcnh/graph/adjacency.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/graph/graph_tools.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

Matrix plain_counts(Index n, const std::vector<Edge>& edges) {
  Matrix a(n, n);
  for (const Edge& e : edges) a(e.source, e.target) += 1;
  return a;
}

Matrix plain_symmetric_max(const Matrix& a) {
  Matrix out(a.rows(), a.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) out(i, j) = std::max(a(i, j), a(j, i));
  }
  return out;
}

bool rows_ascend(const Csr& a) {
  for (Index u = 0; u < a.rows; ++u) {
    for (std::size_t i = 1; i < a.row(u).size(); ++i) {
      if (a.row(u)[i - 1] >= a.row(u)[i]) return false;
    }
  }
  return a.offsets.size() == static_cast<std::size_t>(a.rows) + 1 && a.offsets.back() == a.nnz();
}

TEST(GraphAdjacency, AgreesWithThePlainTwin) {
  for (int trial = 0; trial < 40; ++trial) {
    const Rng rng(trial);
    const auto n = static_cast<Index>(1 + rng.below(30, 0));
    const std::vector<Edge> edges = random_tables(n, static_cast<int>(rng.below(120, 1)), 2, rng.fork(1)).edges;
    const Matrix counts = plain_counts(n, edges);
    const Csr a = adjacency_matrix(n, edges);
    const Csr both = symmetric_max(a);
    EXPECT_TRUE(rows_ascend(a));
    EXPECT_TRUE(rows_ascend(both));
    EXPECT_TRUE(matrices_equal(to_dense(a), counts));
    EXPECT_TRUE(matrices_equal(to_dense(both), plain_symmetric_max(counts)));
    EXPECT_TRUE(is_symmetric(both));
    EXPECT_TRUE(a.values.empty() || *std::max_element(a.values.begin(), a.values.end()) > 1);
  }
}

TEST(GraphAdjacency, WeightsOfRepeatsAreAddedUp) {
  for (int trial = 0; trial < 40; ++trial) {
    const Rng rng(100 + trial);
    const auto n = static_cast<Index>(1 + rng.below(30, 0));
    const std::vector<Edge> edges = random_tables(n, static_cast<int>(rng.below(120, 1)), 2, rng.fork(1)).edges;
    std::vector<Real> weights;
    Matrix sums(n, n);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      weights.push_back(static_cast<Real>(1 + rng.fork(2).below(8, i)) / 4);
      sums(edges[i].source, edges[i].target) += weights.back();
    }
    const Csr a = adjacency_matrix(n, edges, weights);
    EXPECT_TRUE(rows_ascend(a));
    EXPECT_TRUE(matrices_equal(to_dense(a), sums));
    EXPECT_TRUE(matrices_equal(to_dense(symmetric_max(a)), plain_symmetric_max(sums)));
  }
}

TEST(GraphAdjacency, WithoutRepeatsThereAreNoValues) {
  const std::vector<Edge> edges = {{2, 0}, {0, 1}, {2, 2}, {1, 0}};
  const Csr a = adjacency_matrix(3, edges);
  EXPECT_TRUE(a.values.empty());
  EXPECT_TRUE(symmetric_max(a).values.empty());
  EXPECT_EQ(row_of(a, 2), (std::vector<Index>{0, 2}));
}

TEST(GraphAdjacency, NoEdges) {
  const Csr a = adjacency_matrix(3, {});
  EXPECT_EQ(a.nnz(), 0);
  EXPECT_EQ(symmetric_max(a).offsets, (std::vector<Offset>{0, 0, 0, 0}));
  EXPECT_EQ(simple_graph(a).rows, 3);
}

TEST(GraphAdjacency, DropLoopsKeepsTheOtherWeights) {
  const std::vector<Edge> edges = {{0, 0}, {0, 1}, {0, 1}, {1, 1}, {1, 1}, {2, 0}};
  Csr a = adjacency_matrix(3, edges);
  drop_loops(a);
  EXPECT_TRUE(matrices_equal(to_dense(a), matrix_of({{0, 2, 0}, {0, 0, 0}, {1, 0, 0}})));
}

TEST(GraphAdjacency, TakeNodesRenumbersRowsAndColumns) {
  const std::vector<Edge> edges = {{0, 1}, {0, 3}, {0, 3}, {1, 0}, {3, 2}, {3, 3}};
  const std::vector<Index> new_number = {0, -1, 1, 2};
  const Csr a = take_nodes(adjacency_matrix(4, edges), new_number);
  EXPECT_TRUE(matrices_equal(to_dense(a), matrix_of({{0, 0, 2}, {0, 0, 0}, {0, 1, 1}})));
}

TEST(GraphAdjacency, SimpleGraphForgetsDirectionRepeatsAndLoops) {
  const std::vector<Edge> edges = {{0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 2}};
  const Csr a = simple_graph(adjacency_matrix(3, edges));
  EXPECT_TRUE(a.values.empty());
  EXPECT_TRUE(matrices_equal(to_dense(a), matrix_of({{0, 1, 0}, {1, 0, 1}, {0, 1, 0}})));
}

}  // namespace
}  // namespace gcnh::testing
