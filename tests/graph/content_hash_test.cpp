#include "gcnh/graph/content_hash.h"

#include <gtest/gtest.h>

#include "gcnh/graph/synthetic.h"

namespace gcnh {
namespace {

Dataset small() {
  SyntheticOptions options;
  options.nodes = 50;
  return make_dataset(make_synthetic(options));
}

TEST(ContentHash, TellsEveryPartApart) {
  const std::uint64_t hash = content_hash(small());
  EXPECT_EQ(content_hash(small()), hash);
  Dataset edge = small(), feature = small(), label = small(), split = small();
  edge.adjacency.indices[3] ^= 1;
  feature.features.sparse.indices[5] ^= 1;
  label.labels[7] = (label.labels[7] + 1) % 5;
  std::swap(split.splits[2].val[0], split.splits[2].test[0]);
  for (const Dataset& d : {edge, feature, label, split}) EXPECT_NE(content_hash(d), hash);
}

}  // namespace
}  // namespace gcnh
