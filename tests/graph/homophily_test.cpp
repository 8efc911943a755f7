#include "gcnh/graph/homophily.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/graph/graph_tools.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

void expect_near(const Homophily& found, const Homophily& expected, double tolerance = 1e-12) {
  EXPECT_NEAR(found.edge, expected.edge, tolerance);
  EXPECT_NEAR(found.node, expected.node, tolerance);
  EXPECT_NEAR(found.class_insensitive, expected.class_insensitive, tolerance);
  EXPECT_NEAR(found.adjusted, expected.adjusted, tolerance);
  EXPECT_NEAR(found.label_informativeness, expected.label_informativeness, tolerance);
}

// A centre of class 0 with one leaf of class 0 and two of class 1.
Tables star() { return tables_of({{0, 1}, {0, 2}, {3, 0}}, {0, 0, 1, 1}, 2); }

// Edges 0-1, 1-2, 2-3, 0-2 among labelled nodes; node 4 has no label, node 5 no edge.
Tables mixed() {
  return tables_of({{0, 1}, {1, 0}, {1, 2}, {2, 3}, {2, 3}, {0, 2}, {3, 3}, {4, 0}}, {0, 0, 1, 1, -1, 1}, 2);
}

TEST(Homophily, StarByHand) {
  // m = {2 2; 2 0}, D = 4 2, 2E = 6. Expected by degrees: (16 + 4) / 36 = 5/9.
  const double joint = std::log(3.0), single = std::log(3.0) - 2.0 / 3 * std::log(2.0);
  expect_near(measure_homophily(make_dataset(star())), {1.0 / 3, 1.0 / 3, 0, -0.5, 2 - joint / single});
}

TEST(Homophily, UnlabelledNodesLoopsAndRepeatsByHand) {
  // m = {2 2; 2 2}: classes are independent along edges. Labelled nodes: 2 and 3 of 5.
  expect_near(measure_homophily(make_dataset(mixed())), {0.5, (0.5 + 0.5 + 1.0 / 3 + 1) / 4, 0.5 - 0.4, 0, 0});
}

TEST(Homophily, SeparateClassesReachOne) {
  const Tables t = tables_of({{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}, {0, 0, 0, 1, 1, 1}, 2);
  expect_near(measure_homophily(make_dataset(t)), {1, 1, 1, 1, 1});
}

TEST(Homophily, TwoSidesTellEverythingButShareNothing) {
  const Tables t = tables_of({{0, 2}, {0, 3}, {1, 2}, {1, 3}}, {0, 0, 1, 1}, 2);
  expect_near(measure_homophily(make_dataset(t)), {0, 0, 0, -1, 1});
}

TEST(Homophily, UndefinedMeasuresAreNotNumbers) {
  const Homophily no_edges = measure_homophily(make_dataset(tables_of({{0, 0}}, {0, 1}, 2)));
  EXPECT_TRUE(std::isnan(no_edges.edge) && std::isnan(no_edges.node) && std::isnan(no_edges.class_insensitive));
  EXPECT_TRUE(std::isnan(no_edges.adjusted) && std::isnan(no_edges.label_informativeness));
  const Homophily one_class = measure_homophily(make_dataset(tables_of({{0, 1}}, {0, 0}, 1)));
  EXPECT_EQ(one_class.edge, 1);
  EXPECT_TRUE(std::isnan(one_class.class_insensitive) && std::isnan(one_class.adjusted));
  EXPECT_TRUE(std::isnan(one_class.label_informativeness));
}

TEST(Homophily, ViewsDoNotMatter) {
  const Tables t = random_tables(60, 300, 3, Rng(2));
  const Homophily expected = measure_homophily(make_dataset(t));
  for (auto direction : {View::Direction::both, View::Direction::out, View::Direction::in}) {
    for (auto duplicates : {View::Duplicates::merge, View::Duplicates::count}) {
      for (auto self_loops : {View::SelfLoops::drop, View::SelfLoops::keep}) {
        for (auto unlabelled : {View::Unlabelled::keep, View::Unlabelled::remove}) {
          expect_near(measure_homophily(make_dataset(t, {direction, duplicates, self_loops, unlabelled})), expected);
        }
      }
    }
  }
}

TEST(Homophily, NodeNumbersDoNotMatter) {
  const Tables t = random_tables(80, 250, 4, Rng(3));
  std::vector<Index> to(80);
  std::iota(to.begin(), to.end(), 0);
  shuffle(to, Rng(4));
  Tables moved = t;
  for (Edge& e : moved.edges) e = {to[e.source], to[e.target]};
  for (Index u = 0; u < 80; ++u) moved.labels[to[u]] = t.labels[u];
  const Dataset a = make_dataset(t), b = make_dataset(moved);
  expect_near(measure_homophily(b), measure_homophily(a));
  EXPECT_TRUE(matrices_near(class_compatibility(b), class_compatibility(a), 1e-6));
  EXPECT_EQ(measure_degrees(b).median, measure_degrees(a).median);
  const auto shares_a = node_homophily(a), shares_b = node_homophily(b);
  for (Index u = 0; u < 80; ++u) {
    EXPECT_TRUE(shares_b[to[u]] == shares_a[u] || (std::isnan(shares_b[to[u]]) && std::isnan(shares_a[u])));
  }
}

TEST(Homophily, ClassNamesDoNotMatter) {
  const Tables t = random_tables(80, 250, 3, Rng(5));
  Tables renamed = t;
  for (int& label : renamed.labels) label = label < 0 ? -1 : (label + 1) % 3;
  expect_near(measure_homophily(make_dataset(renamed)), measure_homophily(make_dataset(t)));
}

TEST(Homophily, RandomEdgesHaveNone) {
  const Homophily h = measure_homophily(make_dataset(random_tables(4000, 60000, 4, Rng(6))));
  EXPECT_NEAR(h.adjusted, 0, 0.01);
  EXPECT_NEAR(h.label_informativeness, 0, 0.001);
}

TEST(Homophily, NodeSharesByHand) {
  const std::vector<double> shares = node_homophily(make_dataset(mixed()));
  EXPECT_EQ(shares[0], 0.5);
  EXPECT_EQ(shares[2], 1.0 / 3);
  EXPECT_EQ(shares[3], 1);
  EXPECT_TRUE(std::isnan(shares[4]) && std::isnan(shares[5]));
}

TEST(Homophily, CompatibilityByHand) {
  EXPECT_TRUE(matrices_near(class_compatibility(make_dataset(star())), matrix_of({{0.5, 0.5}, {1, 0}}), 1e-7));
  const Tables lonely = tables_of({{0, 1}}, {0, 0, 1}, 2);
  EXPECT_TRUE(matrices_near(class_compatibility(make_dataset(lonely)), matrix_of({{1, 0}, {0, 0}}), 1e-7));
}

TEST(Homophily, DegreesByHand) {
  const Degrees d = measure_degrees(make_dataset(mixed()));  // 3 2 3 1 1 0
  EXPECT_EQ(d.min, 0);
  EXPECT_EQ(d.max, 3);
  EXPECT_EQ(d.isolated, 1);
  EXPECT_DOUBLE_EQ(d.mean, 10.0 / 6);
  EXPECT_DOUBLE_EQ(d.median, 1.5);
  EXPECT_DOUBLE_EQ(measure_degrees(make_dataset(tables_of({{0, 1}}, {0, 0, 0}, 1))).median, 1);
}

}  // namespace
}  // namespace gcnh::testing
