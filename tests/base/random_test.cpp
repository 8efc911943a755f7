// Philox against the published vectors, and what the library builds on it.
#include "gcnh/base/random.h"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace gcnh::testing {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Random123's kat_vectors, philox4x32 with 10 rounds: counter, key, result.
TEST(Philox, KnownAnswers) {
  struct Answer {
    Words counter;
    std::array<std::uint32_t, 2> key;
    Words result;
  };
  const Answer answers[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Answer& a : answers) {
    const auto& c = a.counter;
    const auto w = r123::Philox4x32()({{c[0], c[1], c[2], c[3]}}, {{a.key[0], a.key[1]}});
    EXPECT_EQ((Words{w[0], w[1], w[2], w[3]}), a.result);
  }
}

TEST(Rng, FirstBlockOfSeedZeroIsTheKnownAnswer) {
  EXPECT_EQ(Rng(0).block(0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

// All of seed and block number enter, the upper halves too.
TEST(Rng, AddressesAreDistinct) {
  std::set<Words> seen;
  for (std::uint64_t seed : {0ull, 1ull, 1ull << 32, ~0ull})
    for (std::uint64_t i : {0ull, 1ull, 2ull, 1ull << 32, ~0ull}) seen.insert(Rng(seed).block(i));
  EXPECT_EQ(seen.size(), 20u);
}

TEST(Rng, UniformHasTheRightMoments) {
  constexpr int kCount = 200000;
  const Rng rng(7);
  double mean = 0, square = 0, low = 1, high = 0, neighbours = 0;
  std::array<int, 16> bins{};
  for (int i = 0; i < kCount; ++i) {
    const double u = rng.uniform(i);
    mean += u / kCount;
    square += u * u / kCount;
    neighbours += (u - 0.5) * (rng.uniform(i + 1) - 0.5) / kCount;
    low = std::min(low, u);
    high = std::max(high, u);
    ++bins[static_cast<std::size_t>(16 * u)];
  }
  EXPECT_NEAR(mean, 1.0 / 2, 5 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(square, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kCount));
  EXPECT_NEAR(neighbours, 0, 5 * (1.0 / 12) / std::sqrt(kCount));
  EXPECT_GE(low, 0);
  EXPECT_LT(high, 1);
  double chi = 0;
  for (int bin : bins) chi += std::pow(bin - kCount / 16.0, 2) / (kCount / 16.0);
  EXPECT_LT(chi, 45);  // 15 degrees of freedom: one in 10^4
}

TEST(Rng, NormalHasTheRightMoments) {
  constexpr int kCount = 200000;
  const Rng rng(8);
  double mean = 0, square = 0, fourth = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = rng.normal(i);
    ASSERT_TRUE(std::isfinite(x));
    mean += x / kCount;
    square += x * x / kCount;
    fourth += x * x * x * x / kCount;
  }
  EXPECT_NEAR(mean, 0, 5 * std::sqrt(1.0 / kCount));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(fourth, 3, 5 * std::sqrt(96.0 / kCount));
}

TEST(Rng, BelowCoversItsRangeEvenly) {
  for (std::uint64_t n : {1, 2, 7, 10}) {
    std::vector<int> counts(n);
    for (int i = 0; i < 20000; ++i) ++counts.at(Rng(9).below(n, i));
    const double expected = 20000.0 / static_cast<double>(n);
    for (int count : counts) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
  }
  EXPECT_LT(Rng(9).below(1ull << 40, 3), 1ull << 40);
}

TEST(Rng, ForksAreRepeatableAndIndependent) {
  const Rng rng(10);
  EXPECT_EQ(rng.fork(3).key(), rng.fork(3).key());
  std::set<std::uint64_t> keys = {rng.key()};
  for (std::uint64_t tag = 0; tag < 1000; ++tag) {
    keys.insert(rng.fork(tag).key());
    keys.insert(rng.fork(tag).fork(0).key());
    keys.insert(rng.fork(0).fork(tag + 1).key());
  }
  EXPECT_EQ(keys.size(), 3001u);
  // A fork's key is no block of the parent's stream.
  EXPECT_NE(static_cast<std::uint32_t>(rng.fork(0).key()), rng.block(0)[0]);
  double correlation = 0;
  for (int i = 0; i < 100000; ++i) correlation += (rng.fork(1).uniform(i) - 0.5) * (rng.fork(2).uniform(i) - 0.5);
  EXPECT_NEAR(correlation / 100000, 0, 5 * (1.0 / 12) / std::sqrt(100000));
}

TEST(Shuffle, IsARepeatablePermutation) {
  for (std::size_t count : {0, 1, 2, 3, 100, 1000}) {
    std::vector<int> items(count);
    std::iota(items.begin(), items.end(), 0);
    const std::vector<int> sorted = items;
    std::vector<int> again = items;
    shuffle(items, Rng(11));
    shuffle(again, Rng(11));
    EXPECT_EQ(items, again);
    EXPECT_TRUE(std::is_permutation(items.begin(), items.end(), sorted.begin()));
    if (count >= 100) {
      EXPECT_NE(items, sorted);
    }
  }
}

TEST(Shuffle, AllOrdersAreEquallyLikely) {
  std::map<std::vector<int>, int> counts;
  for (int i = 0; i < 24000; ++i) {
    std::vector<int> items = {0, 1, 2, 3};
    shuffle(items, Rng(12).fork(i));
    ++counts[items];
  }
  ASSERT_EQ(counts.size(), 24u);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 160);
}

// Streams are part of what a seed means: they must not change from release to release. The file is written by
// tests/oracle/make_golden.py from a Philox of its own.
TEST(Rng, StreamsArePinned) {
  const auto pinned = nlohmann::json::parse(std::ifstream(GCNH_TEST_DATA "/random.json"));
  ASSERT_GT(pinned.size(), 3u);
  for (const auto& entry : pinned) {
    Rng rng(entry.at("seed").get<std::uint64_t>());
    for (const auto& tag : entry.at("forks")) rng = rng.fork(tag.get<std::uint64_t>());
    EXPECT_EQ(rng.key(), entry.at("key").get<std::uint64_t>());
    const auto index = entry.at("index").get<std::uint64_t>();
    EXPECT_EQ(rng.block(index), entry.at("block").get<Words>());
    EXPECT_EQ(rng.uniform(index), entry.at("uniform").get<double>());
    EXPECT_NEAR(rng.normal(index), entry.at("normal").get<double>(), 1e-12);
    EXPECT_EQ(rng.below(1000, index), entry.at("below_1000").get<std::uint64_t>());
    std::vector<int> items(10);
    std::iota(items.begin(), items.end(), 0);
    shuffle(items, rng);
    EXPECT_EQ(items, entry.at("shuffle_10").get<std::vector<int>>());
  }
}

}  // namespace
}  // namespace gcnh::testing
