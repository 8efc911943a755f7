#include "gcnh/graph/splits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/graph/graph_tools.h"

namespace gcnh::testing {
namespace {

struct Shares {
  double train;
  double val;
};

// sizes[k] nodes of class k and some without a label, mixed.
std::vector<int> labels_of_sizes(const std::vector<int>& sizes, int unlabelled = 0) {
  std::vector<int> labels(unlabelled, -1);
  for (std::size_t k = 0; k < sizes.size(); ++k) labels.insert(labels.end(), sizes[k], static_cast<int>(k));
  shuffle(labels, Rng(99));
  return labels;
}

std::vector<int> count_classes(const std::vector<Index>& nodes, const std::vector<int>& labels, int num_classes) {
  std::vector<int> out(num_classes);
  for (Index node : nodes) ++out[labels[node]];
  return out;
}

// Everything that holds for every split, however small the classes are.
void expect_valid(const Split& split, const std::vector<int>& labels, const std::vector<int>& sizes, Shares shares) {
  std::set<Index> seen;
  for (const auto* set : {&split.train, &split.val, &split.test}) {
    EXPECT_TRUE(std::is_sorted(set->begin(), set->end()));
    for (Index node : *set) EXPECT_TRUE(labels[node] >= 0 && seen.insert(node).second);
  }
  EXPECT_EQ(std::ssize(seen), std::count_if(labels.begin(), labels.end(), [](int label) { return label >= 0; }));
  const int num_classes = static_cast<int>(sizes.size());
  const auto train = count_classes(split.train, labels, num_classes),
             val = count_classes(split.val, labels, num_classes), test = count_classes(split.test, labels, num_classes);
  for (int k = 0; k < num_classes; ++k) {
    if (sizes[k] < 3) continue;
    EXPECT_GE(train[k], 1);
    EXPECT_GE(val[k], shares.val > 0 ? 1 : 0);
    EXPECT_GE(test[k], shares.train + shares.val < 1 ? 1 : 0);
  }
}

TEST(GraphSplits, LargeClassesAreDividedInProportion) {
  const std::vector<int> sizes = {351, 217, 418, 818, 426, 298, 180};
  const std::vector<int> labels = labels_of_sizes(sizes, 12);
  for (Shares shares : {Shares{0.48, 0.32}, Shares{0.6, 0.2}, Shares{0.05, 0.9}, Shares{0.7, 0.3}, Shares{0.8, 0}}) {
    const std::vector<Split> splits = stratified_splits(labels, 7, shares.train, shares.val, 3, Rng(5));
    ASSERT_EQ(splits.size(), 3u);
    for (const Split& split : splits) {
      expect_valid(split, labels, sizes, shares);
      EXPECT_EQ(std::ssize(split.train), std::lround(shares.train * 2708));
      EXPECT_EQ(std::ssize(split.val), std::lround(shares.val * 2708));
      const auto train = count_classes(split.train, labels, 7), val = count_classes(split.val, labels, 7);
      for (int k = 0; k < 7; ++k) {
        EXPECT_LE(std::abs(train[k] - shares.train * sizes[k]), 1.0);
        EXPECT_LE(std::abs(val[k] - shares.val * sizes[k]), 2.0);
      }
    }
  }
}

TEST(GraphSplits, LargestRemaindersByHand) {
  // 10 nodes, half to train: quotas 3.5, 1, 0.5 and 5 in all; both halves tie and the first class wins.
  const std::vector<int> sizes = {7, 2, 1};
  const std::vector<int> labels = labels_of_sizes(sizes);
  const Split split = stratified_splits(labels, 3, 0.5, 0.3, 1, Rng(1))[0];
  EXPECT_EQ(count_classes(split.train, labels, 3), (std::vector<int>{4, 1, 0}));
  // 3 of the remaining 3, 1, 1: quotas 1.8, 0.6, 0.6.
  EXPECT_EQ(count_classes(split.val, labels, 3), (std::vector<int>{2, 1, 0}));
}

TEST(GraphSplits, SmallClassesReachEverySet) {
  for (int trial = 0; trial < 60; ++trial) {
    const Rng rng(trial);
    std::vector<int> sizes(1 + rng.below(6, 0));
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] = static_cast<int>(rng.below(9, 1 + k));
    const std::vector<int> labels = labels_of_sizes(sizes, 4);
    const Shares shares = trial % 2 ? Shares{0.48, 0.32} : Shares{0.05, 0.05};
    const int num_classes = static_cast<int>(sizes.size());
    for (const Split& split : stratified_splits(labels, num_classes, shares.train, shares.val, 2, rng)) {
      expect_valid(split, labels, sizes, shares);
    }
  }
}

TEST(GraphSplits, TheGuaranteeWinsOverTheSizes) {
  const std::vector<int> sizes = {3, 3, 3, 3, 3};
  const Split split = stratified_splits(labels_of_sizes(sizes), 5, 0.48, 0.32, 1, Rng(1))[0];
  EXPECT_EQ(split.train.size(), 5u);
  EXPECT_EQ(split.val.size(), 5u);
  EXPECT_EQ(split.test.size(), 5u);
}

TEST(GraphSplits, SharesThatAddUpToOneInDecimalsLeaveNoTest) {
  for (int percent = 1; percent < 100; ++percent) {
    const std::vector<int> labels = labels_of_sizes({100, 200});
    const Split split = stratified_splits(labels, 2, percent / 100.0, (100 - percent) / 100.0, 1, Rng(1))[0];
    EXPECT_TRUE(split.test.empty()) << percent;
  }
}

TEST(GraphSplits, ASplitDependsOnSeedAndNumberOnly) {
  const std::vector<int> labels = labels_of_sizes({40, 50, 60});
  const auto few = stratified_splits(labels, 3, 0.48, 0.32, 2, Rng(7));
  const auto many = stratified_splits(labels, 3, 0.48, 0.32, 5, Rng(7));
  EXPECT_EQ(few[1].train, many[1].train);
  EXPECT_EQ(few[1].test, many[1].test);
  EXPECT_NE(many[0].train, many[1].train);
  EXPECT_NE(stratified_splits(labels, 3, 0.48, 0.32, 1, Rng(8))[0].train, few[0].train);
}

TEST(GraphSplits, EveryNodeIsEquallyLikelyToTrain) {
  const std::vector<int> labels = labels_of_sizes({20, 20});
  std::vector<int> hits(40);
  for (const Split& split : stratified_splits(labels, 2, 0.5, 0.25, 2000, Rng(3))) {
    for (Index node : split.train) ++hits[node];
  }
  for (int count : hits) EXPECT_NEAR(count, 1000, 120);  // more than five deviations
}

TEST(GraphSplits, WrongSharesAreUsageErrors) {
  const std::vector<int> labels = {0, 1};
  for (Shares s : {Shares{0, 0.5}, Shares{0.7, 0.4}, Shares{0.5, -0.1}, Shares{std::nan(""), 0.1}}) {
    const std::string text = error_text([&] { stratified_splits(labels, 2, s.train, s.val, 1, Rng(1)); });
    EXPECT_EQ(text.find("2: split shares: train "), 0u) << text;
  }
}

TEST(GraphSplits, CheckNamesSplitAndNode) {
  const std::vector<int> labels = {0, 1, -1, 0, 1};
  const auto check = [&](Split split) { return error_text([&] { check_split(split, labels, 3); }); };
  EXPECT_EQ(check({{0}, {1}, {3, 4}}), "no error");
  EXPECT_EQ(check({{0}, {1}, {}}), "65: split 3: no test nodes to score the model on");
  EXPECT_EQ(error_text([&] { check_split({{0}, {1}, {}}, labels, 3, false); }), "no error");
  EXPECT_EQ(check({{}, {1}, {3}}), "65: split 3: no training nodes");
  EXPECT_EQ(check({{0}, {}, {3}}), "65: split 3: no validation nodes");
  EXPECT_EQ(check({{0, 5}, {1}, {3}}), "65: split 3: train node 5 outside 0..4");
  EXPECT_EQ(check({{0}, {-1}, {3}}), "65: split 3: val node -1 outside 0..4");
  EXPECT_EQ(check({{0}, {1}, {2}}), "65: split 3: test node 2 has no label");
  EXPECT_EQ(check({{0, 4}, {1}, {3, 4}}), "65: split 3: node 4 is in train and in test");
  EXPECT_EQ(check({{0}, {1, 1}, {3}}), "65: split 3: node 1 is in val and in val");
}

}  // namespace
}  // namespace gcnh::testing
