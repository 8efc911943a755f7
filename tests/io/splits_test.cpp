#include "gcnh/io/splits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gcnh/io/geom_gcn.h"
#include "gcnh/io/npz.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

using Bytes = std::vector<std::uint8_t>;

NpyArray mask(const Bytes& values, const char* dtype = "|u1") {
  NpyArray out = make_npy(std::span<const std::uint8_t>(values), {static_cast<std::int64_t>(values.size())});
  out.dtype = dtype;
  return out;
}

class SplitFileTest : public ::testing::Test {
 protected:
  void put(int number, const NpyArray& train, const NpyArray& val, const NpyArray& test) {
    write_npz(dir_ / ("toy_split_0.6_0.2_" + std::to_string(number) + ".npz"),
              {{"train_mask", train}, {"val_mask", val}, {"test_mask", test}});
  }
  std::vector<Split> read() { return read_geom_gcn_splits(dir_.path(), "toy", 4); }
  TempDir dir_;
};

TEST_F(SplitFileTest, ReadsBoolAndByteMasks) {
  put(0, mask({1, 0, 0, 1}), mask({0, 1, 0, 0}), mask({0, 0, 0, 0}));
  put(1, mask({0, 1, 0, 0}, "|b1"), mask({0, 0, 1, 0}, "|b1"), mask({0, 0, 0, 1}, "|b1"));
  const std::vector<Split> splits = read();
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].train, std::vector<Index>({0, 3}));
  EXPECT_EQ(splits[0].val, std::vector<Index>({1}));
  EXPECT_TRUE(splits[0].test.empty());
  EXPECT_EQ(splits[1].test, std::vector<Index>({3}));
}

TEST_F(SplitFileTest, StopsAtTheFirstMissingNumber) {
  EXPECT_TRUE(read().empty());
  put(1, mask({1, 0, 0, 0}), mask({0, 0, 0, 0}), mask({0, 0, 0, 0}));
  EXPECT_TRUE(read().empty());
  put(0, mask({1, 0, 0, 0}), mask({0, 0, 0, 0}), mask({0, 0, 0, 0}));
  put(3, mask({1, 0, 0, 0}), mask({0, 0, 0, 0}), mask({0, 0, 0, 0}));
  EXPECT_EQ(read().size(), 2u);
}

TEST_F(SplitFileTest, WrongMasksAreErrors) {
  const NpyArray one = mask({1, 0, 0, 0}), none = mask({0, 0, 0, 0});
  put(0, mask({1, 0, 0}), none, none);
  EXPECT_ERROR(read(), "toy_split_0.6_0.2_0.npz: train_mask: 3 values in 1 dimensions; expected 4 in 1");
  put(0, one, mask({0, 0, 2, 0}), none);
  EXPECT_ERROR(read(), "toy_split_0.6_0.2_0.npz: val mask: node 2 has the value 2; allowed: 0 and 1");
  put(0, mask({1, 1, 1, 0}), none, mask({0, 1, 1, 0}));
  EXPECT_ERROR(read(), "toy_split_0.6_0.2_0.npz: node 1 is in more than one of train, val and test");
  put(0, none, one, none);
  EXPECT_ERROR(read(), "toy_split_0.6_0.2_0.npz: the train mask is empty");
  NpyArray square = one;
  square.shape = {2, 2};
  put(0, square, none, none);
  EXPECT_ERROR(read(), "4 values in 2 dimensions; expected 4 in 1");
  const std::vector<float> reals = {1, 0, 0, 0};
  put(0, make_npy(std::span<const float>(reals), {4}), none, none);
  EXPECT_ERROR(read(), "train_mask: type '<f4' where integers are expected");
  write_npz(dir_ / "toy_split_0.6_0.2_0.npz", {{"train_mask", one}});
  EXPECT_ERROR(read(), "no array 'val_mask'; it holds: train_mask");
}

TEST(Splits, UnlabelledNodesLeaveEveryList) {
  std::vector<Split> splits = {{{0, 1}, {2, 3}, {4}}};
  drop_unlabelled(splits, std::vector<int>{0, -1, -1, 2, -1});
  EXPECT_EQ(splits[0].train, std::vector<Index>({0}));
  EXPECT_EQ(splits[0].val, std::vector<Index>({3}));
  EXPECT_TRUE(splits[0].test.empty());
}

TEST(Splits, GeneratorAndShuffleArePythons) {
  std::mt19937 draw = python_generator(155);
  EXPECT_EQ(draw(), 2494887623u);
  EXPECT_EQ(draw(), 2159065263u);
  EXPECT_EQ(draw(), 2316647555u);
  const std::vector<Index> order = python_shuffle(155, 1490);
  const std::vector<Index> head = {28, 492, 913, 1053, 1207, 1403, 739, 1327, 542, 924};
  const std::vector<Index> tail = {1405, 584, 1104, 1029, 1189};
  EXPECT_EQ(std::vector<Index>(order.begin(), order.begin() + 10), head);
  EXPECT_EQ(std::vector<Index>(order.end() - 5, order.end()), tail);
}

TEST(Splits, SynCoraSplitIsSortedAndComplete) {
  const Split split = syn_cora_split(1490);
  EXPECT_EQ(split.train.size(), 745u);
  EXPECT_EQ(split.val.size(), 298u);
  EXPECT_EQ(split.test.size(), 447u);
  std::vector<int> seen(1490);
  for (const auto* nodes : {&split.train, &split.val, &split.test}) {
    EXPECT_TRUE(std::is_sorted(nodes->begin(), nodes->end()));
    for (Index node : *nodes) ++seen[node];
  }
  EXPECT_EQ(seen, std::vector<int>(1490, 1));
  EXPECT_TRUE(std::binary_search(split.train.begin(), split.train.end(), 28));
  EXPECT_TRUE(std::binary_search(split.test.begin(), split.test.end(), 1189));
}

}  // namespace
}  // namespace gcnh
