#include "gcnh/graph/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gcnh/base/options.h"
#include "gcnh/graph/attachment.h"
#include "gcnh/graph/homophily.h"
#include "gcnh/graph/splits.h"
#include "tests/graph/graph_tools.h"

namespace gcnh::testing {
namespace {

SyntheticOptions with_homophily(double homophily, int seed = 1) {
  SyntheticOptions o;
  o.homophily = homophily;
  o.seed = seed;
  return o;
}

TEST(Synthetic, LooksLikeSynCora) {
  for (int seed = 1; seed <= 3; ++seed) {
    for (double h : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
      const Dataset d = make_dataset(make_synthetic(with_homophily(h, seed)));
      const Degrees degrees = measure_degrees(d);
      EXPECT_NEAR(measure_homophily(d).edge, h, 0.005);
      EXPECT_EQ(d.num_nodes(), 1490);
      EXPECT_NEAR(static_cast<double>(d.num_edges), 2968, 8);
      EXPECT_EQ(degrees.min, 2);
      EXPECT_NEAR(degrees.mean, 3.985, 0.01);
      EXPECT_LE(degrees.median, 3);
      EXPECT_GE(degrees.max, 40);
      EXPECT_LE(degrees.max, 140);
      for (int k = 0; k < 5; ++k) EXPECT_EQ(std::count(d.labels.begin(), d.labels.end(), k), 298);
    }
  }
}

TEST(Synthetic, ClassesAreOnACircle) {
  std::vector<double> mean(5);
  for (int seed = 1; seed <= 10; ++seed) {
    const Matrix table = class_compatibility(make_dataset(make_synthetic(with_homophily(0.1, seed))));
    for (int k = 0; k < 5; ++k) {
      for (int d = 0; d < 5; ++d) mean[d] += static_cast<double>(table(k, (k + d) % 5)) / 50;
    }
  }
  const std::vector<double> published = {0.10, 0.29, 0.16, 0.16, 0.29};
  for (int d = 0; d < 5; ++d) EXPECT_NEAR(mean[d], published[d], 0.02) << d;
}

TEST(Synthetic, TablesHoldNoLoopsOrRepeats) {
  const Tables t = make_synthetic(with_homophily(0.4));
  std::set<std::pair<Index, Index>> pairs;
  for (const auto& [u, v] : t.edges) EXPECT_TRUE(u != v && pairs.insert(std::minmax(u, v)).second);
}

TEST(Synthetic, TheSeedDecides) {
  const Tables a = make_synthetic(with_homophily(0.3, 4)), b = make_synthetic(with_homophily(0.3, 4)),
               c = make_synthetic(with_homophily(0.3, 5));
  const auto same = [](const Edge& x, const Edge& y) { return x.source == y.source && x.target == y.target; };
  EXPECT_TRUE(std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(), same));
  EXPECT_EQ(a.features.sparse().indices, b.features.sparse().indices);
  EXPECT_EQ(a.splits[9].val, b.splits[9].val);
  EXPECT_NE(a.labels, c.labels);
}

TEST(Synthetic, BagOfWordsIsSparseBinaryAndTopical) {
  const Tables t = make_synthetic(with_homophily(0.1));
  const Csr& x = t.features.sparse();
  EXPECT_EQ(x.cols, 1433);
  EXPECT_TRUE(x.values.empty());
  EXPECT_NEAR(static_cast<double>(x.nnz()) / 1490, 17.8, 0.3);
  const int topic_words = 1433 / 10 / 5;
  double own = 0;
  for (Index u = 0; u < x.rows; ++u) {
    const auto row = x.row(u);
    EXPECT_TRUE(std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end());
    own += static_cast<double>(
        std::count_if(row.begin(), row.end(), [&](Index word) { return word / topic_words == t.labels[u]; }));
  }
  EXPECT_NEAR(own / 1490, 18 * (0.15 + 0.85 * topic_words / 1433), 0.3);
}

TEST(Synthetic, BringsTenStratifiedSplits) {
  const Tables t = make_synthetic(with_homophily(0.1));
  ASSERT_EQ(t.splits.size(), 10u);
  for (int s = 0; s < 10; ++s) {
    check_split(t.splits[s], t.labels, s);
    EXPECT_EQ(t.splits[s].train.size(), 715u);
    EXPECT_EQ(t.splits[s].val.size(), 477u);
    EXPECT_EQ(t.splits[s].test.size(), 298u);
  }
}

// Class sizes 3, 9, 0, 5 and an unlabelled node; row u of the features has the one column u.
Tables source() { return tables_of({}, {0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, -1}, 4); }

TEST(Synthetic, RowsComeFromDistinctNodesOfTheClassOfTheSameRank) {
  SyntheticOptions o = with_homophily(0.5);
  o.nodes = 8;
  o.classes = 3;  // sizes 3 3 2
  const Tables from = source();
  const Tables t = make_synthetic(o, &from);
  EXPECT_EQ(t.features.cols(), 18);
  const std::vector<int> class_of_rank = {1, 3, 0};
  std::set<Index> used;
  for (Index u = 0; u < 8; ++u) {
    const Index row = row_of(t.features.sparse(), u).at(0);
    EXPECT_EQ(from.labels[row], class_of_rank[t.labels[u]]);
    EXPECT_TRUE(used.insert(row).second);
  }
}

TEST(Synthetic, ASourceThatIsTooSmallSaysHowMuchItAllows) {
  SyntheticOptions o = with_homophily(0.5);
  o.classes = 3;
  o.nodes = 12;
  const Tables from = source();
  EXPECT_EQ(error_text([&] { make_synthetic(o, &from); }),
            "65: small: 3 nodes in class number 3 by size, but 4 are needed; ask for at most 9 nodes");
  o.classes = 5;
  EXPECT_EQ(error_text([&] { make_synthetic(o, &from); }), "65: small: 4 classes, but 5 are asked for");
}

TEST(Synthetic, OddSizesWork) {
  for (double h : {0.0, 0.5, 1.0}) {
    for (Index classes : {2, 3, 7}) {
      for (Index nodes : {7, 8, 40, 501}) {
        SyntheticOptions o = with_homophily(h);
        o.classes = classes;
        o.nodes = nodes;
        o.edges_per_node = 5;
        o.features = 20;
        o.words = 3;
        const Dataset d = make_dataset(make_synthetic(o));
        EXPECT_EQ(d.num_nodes(), nodes);
        if (nodes < 501) continue;
        EXPECT_EQ(measure_degrees(d).min, 5);
        EXPECT_NEAR(measure_homophily(d).edge, h, 0.02);
      }
    }
  }
}

TEST(Synthetic, HomophilyHoldsForLargeGraphs) {
  SyntheticOptions o = with_homophily(0.25);
  o.nodes = 20000;
  o.words = 2;
  o.splits = 1;
  EXPECT_NEAR(measure_homophily(make_dataset(make_synthetic(o))).edge, 0.25, 0.002);
}

TEST(Synthetic, DegreeAndTasteDecideWhoIsLinked) {
  // Three start nodes, one newcomer of class 0 with_homophily h = 0: it may link to the other two classes only.
  const std::vector<int> labels = {0, 1, 2, 0};
  for (int seed = 0; seed < 20; ++seed) {
    for (const auto& [u, v] : attach_nodes(labels, 3, 0, 1, Rng(seed))) EXPECT_NE(labels[u], labels[v]);
  }
}

TEST(Synthetic, WrongOptionsAreUsageErrors) {
  EXPECT_EQ(error_text([] { make_synthetic(with_homophily(1.5)); }), "2: homophily: 1.5 is outside 0..1");
  SyntheticOptions o;
  o.nodes = 3;
  EXPECT_EQ(error_text([&] { make_synthetic(o); }), "2: nodes 3; allowed: at least one for each of the 5 classes");
}

TEST(Synthetic, OptionsCanBeWalked) {
  SyntheticOptions o;
  assign(o, {{"homophily", "0.7"}, {"nodes", "300"}, {"seed", "9"}});
  EXPECT_EQ(o.homophily, 0.7);
  EXPECT_EQ(o.nodes, 300);
  EXPECT_EQ(o.seed, 9);
  EXPECT_EQ(describe<SyntheticOptions>().size(), 9u);
}

}  // namespace
}  // namespace gcnh::testing
