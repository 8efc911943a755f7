#include "gcnh/graph/content_hash.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "gcnh/graph/synthetic.h"

namespace gcnh {
namespace {

Dataset small_dataset() {
  SyntheticOptions options;
  options.nodes = 50;
  return make_dataset(make_synthetic(options));
}

TEST(ContentHash, TellsEveryPartApart) {
  const std::uint64_t hash = content_hash(small_dataset());
  EXPECT_EQ(content_hash(small_dataset()), hash);
  Dataset edge = small_dataset(), feature = small_dataset(), label = small_dataset(), split = small_dataset();
  edge.adjacency.indices[3] ^= 1;
  feature.features.sparse().indices[5] ^= 1;
  label.labels[7] = (label.labels[7] + 1) % 5;
  std::swap(split.splits[2].val[0], split.splits[2].test[0]);
  for (const Dataset& d : {edge, feature, label, split}) EXPECT_NE(content_hash(d), hash);
}

Column numbers_column(std::vector<double> numbers) {
  Column out;
  out.spec = {"t", ColumnKind::num};
  out.numbers = std::move(numbers);
  return out;
}

std::uint64_t hash_with(const Column& column) {
  Dataset d = small_dataset();
  d.columns = std::make_shared<const std::vector<Column>>(1, column);
  return content_hash(d);
}

TEST(ContentHash, TellsColumnsApartThatHaveTheSameFeatures) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::uint64_t hash = hash_with(numbers_column({1700000000001, 1700000000002, 3}));
  EXPECT_EQ(hash, hash_with(numbers_column({1700000000001, 1700000000002, 3})));
  EXPECT_NE(hash, hash_with(numbers_column({1700000000002, 1700000000001, 3})));
  EXPECT_NE(hash, hash_with(numbers_column({1700000000001, 1700000000002, nan})));
  Column yes_or_no = numbers_column({0, 1, 1}), words;
  yes_or_no.spec.kind = ColumnKind::boolean;
  EXPECT_NE(hash_with(yes_or_no), hash_with(numbers_column({0, 1, 1})));  // numbers are scaled
  words.spec = {"t", ColumnKind::cat};
  words.values = {"a", "b"};
  words.items = make_csr(50, 2, {{0, 1, 1}}, Repeats::add);
  Column others = words;
  others.values[1] = "c";
  EXPECT_NE(hash_with(words), hash_with(others));
}

TEST(ContentHash, NumbersThatAMatrixCanHoldAreTheSameInATable) {
  EXPECT_EQ(hash_with(numbers_column({0.1, 1.0 / 4, -3, 16777216})), content_hash(small_dataset()));
}

}  // namespace
}  // namespace gcnh
