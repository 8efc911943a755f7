// Class weights by their words.
#include "gcnh/train/class_weights.h"

#include <gtest/gtest.h>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

TEST(ClassWeightWords, BalancedGivenAndNone) {
  Dataset d = shape_only(2, 3);
  d.labels = {0, 0, 0, 1, 0, 2};
  d.classes = {"a", "b", "c=d"};
  const std::vector<Index> nodes = {0, 1, 2, 3};  // three of a, one of b
  EXPECT_TRUE(class_weights("none", d, nodes).empty());
  const std::vector<Real> balanced = class_weights("balanced", d, nodes);
  EXPECT_NEAR(balanced[0], 4.0 / (2 * 3), 1e-6);
  EXPECT_NEAR(balanced[1], 4.0 / (2 * 1), 1e-6);
  EXPECT_EQ(balanced[2], 1) << "no node to weigh";
  EXPECT_EQ(class_weights("b=20", d, nodes), (std::vector<Real>{1, 20, 1}));
  EXPECT_EQ(class_weights("c=d=0.5,a=2", d, nodes), (std::vector<Real>{2, 1, Real(0.5)}));
  d.classes = {"rent, paid", "b", "\"c\""};
  EXPECT_EQ(class_weights("b=3,\"rent, paid\"=20", d, nodes), (std::vector<Real>{20, 3, 1}));
  EXPECT_EQ(class_weights("\"\"\"c\"\"\"=2,b=3", d, nodes), (std::vector<Real>{1, 3, 2}));
  d.classes = {"a", "b", "c=d"};
  for (const char* wrong : {"", "balancd", "a=0", "a=-1", "a=x", "a=1,", "e=1", "a=1e99", "a"})
    EXPECT_THROW(class_weights(wrong, d, nodes), Error) << wrong;
}

}  // namespace
}  // namespace gcnh::testing
