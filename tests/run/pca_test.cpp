#include "gcnh/run/pca.h"

#include <gtest/gtest.h>

#include <vector>

namespace gcnh {
namespace {

TEST(Pca, FindsTheDirectionsOfMostVariance) {
  std::vector<std::vector<double>> rows;
  for (int i = -5; i <= 5; ++i)
    for (int j : {-1, 1}) rows.push_back({7.0 + 3 * i, 2.0 - 4 * i, 1.0 * j});  // along (3, -4, 0), then along z
  const Components plane = principal_components(rows, 2);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    EXPECT_NEAR(plane.points[r][0], -5 * (rows[r][0] - 7) / 3, 1e-9);
    EXPECT_NEAR(plane.points[r][1], rows[r][2], 1e-9);
  }
  EXPECT_NEAR(plane.share[0] + plane.share[1], 1, 1e-12);
  EXPECT_NEAR(plane.share[0], 250.0 / 251, 1e-3);
  EXPECT_EQ(principal_components({{1}, {2}}, 2).points[1][1], 0) << "one column has no second axis";
}

}  // namespace
}  // namespace gcnh
