#include "gcnh/graph/content_hash.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gcnh
