// Denormals are zero inside a scope, on the caller's thread and on a pool's, and nowhere else.
#include "gcnh/base/denormals.h"

#include <gtest/gtest.h>

#include <vector>

#include "gcnh/base/parallel.h"

namespace gcnh::testing {
namespace {

// The smallest normal number halved, by arithmetic that the compiler cannot do beforehand.
float half_of_smallest() {
  volatile float smallest = 0x1p-126f;
  return smallest * 0.5f;
}

TEST(FlushDenormals, HoldsInItsScopeOnly) {
  EXPECT_GT(half_of_smallest(), 0);
  {
    const FlushDenormals flush;
    EXPECT_EQ(half_of_smallest(), 0);
    {
      const FlushDenormals keep(false);
      EXPECT_GT(half_of_smallest(), 0);
    }
    EXPECT_EQ(half_of_smallest(), 0);
  }
  EXPECT_GT(half_of_smallest(), 0);
}

TEST(FlushDenormals, TakesDenormalOperandsAsZero) {
  volatile float denormal = half_of_smallest();
  const FlushDenormals flush;
  EXPECT_EQ(denormal * 0x1p100f, 0);
}

TEST(FlushDenormals, APoolDoesAsItsCaller) {
  Pool pool(3);
  std::vector<float> out(1000);
  const auto fill = [&] { pool.run(1000, [&](std::int64_t i) { out[i] = half_of_smallest(); }); };
  {
    const FlushDenormals flush;
    fill();
  }
  EXPECT_EQ(out, std::vector<float>(1000, 0.0f));
  fill();
  EXPECT_EQ(out, std::vector<float>(1000, 0x1p-127f));
}

}  // namespace
}  // namespace gcnh::testing
