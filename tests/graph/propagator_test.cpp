#include "gcnh/graph/propagator.h"

#include <gtest/gtest.h>

#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

TEST(Propagator, SourceLeadsFromTheTransposeToTheEntry) {
  const Csr a = random_graph({.nodes = 30, .directed = true}, Rng(1));
  const Propagator edges(a);
  ASSERT_EQ(static_cast<Index>(edges.source().size()), edges.num_entries());
  for (Index v = 0; v < edges.cols(); ++v) {
    for (Offset e = edges.backward().offsets[v]; e < edges.backward().offsets[v + 1]; ++e) {
      const Offset from = edges.source()[e];
      const Index u = edges.backward().indices[e];
      EXPECT_EQ(a.indices[from], v);
      EXPECT_TRUE(a.offsets[u] <= from && from < a.offsets[u + 1]);
    }
  }
}

// Node 0 has row sum 5 and column sum 1, node 1 row sum 1 and column sum 3; node 2 has no entry in its row.
TEST(Propagator, SymmetricNormalizedDividesByRowsAndColumns) {
  const Csr a = symmetric_normalized(make_csr(3, 3, {{0, 1, 3}, {0, 2, 2}, {1, 0, 1}}, Repeats::add));
  EXPECT_TRUE(matrices_near(
      to_dense(a),
      matrix_of(
          {{0, static_cast<Real>(3 / std::sqrt(15)), static_cast<Real>(2 / std::sqrt(10))}, {1, 0, 0}, {0, 0, 0}}),
      1e-7));
}

TEST(Propagator, PatternWithLoopsHasEveryLoopOnceAndNoWeights) {
  const Csr a = make_csr(3, 3, {{0, 1, 5}, {1, 1, 2}}, Repeats::add);
  const Csr pattern = pattern_with_loops(a);
  EXPECT_TRUE(pattern.values.empty());
  EXPECT_EQ(pattern.indices, (std::vector<Index>{0, 1, 1, 2}));
  EXPECT_EQ(pattern.offsets, (std::vector<Offset>{0, 2, 3, 4}));
}

}  // namespace
}  // namespace gcnh::testing
