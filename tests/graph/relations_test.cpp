#include "gcnh/graph/relations.h"

#include <gtest/gtest.h>

#include <map>

#include "gcnh/base/error.h"
#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/dataset.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

// Relation of every ordered pair (u, v): u stands in the row of v.
std::map<std::pair<Index, Index>, int> relation_of(const std::vector<Csr>& relations) {
  std::map<std::pair<Index, Index>, int> out;
  for (std::size_t i = 0; i < relations.size(); ++i)
    for (Index v = 0; v < relations[i].rows; ++v)
      for (Index u : relations[i].row(v))
        EXPECT_TRUE(out.insert({{u, v}, static_cast<int>(i)}).second) << "a pair in two relations";
  return out;
}

Embedding scattered(Index count, const Rng& rng) {
  Embedding out{Geometry::plane, std::vector<Point>(count)};
  for (Index u = 0; u < count; ++u) out.points[u] = {rng.uniform(2 * u), rng.uniform(2 * u + 1)};
  return out;
}

TEST(Relations, HoldTheirPropertiesOnRandomGraphs) {
  for (int number = 0; number < 30; ++number) {
    SCOPED_TRACE(number);
    const Rng rng = Rng(31).fork(number);
    const Csr graph = simple_graph(random_graph({.nodes = 5 + 3 * number, .directed = true}, rng.fork(0)));
    const Embedding e = scattered(graph.rows, rng.fork(1));
    const std::vector<Csr> relations = relations_in(e, graph);
    ASSERT_EQ(relations.size(), std::size_t{kRelations});
    const auto found = relation_of(relations);
    double largest_latent = 0;
    Offset edges = 0, close = 0;
    for (const auto& [pair, relation] : found) {
      const auto& [u, v] = pair;
      ASSERT_NE(u, v);
      const Point p = e.points[u], q = e.points[v];
      EXPECT_EQ(relation % 4, 2 * (p.x <= q.x) + (p.y <= q.y));
      ASSERT_TRUE(found.contains({v, u}));
      EXPECT_EQ(found.at({v, u}), relation / 4 * 4 + 3 - relation % 4) << "reversal flips both comparisons";
      edges += relation < 4;
      if (relation >= 4) largest_latent = std::max(largest_latent, separation(e.geometry, p, q));
    }
    EXPECT_EQ(edges, graph.nnz());
    for (Index v = 0; v < graph.rows; ++v) {
      for (Index u : graph.row(v)) EXPECT_LT(found.at({u, v}), 4);
      for (Index u = 0; u < graph.rows; ++u) {
        if (u == v || separation(e.geometry, e.points[u], e.points[v]) > largest_latent) continue;
        ++close;
        EXPECT_TRUE(found.contains({u, v})) << "everybody nearer than the farthest latent neighbour is a neighbour";
      }
    }
    EXPECT_LE(close, graph.nnz()) << "the mean number of near nodes is at most the mean degree";
  }
}

TEST(Relations, MeanLatentNeighbourhoodEqualsTheMeanDegree) {
  const Csr graph = simple_graph(random_graph({.nodes = 300, .edges_per_node = 4}, Rng(33)));
  const Embedding e = scattered(300, Rng(34));
  Offset latent = 0, shared = 0;
  const auto found = relation_of(relations_in(e, graph));
  double farthest = 0;
  for (const auto& [pair, relation] : found) {
    if (relation < 4) continue;
    ++latent;
    farthest = std::max(farthest, separation(e.geometry, e.points[pair.first], e.points[pair.second]));
  }
  for (Index v = 0; v < 300; ++v)
    for (Index u : graph.row(v)) shared += separation(e.geometry, e.points[u], e.points[v]) <= farthest;
  EXPECT_NEAR(static_cast<double>(latent + shared), static_cast<double>(graph.nnz()), 2);
}

TEST(Relations, AreTheSameEveryTimeAndForEveryView) {
  const Csr directed = random_graph({.nodes = 60, .directed = true, .weights = true}, Rng(35));
  for (const char* embedding : {"poincare", "mds"}) {
    const std::vector<Csr> a = compute_relations(directed, embedding),
                           b = compute_relations(simple_graph(directed), embedding);
    for (int i = 0; i < kRelations; ++i) {
      EXPECT_EQ(a[i].offsets, b[i].offsets);
      EXPECT_EQ(a[i].indices, b[i].indices);
    }
  }
}

// Scaling finds the same shape whatever the numbers of the nodes, mirrored at most: pairs that share a relation still
// do.
TEST(Relations, NodeNumbersDoNotMatterToScaling) {
  const Csr graph = simple_graph(random_graph({.nodes = 30, .edges_per_node = 3, .isolated = 0}, Rng(36)));
  std::vector<Index> to(30);
  for (Index u = 0; u < 30; ++u) to[u] = u;
  shuffle(to, Rng(37));
  std::vector<Triple> entries;
  for (Index u = 0; u < 30; ++u)
    for (Index v : graph.row(u)) entries.push_back({to[u], to[v], 1});
  const Embedding e = isomap(graph);
  const auto here = relation_of(compute_relations(graph, "mds")),
             there = relation_of(compute_relations(make_csr(30, 30, entries, Repeats::add), "mds"));
  std::map<int, int> renamed;
  for (const auto& [pair, relation] : here) {
    const auto& [u, v] = pair;
    const bool tie = std::abs(e.points[u].x - e.points[v].x) < 1e-9 || std::abs(e.points[u].y - e.points[v].y) < 1e-9;
    if (relation >= 4 || tie) continue;  // rounding decides between equals
    const auto [name, first] = renamed.insert({relation, there.at({to[u], to[v]})});
    EXPECT_EQ(name->second, there.at({to[u], to[v]}));
  }
}

TEST(Relations, FollowTheNodesThatAViewKeeps) {
  Tables tables;
  tables.name = "toy";
  tables.edges = {{0, 1}, {1, 2}, {2, 3}};
  tables.features = sparse_features(make_csr(4, 1, {{0, 0, 1}}, Repeats::add));
  tables.labels = {0, -1, 0, 1};
  tables.classes = {"a", "b"};
  tables.relations = {make_csr(4, 4, {{3, 2, 1}, {1, 0, 1}}, Repeats::add), make_csr(4, 4, {{2, 0, 1}}, Repeats::add)};
  View view;
  view.unlabelled = "delete";
  const Dataset d = make_dataset(tables, view);
  ASSERT_EQ(d.relations.size(), 2u);
  EXPECT_EQ(d.relations[0].offsets, std::vector<Offset>({0, 0, 0, 1}));
  EXPECT_EQ(d.relations[0].indices, std::vector<Index>({1}));
  EXPECT_EQ(d.relations[1].offsets, std::vector<Offset>({0, 0, 1, 1}));
  EXPECT_EQ(d.relations[1].indices, std::vector<Index>({0}));
  tables.relations[0].rows = 3;
  EXPECT_THROW(make_dataset(tables, view), Error);
}

}  // namespace
}  // namespace gcnh::testing
