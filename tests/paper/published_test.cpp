#include "gcnh/paper/published.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/paper/paper.h"

namespace gcnh::testing {
using namespace paper;
namespace {

TEST(Published, HasEveryCellOfTheMainTable) {
  for (const char* model : {"gcnh", "mlp", "gcn", "gat", "geomgcn", "h2gcn", "gprgnn", "ggcn", "odsd"})
    for (const std::string& data : paper_datasets())
      EXPECT_EQ(published("accuracy", model, data).size(), 2u) << model << " " << data;
  EXPECT_EQ(published("accuracy", "gcnh", "squirrel"), (std::vector<double>{61.85, 1.54}));
  EXPECT_EQ(published("beta", "gcnh", "cora"), (std::vector<double>{0.69, 0.61}));
  EXPECT_TRUE(published("accuracy", "gcnh", "mine").empty());
}

TEST(Published, DistancesAreInStandardErrorsOfTenSplits) {
  const double error = 1.54 / std::sqrt(10.0);
  EXPECT_NEAR(distance("accuracy", "gcnh", "squirrel", 61.85 + 2 * error).value(), 2, 1e-12);
  EXPECT_NEAR(distance("accuracy", "gcnh", "squirrel", 61.85 - error).value(), -1, 1e-12);
  EXPECT_FALSE(distance("accuracy", "gcnh", "mine", 50).has_value());
  EXPECT_NEAR(distance_from_rerun("gcn", "wisconsin", 48.82).value(), 0, 1e-12);
  EXPECT_FALSE(distance_from_rerun("odsd", "texas", 48.82).has_value());
}

}  // namespace
}  // namespace gcnh::testing
