#include "gcnh/graph/large_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gcnh/base/options.h"
#include "gcnh/graph/homophily.h"
#include "gcnh/graph/splits.h"
#include "tests/graph/graph_tools.h"

namespace gcnh::testing {
namespace {

ShapeOptions small_shape() {
  ShapeOptions o;
  o.nodes = 20'000;
  o.edges = 100'000;
  o.classes = 7;
  o.features = 50;
  return o;
}

TEST(Shapes, HasTheSizesAsked) {
  const Tables t = make_shape(small_shape());
  EXPECT_EQ(t.num_nodes(), 20'000);
  EXPECT_EQ(t.edges.size(), 100'000u);
  EXPECT_EQ(t.features.cols(), 50);
  EXPECT_EQ(t.classes.size(), 7u);
  const Dataset d = make_dataset(t);
  EXPECT_LT(d.num_edges, 100'000);
  EXPECT_GT(d.num_edges, 99'000) << "few are drawn twice";
}

TEST(Shapes, DegreesFollowAPowerLaw) {
  const Dataset d = make_dataset(make_shape(small_shape()));
  std::vector<Offset> degrees;
  for (Index u = 0; u < d.num_nodes(); ++u) degrees.push_back(std::ssize(d.adjacency.row(u)));
  std::sort(degrees.rbegin(), degrees.rend());
  // The best-linked share f of the nodes has the share sqrt(f) of the edge ends, up to repeats and chance.
  for (double share : {0.001, 0.01, 0.1, 0.5}) {
    const auto end = degrees.begin() + std::lround(share * static_cast<double>(degrees.size()));
    const double held = std::accumulate(degrees.begin(), end, 0.0) / static_cast<double>(d.adjacency.nnz());
    EXPECT_NEAR(held / std::sqrt(share), 1, share > 0.2 ? 0.15 : 0.1) << share;
  }
}

TEST(Shapes, HubsAreScattered) {
  const Dataset d = make_dataset(make_shape(small_shape()));
  const Offset first_half = d.adjacency.offsets[d.num_nodes() / 2];
  EXPECT_NEAR(static_cast<double>(first_half) / static_cast<double>(d.adjacency.nnz()), 0.5, 0.05);
}

TEST(Shapes, HomophilyIsChosenAndTheRestGoesToTheNextClass) {
  for (double h : {0.0, 0.1, 0.7}) {
    ShapeOptions o = small_shape();
    o.homophily = h;
    const Dataset d = make_dataset(make_shape(o));
    EXPECT_NEAR(measure_homophily(d).edge, h, 0.01);
    const Matrix table = class_compatibility(d);
    for (Index k = 0; k < 7; ++k) EXPECT_NEAR(table(k, (k + 1) % 7) + table(k, (k + 6) % 7), 1 - h, 0.01);
  }
}

TEST(Shapes, DenseFeaturesTellAboutTheClass) {
  const Tables t = make_shape(small_shape());
  const Matrix& x = t.features.dense();
  double own = 0, other = 0, squares = 0;
  for (Index u = 0; u < x.rows(); ++u) {
    own += static_cast<double>(x(u, t.labels[u])) / x.rows();
    const auto far = static_cast<double>(x(u, (t.labels[u] + 3) % 7));
    other += far / x.rows();
    squares += far * far / x.rows();
  }
  EXPECT_FALSE(t.features.is_sparse());
  EXPECT_NEAR(own, 1, 0.03);
  EXPECT_NEAR(other, 0, 0.03);
  EXPECT_NEAR(squares, 1, 0.03);
}

TEST(Shapes, SparseFeaturesAreAscendingAndTopical) {
  ShapeOptions o = small_shape();
  o.features = 700;
  o.words = 18;
  const Tables t = make_shape(o);
  const Csr& x = t.features.sparse();
  ASSERT_TRUE(t.features.is_sparse());
  EXPECT_TRUE(x.values.empty());
  double own = 0;
  for (Index u = 0; u < x.rows; ++u) {
    const auto row = x.row(u);
    ASSERT_TRUE(std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end());
    for (Index word : row) own += word % 7 == t.labels[u];
  }
  const double words = static_cast<double>(x.nnz());
  EXPECT_NEAR(words / x.rows, 17, 1) << "a few are drawn twice";
  EXPECT_NEAR(own / words, 0.2 + 0.8 / 7, 0.02);
}

TEST(Shapes, BringsOneSplitOfTheSharesAsked) {
  ShapeOptions o = small_shape();
  o.train = 0.08;
  o.val = 0.02;
  const Tables t = make_shape(o);
  ASSERT_EQ(t.splits.size(), 1u);
  check_split(t.splits[0], t.labels, 0);
  EXPECT_EQ(t.splits[0].train.size(), 1600u);
  EXPECT_EQ(t.splits[0].val.size(), 400u);
}

TEST(Shapes, TheSeedDecides) {
  const Tables a = make_shape(small_shape()), b = make_shape(small_shape());
  ShapeOptions o = small_shape();
  o.seed = 2;
  const Tables c = make_shape(o);
  const auto same = [](const Edge& x, const Edge& y) { return x.source == y.source && x.target == y.target; };
  EXPECT_TRUE(std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(), same));
  EXPECT_EQ(a.features.dense(), b.features.dense());
  EXPECT_NE(a.labels, c.labels);
}

TEST(Shapes, TinyGraphsWork) {
  for (Index nodes : {3, 4, 5, 10}) {
    for (int words : {0, 2}) {
      ShapeOptions o;
      o.nodes = nodes;
      o.edges = 30;
      o.classes = 3;
      o.features = 4;
      o.words = words;
      EXPECT_EQ(make_dataset(make_shape(o)).num_nodes(), nodes);
    }
  }
}

TEST(Shapes, NamedOnesHaveTheirSizes) {
  EXPECT_EQ(named_shape("arxiv").nodes, 169'343);
  EXPECT_EQ(named_shape("products").edges, 61'859'140);
  EXPECT_EQ(error_text([] { named_shape("arxive"); }),
            "2: shape: unknown value 'arxive'; allowed: arxiv products; did you mean 'arxiv'?");
}

TEST(Shapes, WrongOptionsAreUsageErrors) {
  ShapeOptions o = small_shape();
  o.homophily = 2;
  EXPECT_EQ(error_text([&] { make_shape(o); }), "2: homophily: 2 is outside 0..1");
  o = small_shape();
  o.nodes = 3;
  EXPECT_EQ(error_text([&] { make_shape(o); }), "2: nodes 3; allowed: at least one for each of the 7 classes");
  o = small_shape();
  o.words = 51;
  EXPECT_EQ(error_text([&] { make_shape(o); }), "2: words 51; allowed: 0..50");
}

}  // namespace
}  // namespace gcnh::testing
