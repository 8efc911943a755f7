// Splits that overlap, are empty, drift, or are too small to measure with.
#include "tests/check/check_tools.h"

namespace gcnh::testing {
namespace {

// One split: node u goes to set(u), 0 train, 1 val, 2 test, else none.
template <class Set>
Tables split_by(const Set& set) {
  Tables t = sane_tables();
  t.splits.resize(1);
  for (Index u = 0; u < kSaneNodes; ++u) {
    if (set(u) == 0) t.splits[0].train.push_back(u);
    if (set(u) == 1) t.splits[0].val.push_back(u);
    if (set(u) == 2) t.splits[0].test.push_back(u);
  }
  return t;
}

int third_of(Index u) { return u / 3 % 3; }

TEST(CheckSplits, OverlapAndEmptySets) {
  Tables t = split_by(third_of);
  expect_fine(t, "splits");
  t.splits[0].test.push_back(t.splits[0].train[4]);
  expect_found(t, "splits", Severity::error, {"split 0: node 10 is in two sets"});
  t.splits[0].test.clear();
  expect_found(t, "splits", Severity::warning, {"no labelled node in the test set"});
  t.splits[0].val.clear();
  expect_found(t, "splits", Severity::warning, {"no labelled node in the validation set"});
  t.splits[0].train.clear();
  expect_found(t, "splits", Severity::error, {"no labelled node in the training set"});
}

// Training refuses random splits of which a set that was asked for is empty.
TEST(CheckSplits, TooFewNodesForRandomSplits) {
  Tables t = sane_tables();
  for (Index u = 2; u < kSaneNodes; ++u) t.labels[u] = -1;
  expect_found(t, "splits", Severity::error, {"split 0: no labelled node in the"});
}

TEST(CheckSplits, Drift) {
  expect_found(split_by([](Index u) { return u % 3 == 0 && u > 200 ? 2 : u % 2; }), "split-drift", Severity::warning,
               {"class 'a'", "100.0 % of the test nodes"});
  expect_fine(split_by(third_of), "split-drift");
}

TEST(CheckSplits, TestsLargerThanTraining) {
  expect_found(split_by([](Index u) { return u / 3 % 5 == 0   ? 0
                                             : u / 3 % 5 == 1 ? 1
                                                              : 2; }), "test-larger",
               Severity::warning, {"360 test nodes, 120 training nodes"});
  expect_fine(split_by(third_of), "test-larger");
}

TEST(CheckSplits, SmallTests) {
  expect_found(split_by([](Index u) { return u < 50 ? 2 : u % 2; }), "small-test", Severity::warning,
               {"50 nodes: one node is 2.0 %"});
  expect_fine(split_by(third_of), "small-test");
}

TEST(CheckSplits, OtherSizesAndNodesLeftOut) {
  Tables t = split_by([](Index u) { return u < 590 ? third_of(u) : 3; });
  expect_found(t, "split-sizes", Severity::warning, {"10 labelled nodes are in no set"});
  t = split_by(third_of);
  t.splits.push_back(t.splits[0]);
  t.splits[1].train.resize(100);
  expect_found(t, "split-sizes", Severity::warning, {"split with fewer nodes", "1 (100/"});
  t.splits.pop_back();
  expect_fine(t, "split-sizes");
}

}  // namespace
}  // namespace gcnh::testing
