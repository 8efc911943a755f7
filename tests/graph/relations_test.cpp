#include "gcnh/graph/relations.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// Whether each node is in the largest component.
std::vector<bool> in_largest_component(const Csr& graph) {
  std::vector<Index> label(graph.rows);
  for (Index u = 0; u < graph.rows; ++u) label[u] = u;
  for (bool changed = true; changed;) {
    changed = false;
    for (Index u = 0; u < graph.rows; ++u)
      for (Index v : graph.row(u))
        if (label[v] < label[u]) label[u] = label[v], changed = true;
  }
  std::vector<Index> size(graph.rows);
  for (Index l : label) ++size[l];
  const auto largest = static_cast<Index>(std::max_element(size.begin(), size.end()) - size.begin());
  std::vector<bool> out(graph.rows);
  for (Index u = 0; u < graph.rows; ++u) out[u] = label[u] == largest;
  return out;
}

// Ordered pairs that are latent neighbours, or neighbours nearer than the farthest of those.
Offset near_pairs(const Embedding& e, const Csr& graph, const std::vector<Csr>& relations) {
  Offset out = 0;
  double farthest = 0;
  for (const auto& [pair, relation] : relation_of(relations)) {
    if (relation < 4) continue;
    ++out;
    farthest = std::max(farthest, separation(e.geometry, e.points[pair.first], e.points[pair.second]));
  }
  const std::vector<bool> joined = in_largest_component(graph);
  for (Index v = 0; v < graph.rows; ++v)
    for (Index u : graph.row(v)) out += joined[v] && separation(e.geometry, e.points[u], e.points[v]) <= farthest;
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
    const std::vector<bool> joined = in_largest_component(graph);
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
        if (u == v || !joined[u] || !joined[v]) continue;
        if (separation(e.geometry, e.points[u], e.points[v]) > largest_latent) continue;
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
  const std::vector<bool> joined = in_largest_component(graph);
  Offset degrees = 0;
  for (Index v = 0; v < 300; ++v) degrees += joined[v] ? static_cast<Offset>(graph.row(v).size()) : 0;
  for (double latent : {1.0, 0.25, 2.0})
    EXPECT_NEAR(static_cast<double>(near_pairs(e, graph, relations_in(e, graph, latent))),
                latent * static_cast<double>(degrees), 2);
  EXPECT_EQ(near_pairs(e, graph, relations_in(e, graph, 0)), 0);
}

// Scaling places the nodes outside of the largest component on top of each other. They used to be so many near pairs
// that no distance was short enough, and nobody had latent neighbours.
TEST(Relations, SmallComponentsDoNotTakeTheLatentNeighbours) {
  constexpr Index kRing = 300, kPairs = 200;
  std::vector<Triple> entries;
  for (Index u = 0; u < kRing; ++u)
    for (Index step : {1, 7}) entries.push_back({u, (u + step) % kRing, 1});
  for (Index u = kRing; u < kRing + 2 * kPairs; u += 2) entries.push_back({u, u + 1, 1});
  const Csr graph = simple_graph(make_csr(kRing + 2 * kPairs, kRing + 2 * kPairs, entries, Repeats::add));
  const Embedding e = isomap(graph);
  const std::vector<Csr> relations = relations_in(e, graph);
  for (const auto& [pair, relation] : relation_of(relations)) {
    if (relation < 4) continue;
    EXPECT_LT(pair.first, kRing);
    EXPECT_LT(pair.second, kRing);
  }
  EXPECT_GT(near_pairs(e, graph, relations), 3 * kRing);
}

TEST(Relations, AreTheSameEveryTimeAndForEveryView) {
  const Csr directed = random_graph({.nodes = 60, .directed = true, .weights = true}, Rng(35));
  for (EmbeddingKind embedding : {EmbeddingKind::poincare, EmbeddingKind::mds}) {
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
  const auto here = relation_of(compute_relations(graph, EmbeddingKind::mds)),
             there = relation_of(compute_relations(make_csr(30, 30, entries, Repeats::add), EmbeddingKind::mds));
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
  std::vector<Csr> relations = {make_csr(4, 4, {{3, 2, 1}, {1, 0, 1}}, Repeats::add),
                                make_csr(4, 4, {{2, 0, 1}}, Repeats::add)};
  tables.published["relations"] = [&] { return relations; };
  View view;
  view.unlabelled = View::Unlabelled::remove;
  const Dataset d = make_dataset(tables, view);
  const std::vector<Csr> kept = d.published.at("relations")();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].offsets, std::vector<Offset>({0, 0, 0, 1}));
  EXPECT_EQ(kept[0].indices, std::vector<Index>({1}));
  EXPECT_EQ(kept[1].offsets, std::vector<Offset>({0, 0, 1, 1}));
  EXPECT_EQ(kept[1].indices, std::vector<Index>({0}));
  relations[0].rows = 3;
  EXPECT_THROW(d.published.at("relations")(), Error);
}

}  // namespace
}  // namespace gcnh::testing
