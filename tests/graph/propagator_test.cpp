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

TEST(Propagator, PatternWithLoopsHasEveryLoopOnceAndNoWeights) {
  const Csr a = make_csr(3, 3, {{0, 1, 5}, {1, 1, 2}}, Repeats::add);
  const Csr pattern = pattern_with_loops(a);
  EXPECT_TRUE(pattern.values.empty());
  EXPECT_EQ(pattern.indices, (std::vector<Index>{0, 1, 1, 2}));
  EXPECT_EQ(pattern.offsets, (std::vector<Offset>{0, 2, 3, 4}));
}

}  // namespace
}  // namespace gcnh::testing
