// Edges that are missing, one way, repeated or lead nowhere.
#include "tests/check/check_tools.h"

namespace gcnh::testing {
namespace {

Tables with_edges(std::vector<Edge> edges) {
  Tables t = sane_tables();
  t.edges = std::move(edges);
  return t;
}

// The sane edges, and every n-th of them in the other direction, too.
Tables with_answers(std::size_t every) {
  Tables t = sane_tables();
  for (std::size_t e = 0, all = t.edges.size(); e < all; e += every)
    t.edges.push_back({t.edges[e].target, t.edges[e].source});
  return t;
}

TEST(CheckEdges, NoneOrLoopsAlone) {
  expect_found(with_edges({}), "no-edges", Severity::error, {"no edges"});
  expect_found(with_edges({{3, 3}, {4, 4}}), "no-edges", Severity::error, {"none of 2 edges"});
}

TEST(CheckEdges, Few) {
  expect_found(with_edges({{0, 1}, {1, 2}}), "few-edges", Severity::warning, {"2 edges for 600 nodes"});
}

TEST(CheckEdges, NodesWithoutANeighbour) {
  Tables t = sane_tables();
  std::erase_if(t.edges, [](const Edge& edge) { return edge.target >= 480 || edge.source >= 480; });
  expect_found(t, "isolated", Severity::warning, {"without a neighbour (2"});
}

TEST(CheckEdges, Direction) {
  expect_found(with_answers(3), "one-way", Severity::warning, {"50.1 % are written both ways"});
  expect_fine(with_answers(1), "one-way");
}

TEST(CheckEdges, Repeats) {
  Tables t = sane_tables();
  for (int i = 0; i < 20; ++i) t.edges.push_back(t.edges[0]);
  expect_found(t, "duplicate-edges", Severity::warning, {"20 of ", "there are 21"});
  t.edges.resize(t.edges.size() - 19);
  expect_fine(t, "duplicate-edges");
}

TEST(CheckEdges, Loops) {
  Tables t = sane_tables();
  t.edges.push_back({5, 5});
  expect_fine(t, "self-loops");
  for (Index u = 10; u < 19; ++u) t.edges.push_back({u, u});
  expect_found(t, "self-loops", Severity::warning, {"10 edges lead", "at 5"});
}

TEST(CheckEdges, WeightsOfRepeatsAreAddedUp) {
  Tables t = sane_tables();
  for (int i = 0; i < 100; ++i) t.edges.push_back(t.edges[0]);
  EXPECT_NE(remark_of(t, "duplicate-edges").why.find("takes each once"), std::string::npos);
  t.edge_weights.assign(t.edges.size(), Real{2});
  EXPECT_NE(remark_of(t, "duplicate-edges").why.find("their weights are added up"), std::string::npos);
}

}  // namespace
}  // namespace gcnh::testing
