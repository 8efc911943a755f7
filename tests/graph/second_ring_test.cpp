#include "gcnh/graph/second_ring.h"

#include <gtest/gtest.h>

#include "gcnh/graph/adjacency.h"
#include "gcnh/io/catalog.h"
#include "tests/io/io_tools.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

// 1 where a path of two steps leads from u to v, v is not u and no edge leads there.
Matrix plain_second_ring(const Csr& a) {
  const Matrix dense = to_dense(a);
  Matrix out(a.rows, a.rows);
  for (Index u = 0; u < a.rows; ++u)
    for (Index v = 0; v < a.rows; ++v)
      for (Index w = 0; w < a.rows; ++w)
        if (u != v && dense(u, v) == 0 && dense(u, w) != 0 && dense(w, v) != 0) out(u, v) = 1;
  return out;
}

TEST(SecondRing, EqualsThePlainTwin) {
  for (int number = 0; number < 60; ++number) {
    SCOPED_TRACE(number);
    const GraphShape shape{.nodes = 1 + number, .directed = number % 2 == 0, .loops = number % 3 != 0};
    const Csr a = random_graph(shape, Rng(91).fork(number)), ring = second_ring(a);
    EXPECT_TRUE(matrices_equal(to_dense(ring), plain_second_ring(a)));
    EXPECT_TRUE(ring.values.empty());
    for (Index u = 0; u < ring.rows; ++u) EXPECT_TRUE(std::is_sorted(ring.row(u).begin(), ring.row(u).end()));
  }
}

TEST(SecondRing, OfAnUndirectedGraphIsSymmetric) {
  EXPECT_TRUE(is_symmetric(second_ring(simple_graph(random_graph({.nodes = 200}, Rng(92))))));
}

TEST(SecondRing, HasThePublishedSizes) {
  SKIP_WITHOUT_DATA(data);
  const std::pair<const char*, Offset> sizes[] = {{"cornell", 9486}, {"texas", 11462},       {"wisconsin", 16358},
                                                  {"film", 2529136}, {"chameleon", 1209364}, {"squirrel", 8403772},
                                                  {"cora", 86332},   {"citeseer", 37826}};
  for (const auto& [name, size] : sizes)
    EXPECT_EQ(second_ring(simple_graph(make_dataset(load_named(name, data)).adjacency)).nnz(), size) << name;
}

}  // namespace
}  // namespace gcnh::testing
