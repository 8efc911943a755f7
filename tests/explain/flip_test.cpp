// The edges that are said to change an answer change it, and where the search is exact no smaller set does: all subsets
// of a node's edges are tried on small graphs.
#include "gcnh/explain/flip.h"

#include <gtest/gtest.h>

#include <bit>

#include "gcnh/explain/explain.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// A model of given options whose weights do not depend on the graph.
class FlipCase {
 public:
  FlipCase(OptionValues options, int number) : rng_(Rng(71).fork(number)), options_(std::move(options)) {
    const GraphShape shape{.nodes = 9,
                           .edges_per_node = 2.5,
                           .directed = number % 4 == 3,
                           .weights = number % 2 == 0,
                           .loops = number % 3 == 0,
                           .isolated = 0.1};
    data = random_dataset(shape, 6, 3, rng_.fork(0));
    data.weighted = number % 4 == 0;
    undirected = number % 4 != 3;
  }

  std::unique_ptr<Model> model_on(const Dataset& d) const {
    auto model = make_model("gcnh", d, options_);
    std::uint64_t i = 0;
    for (Param& p : model->params()) p.value = random_matrix(p.rows(), p.cols(), rng_.fork(10 + i++));
    return model;
  }

  int answer_without(Index node, const std::vector<Index>& neighbours) const {
    Dataset changed = data;
    changed.adjacency = without_edges(data.adjacency, node, neighbours, undirected);
    const Matrix found = logits(*model_on(changed), changed);
    return static_cast<int>(std::max_element(found.row(node), found.row(node) + found.cols()) - found.row(node));
  }

  // The size of the smallest set of the node's edges whose removal changes its answer; 0: none does.
  int fewest_by_trying(Index node) const {
    const std::span<const Index> row = data.adjacency.row(node);
    const int before = answer_without(node, {});
    int fewest = 0;
    for (unsigned subset = 1; subset < 1u << row.size(); ++subset) {
      const int size = std::popcount(subset);
      if (fewest > 0 && size >= fewest) continue;
      std::vector<Index> removed;
      for (std::size_t i = 0; i < row.size(); ++i)
        if (subset >> i & 1) removed.push_back(row[i]);
      if (answer_without(node, removed) != before) fewest = size;
    }
    return fewest;
  }

  Flip flip(Index node) const {
    std::vector<std::unique_ptr<Model>> kept;
    const ExplainerOn model = [&](const Dataset& d) {
      kept.push_back(model_on(d));
      return make_explainer(*kept.back());
    };
    return find_flip(data, model, node, undirected);
  }

  Dataset data;
  bool undirected = true;

 private:
  Rng rng_;
  OptionValues options_;
};

TEST(Flips, OfOneLayerTakeTheFewestEdges) {
  int found = 0, none = 0;
  for (int number = 0; number < 24; ++number) {
    for (const char* aggregation : {"sum", "mean"}) {
      const FlipCase c({{"aggregation", aggregation}, {"hidden", "4"}, {"beta", number % 2 ? "0.2" : "pointwise"}},
                       number);
      for (Index node = 0; node < 3; ++node) {
        SCOPED_TRACE(join(aggregation, " graph ", number, " node ", node));
        const Flip flip = c.flip(node);
        EXPECT_TRUE(flip.is_exact);
        ASSERT_EQ(std::ssize(flip.neighbours), c.fewest_by_trying(node));
        EXPECT_EQ(c.answer_without(node, {}), flip.before);
        EXPECT_EQ(c.answer_without(node, flip.neighbours), flip.after);
        (flip.neighbours.empty() ? none : found) += 1;
        EXPECT_EQ(flip.before == flip.after, flip.neighbours.empty());
      }
    }
  }
  EXPECT_GT(found, 30) << "the cases have gone dull";
  EXPECT_GT(none, 10);
}

TEST(Flips, OfOtherNetworksAreVerifiedAndHaveNoNeedlessEdge) {
  int found = 0;
  for (int number = 0; number < 12; ++number) {
    for (const OptionValues& options :
         {OptionValues{{"aggregation", "max"}, {"hidden", "4"}}, OptionValues{{"layers", "2"}, {"hidden", "4"}}}) {
      const FlipCase c(options, number);
      for (Index node = 0; node < 3; ++node) {
        const Flip flip = c.flip(node);
        EXPECT_FALSE(flip.is_exact);
        if (flip.neighbours.empty()) continue;
        ++found;
        EXPECT_EQ(c.answer_without(node, flip.neighbours), flip.after);
        EXPECT_NE(flip.after, flip.before);
        EXPECT_GE(std::ssize(flip.neighbours), c.fewest_by_trying(node));
        for (std::size_t i = 0; i < flip.neighbours.size(); ++i) {
          std::vector<Index> fewer = flip.neighbours;
          fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
          EXPECT_EQ(c.answer_without(node, fewer), flip.before) << "each of them is needed";
        }
      }
    }
  }
  EXPECT_GT(found, 20);
}

TEST(Flips, OfANodeWithoutEdgesDoNotExist) {
  const FlipCase c({}, 1);
  Dataset lonely = c.data;
  lonely.adjacency = make_csr(9, 9, {}, Repeats::add);
  const auto model = c.model_on(lonely);
  const Flip flip = find_flip(
      lonely, [&](const Dataset&) { return make_explainer(*model); }, 4, true);
  EXPECT_TRUE(flip.is_exact);
  EXPECT_TRUE(flip.neighbours.empty());
}

// A mean of weights without epsilon: once all edges are gone nothing is left to divide by.
TEST(Flips, OfAMeanMayTakeAllEdges) {
  NeighbourSum sum;
  sum.base = {0, 1};
  sum.neighbours = {5, 7};
  sum.weights = {2, 1};
  sum.messages = {{3, 0}, {3, 0}};
  sum.is_mean = true;
  const std::vector<Removal> removals = fewest_removals(sum);
  ASSERT_EQ(removals.size(), 1u);
  EXPECT_EQ(removals[0].count, 2u);
}

TEST(WithoutEdges, LeavesInBothDirectionsWhereThereAreNone) {
  const Csr a = make_csr(3, 3, {{0, 1, 2}, {1, 0, 2}, {1, 2, 1}, {2, 1, 1}}, Repeats::add);
  EXPECT_EQ(without_edges(a, 1, {0}, true).indices, (std::vector<Index>{2, 1}));
  EXPECT_EQ(without_edges(a, 1, {0}, true).values, (std::vector<Real>{1, 1}));
  EXPECT_EQ(without_edges(a, 1, {0}, false).indices, (std::vector<Index>{1, 2, 1}));
}

}  // namespace
}  // namespace gcnh::testing
