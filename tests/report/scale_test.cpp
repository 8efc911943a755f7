#include "gcnh/report/scale.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gcnh::report {
namespace {

TEST(Ticks, AreRound) {
  const auto ticks = [](double low, double high, int about) { return make_scale(low, high, false, 0, 1, about).ticks; };
  EXPECT_EQ(ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks(-3, 12, 4), (std::vector<double>{-5, 0, 5, 10, 15}));
  EXPECT_EQ(log_ticks(1, 20), (std::vector<double>{1, 2, 5, 10, 20}));
  EXPECT_EQ(log_ticks(1, 10000), (std::vector<double>{1, 10, 100, 1000, 10000}));
}

TEST(Ticks, ShowTheDecimalsTheyNeed) {
  EXPECT_EQ(tick_texts({0, 0.2, 0.4}), (std::vector<std::string>{"0.0", "0.2", "0.4"}));
  EXPECT_EQ(tick_texts({-5, 0, 5}), (std::vector<std::string>{"−5", "0", "5"}));
  EXPECT_EQ(tick_texts({0, 20000}), (std::vector<std::string>{"0", "20\u202f000"}));
}

TEST(AxisScale, CoversItsNumbers) {
  const AxisScale s = make_scale(0.13, 0.87, false, 0, 100, 5);
  EXPECT_DOUBLE_EQ(s.low, 0.1);
  EXPECT_DOUBLE_EQ(s.high, 0.9);
  EXPECT_DOUBLE_EQ(s(0.5), 50);
  const AxisScale same = make_scale(4, 4, false, 0, 1, 5);
  EXPECT_LT(same.low, 4);
  EXPECT_GT(same.high, 4);
  const AxisScale log = make_scale(1, 100, true, 0, 1, 5);
  EXPECT_NEAR(log(10), 0.5, 1e-12);
}

}  // namespace
}  // namespace gcnh::report
