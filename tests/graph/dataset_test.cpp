#include "gcnh/graph/dataset.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/graph/graph_tools.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

// 0 -> 1 twice, 1 -> 0, 1 -> 2, a loop at 2, 3 -> 1; node 2 has no label.
Tables example() {
  Tables t = tables_of({{0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 2}, {3, 1}}, {0, 1, -1, 0}, 2);
  t.ids = {"a", "b", "c", "d"};
  t.feature_names = {"w", "x", "y", "z"};
  t.splits = {{{0, 2}, {1}, {3}}, {{3}, {0}, {1, 2}}};
  return t;
}

Matrix adjacency_of(const View& view) { return to_dense(make_dataset(example(), view).adjacency); }

TEST(Dataset, CleanViewIsTheDefault) {
  const Dataset d = make_dataset(example());
  EXPECT_TRUE(
      matrices_equal(to_dense(d.adjacency), matrix_of({{0, 1, 0, 0}, {1, 0, 1, 1}, {0, 1, 0, 0}, {0, 1, 0, 0}})));
  EXPECT_TRUE(d.adjacency.values.empty());
  EXPECT_EQ(d.num_nodes(), 4);
  EXPECT_EQ(d.num_classes(), 2);
  EXPECT_EQ(d.name, "small");
  EXPECT_EQ(d.id(3), "d");
  EXPECT_EQ(d.labels, (std::vector<int>{0, 1, -1, 0}));
}

TEST(Dataset, InRowsListWhoNamesTheNode) {
  View view;
  view.direction = View::Direction::in;
  EXPECT_TRUE(matrices_equal(adjacency_of(view), matrix_of({{0, 1, 0, 0}, {1, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 0, 0}})));
  EXPECT_EQ(make_dataset(example(), view).num_one_way, 2);  // 1 -> 2 and 3 -> 1; 0 and 1 name each other
}

TEST(Dataset, GivenWeightsAreAddedUpAndTheLargerWayCounts) {
  Tables t = example();
  t.edge_weights = {Real(0.5), 2, 3, 1, 7, 4};
  for (auto duplicates : {View::Duplicates::merge, View::Duplicates::count}) {
    const Dataset d = make_dataset(t, {.duplicates = duplicates});
    EXPECT_TRUE(d.weighted);
    EXPECT_TRUE(
        matrices_equal(to_dense(d.adjacency), matrix_of({{0, 3, 0, 0}, {3, 0, 1, 4}, {0, 1, 0, 0}, {0, 4, 0, 0}})));
    const Dataset out = make_dataset(t, {.direction = View::Direction::out, .duplicates = duplicates});
    EXPECT_TRUE(
        matrices_equal(to_dense(out.adjacency), matrix_of({{0, 2.5, 0, 0}, {3, 0, 1, 0}, {0, 0, 0, 0}, {0, 4, 0, 0}})));
  }
  EXPECT_FALSE(make_dataset(example()).weighted);
}

TEST(Dataset, WeightsOfOneAreTheGraphWithout) {
  Tables t = tables_of({{0, 1}, {1, 2}}, {0, 1, 0}, 2);
  t.edge_weights = {1, 1};
  EXPECT_TRUE(make_dataset(t).adjacency.values.empty());
  EXPECT_TRUE(make_dataset(t).weighted);
}

TEST(Dataset, DirectedRowsListWhatTheNodeNames) {
  View view;
  view.direction = View::Direction::out;
  EXPECT_TRUE(matrices_equal(adjacency_of(view), matrix_of({{0, 1, 0, 0}, {1, 0, 1, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}})));
}

TEST(Dataset, SeparateRowsListBothWaysAndKeepThoseThatTheNodeNames) {
  for (auto loops : {View::SelfLoops::drop, View::SelfLoops::keep}) {
    const Dataset d = make_dataset(example(), {.direction = View::Direction::separate, .self_loops = loops});
    EXPECT_TRUE(d.keeps_apart());
    EXPECT_EQ(to_dense(d.adjacency), adjacency_of({.self_loops = loops}));
    EXPECT_EQ(to_dense(d.pointing_to), adjacency_of({.direction = View::Direction::out, .self_loops = loops}));
    EXPECT_EQ(to_dense(transpose(d.pointing_to)),
              adjacency_of({.direction = View::Direction::in, .self_loops = loops}));
  }
  EXPECT_FALSE(make_dataset(example()).keeps_apart());
  const Dataset fewer =
      make_dataset(example(), {.direction = View::Direction::separate, .unlabelled = View::Unlabelled::remove});
  EXPECT_EQ(fewer.pointing_to.rows, fewer.num_nodes());
  EXPECT_EQ(fewer.pointing_to.indices,
            make_dataset(example(), {.direction = View::Direction::out, .unlabelled = View::Unlabelled::remove})
                .adjacency.indices);
}

TEST(Dataset, CountedRepeatsAreWeights) {
  View view;
  view.duplicates = View::Duplicates::count;
  EXPECT_TRUE(matrices_equal(adjacency_of(view), matrix_of({{0, 2, 0, 0}, {2, 0, 1, 1}, {0, 1, 0, 0}, {0, 1, 0, 0}})));
  view.direction = View::Direction::out;
  EXPECT_TRUE(matrices_equal(adjacency_of(view), matrix_of({{0, 2, 0, 0}, {1, 0, 1, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}})));
}

TEST(Dataset, WeightsThatAreAllOneAreNotStored) {
  View view{.duplicates = View::Duplicates::count};
  EXPECT_TRUE(make_dataset(tables_of({{0, 1}, {1, 0}, {2, 2}, {2, 2}}, {0, 0, 0}, 1), view).adjacency.values.empty());
}

TEST(Dataset, KeptLoopsStandOnTheDiagonal) {
  View view;
  view.self_loops = View::SelfLoops::keep;
  EXPECT_TRUE(matrices_equal(adjacency_of(view), matrix_of({{0, 1, 0, 0}, {1, 0, 1, 1}, {0, 1, 1, 0}, {0, 1, 0, 0}})));
}

TEST(Dataset, EdgeCountsDoNotDependOnTheView) {
  for (auto direction : {View::Direction::both, View::Direction::out, View::Direction::in}) {
    for (auto duplicates : {View::Duplicates::merge, View::Duplicates::count}) {
      for (auto self_loops : {View::SelfLoops::drop, View::SelfLoops::keep}) {
        for (auto unlabelled : {View::Unlabelled::keep, View::Unlabelled::remove}) {
          const Dataset d = make_dataset(example(), {direction, duplicates, self_loops, unlabelled});
          EXPECT_EQ(d.num_edges, 3);
          EXPECT_EQ(d.num_one_way, 2);
          EXPECT_EQ(d.num_self_loops, 1);
        }
      }
    }
  }
}

TEST(Dataset, UnlabelledNodesLeaveTheSplitsButStayInTheGraph) {
  const Dataset d = make_dataset(example());
  EXPECT_EQ(d.splits[0].train, (std::vector<Index>{0}));
  EXPECT_EQ(d.splits[0].test, (std::vector<Index>{3}));
  EXPECT_EQ(d.splits[1].test, (std::vector<Index>{1}));
}

TEST(Dataset, DeletedNodesLeaveEverything) {
  View view{.duplicates = View::Duplicates::count,
            .self_loops = View::SelfLoops::keep,
            .unlabelled = View::Unlabelled::remove};
  const Dataset d = make_dataset(example(), view);
  EXPECT_TRUE(matrices_equal(to_dense(d.adjacency), matrix_of({{0, 2, 0}, {2, 0, 1}, {0, 1, 0}})));
  EXPECT_TRUE(matrices_equal(to_dense(d.features.sparse()), matrix_of({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}})));
  EXPECT_EQ(d.labels, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(d.ids, (std::vector<std::string>{"a", "b", "d"}));
  EXPECT_EQ(d.splits[0].train, (std::vector<Index>{0}));
  EXPECT_EQ(d.splits[0].val, (std::vector<Index>{1}));
  EXPECT_EQ(d.splits[0].test, (std::vector<Index>{2}));
  EXPECT_EQ(d.splits[1].train, (std::vector<Index>{2}));
}

TEST(Dataset, DeletingWithoutUnlabelledNodesChangesNothing) {
  Tables t = example();
  t.labels[2] = 1;
  View view;
  view.unlabelled = View::Unlabelled::remove;
  const Dataset d = make_dataset(t, view);
  EXPECT_EQ(d.num_nodes(), 4);
  EXPECT_EQ(d.splits[0].train, (std::vector<Index>{0, 2}));
}

TEST(Dataset, FileOrderMovesFeaturesAndLabelsOnly) {
  Tables t = example();
  t.file_order = {2, 0, 1, 3};
  View view;
  EXPECT_EQ(make_dataset(t, view).labels, (std::vector<int>{0, 1, -1, 0}));
  view.rows = View::Rows::by_file;
  const Dataset d = make_dataset(t, view);
  EXPECT_EQ(d.labels, (std::vector<int>{-1, 0, 1, 0}));
  for (Index u = 0; u < 4; ++u) EXPECT_EQ(row_of(d.features.sparse(), u), (std::vector<Index>{t.file_order[u]}));
  EXPECT_EQ(d.adjacency.indices, make_dataset(t).adjacency.indices);
  EXPECT_EQ(d.ids, t.ids);
  EXPECT_TRUE(d.splits[0].train == std::vector<Index>{2});  // the label of node 0 is the missing one now
}

TEST(Dataset, FileOrderWithoutOrderIsIdOrder) {
  View view;
  view.rows = View::Rows::by_file;
  EXPECT_EQ(make_dataset(example(), view).labels, example().labels);
}

TEST(Dataset, ShiftedColumnsShiftTheirNames) {
  View view;
  view.columns = View::Columns::shifted;
  const Dataset d = make_dataset(example(), view);
  EXPECT_EQ(d.feature_names, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_TRUE(matrices_equal(to_dense(d.features.sparse()), matrix_of({{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})));
}

TEST(Dataset, UnknownViewsNameTheAllowedOnes) {
  View view;
  EXPECT_EQ(error_text([&] {
              assign(view, {{"direction", "boht"}});
            }),
            "2: direction: unknown value 'boht'; allowed: both out in separate; did you mean 'both'?");
  for (const OptionInfo& info : describe<View>()) {
    EXPECT_EQ(error_text([&] { assign(view, {{info.name, "nonsense"}}); }).find("2: "), 0u);
    for (const Word& word : info.words) assign(view, {{info.name, word.text}});
    EXPECT_EQ(to_values(view).at(info.name), info.words.back().text);
  }
}

std::string error_after(void (*damage)(Tables&)) {
  Tables t = example();
  damage(t);
  return error_text([&] { make_dataset(t); });
}

TEST(Dataset, BrokenTablesAreRefused) {
  EXPECT_EQ(error_after([](Tables& t) { t.edges[4].target = 4; }), "65: small: edge 4 (2 to 4): node outside 0..3");
  EXPECT_EQ(error_after([](Tables& t) { t.edges[0].source = -1; }), "65: small: edge 0 (-1 to 1): node outside 0..3");
  EXPECT_EQ(error_after([](Tables& t) { t.labels.pop_back(); }), "65: small: 3 labels for 4 nodes");
  EXPECT_EQ(error_after([](Tables& t) { t.labels[1] = 2; }),
            "65: small: node 1: class 2 outside 0..1 (-1: unlabelled)");
  EXPECT_EQ(error_after([](Tables& t) { t.ids.pop_back(); }), "65: small: 3 ids for 4 nodes");
  EXPECT_EQ(error_after([](Tables& t) { t.feature_names.pop_back(); }), "65: small: 3 feature names for 4 columns");
  EXPECT_EQ(error_after([](Tables& t) { t.file_order = {0, 1, 2, 4}; }), "65: small: file order: node 4 outside 0..3");
  EXPECT_EQ(error_after([](Tables& t) { t.splits[1].val = {7}; }), "65: small: split 1: node 7 outside 0..3");
  EXPECT_EQ(error_after([](Tables& t) { t = {}; }), "65: : no nodes");
  EXPECT_EQ(error_after([](Tables& t) { t.edge_weights = {1, 2}; }), "65: small: 2 edge weights for 6 edges");
  EXPECT_EQ(error_after([](Tables& t) { t.edge_weights = {1, 1, 0, 1, 1, 1}; }),
            "65: small: edge 2: weight 0 outside 1e-15..1e+15");
  EXPECT_EQ(error_after([](Tables& t) { t.edge_weights.assign(6, std::nanf("")); }),
            "65: small: edge 0: weight nan outside 1e-15..1e+15");
}

std::string error_after_features(void (*damage)(Csr&)) {
  Tables t = example();
  t.features.sparse().values = {1, 2, 3, 4};
  damage(t.features.sparse());
  return error_text([&] { check_tables(t); });
}

TEST(Dataset, BrokenSparseFeaturesAreRefused) {
  EXPECT_EQ(error_after_features([](Csr&) {}), "no error");
  EXPECT_EQ(error_after_features([](Csr& x) { x.indices[2] = 4; }),
            "65: small: features of node 2: column 4 outside 0..3");
  EXPECT_EQ(error_after_features([](Csr& x) { x.indices[2] = -1; }),
            "65: small: features of node 2: column -1 outside 0..3");
  EXPECT_EQ(error_after_features([](Csr& x) { x.offsets.pop_back(); }),
            "65: small: features: 4 row offsets for 4 rows; expected 5");
  EXPECT_EQ(error_after_features([](Csr& x) { x.offsets.back() = 3; }),
            "65: small: features: row offsets run from 0 to 3; expected 0 to 4");
  EXPECT_EQ(error_after_features([](Csr& x) { x.offsets[1] = 9; }),
            "65: small: features: row offset 2 is 2, below the one before, 9");
  EXPECT_EQ(error_after_features([](Csr& x) { x.offsets[1] = -9; }),
            "65: small: features: row offset 1 is -9, below the one before, 0");
  EXPECT_EQ(error_after_features([](Csr& x) { x.values.pop_back(); }), "65: small: 3 values of features for 4 entries");
  EXPECT_EQ(error_after_features([](Csr& x) { x.values[3] = std::nanf(""); }),
            "65: small: features of node 3: column 3 is nan; only finite numbers can be learned from");
  EXPECT_EQ(error_after_features([](Csr& x) {
              x = {4, 4, {0, 2, 2, 2, 2}, {1, 0}, {}};
            }),
            "65: small: features of node 0: column 0 after column 1; the columns of a row ascend");
  EXPECT_EQ(error_after_features([](Csr& x) {
              x = {4, 4, {0, 2, 2, 2, 2}, {1, 1}, {}};
            }),
            "65: small: features of node 0: column 1 after column 1; the columns of a row ascend");
}

TEST(Dataset, NamesThatRepeatAreRefused) {
  EXPECT_EQ(error_after([](Tables& t) { t.ids[3] = "a"; }), "65: small: node id 'a' appears twice");
  EXPECT_EQ(error_after([](Tables& t) { t.classes[1] = "0"; }), "65: small: class '0' appears twice");
}

TEST(Dataset, ListsOfSplitsAscend) {
  Tables t = example();
  t.labels[2] = 0;
  t.splits = {{{3, 1, 0}, {}, {2}}};
  EXPECT_EQ(make_dataset(t).splits[0].train, (std::vector<Index>{0, 1, 3}));
}

TEST(Dataset, NodesAndClassesThatItLacksAreRefused) {
  const Dataset d = make_dataset(example());
  for (Index node : {-1, 4, 100'000'000}) {
    const std::string expected = join("65: small: node ", node, " outside 0..3");
    EXPECT_EQ(error_text([&] { check_nodes(d, std::vector<Index>{0, node}); }), expected);
    EXPECT_EQ(error_text([&] { d.id(node); }), expected);
  }
  EXPECT_EQ(error_text([&] { check_classes(d, std::vector<int>{1, 2}); }), "65: small: class 2 outside 0..1");
  EXPECT_EQ(error_text([&] { check_classes(d, std::vector<int>{0, -1}); }), "65: small: class -1 outside 0..1");
}

}  // namespace
}  // namespace gcnh::testing
