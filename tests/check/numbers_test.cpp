// Codes for no value and slips of the pen among numbers and dates.
#include "tests/check/check_tools.h"

namespace gcnh::testing {
namespace {

TEST(CheckNumbers, CodesForNoValue) {
  const auto code = [](int u) { return u % 12 == 5 ? -9999 : u % 7 * 1.5; };
  expect_found(table_with("temp", code), "far-numbers", Severity::warning, {"5 cells of 'temp' are -9999"});
  EXPECT_NE(remark_of(table_with("temp", code), "far-numbers").fix.find("`missing` temp=-9999 (as"), std::string::npos);
  const auto date = [](int u) { return u % 12 == 5 ? "1900-01-01" : join("202", u % 4, "-0", 1 + u % 9, "-11"); };
  expect_found(table_with("since", date), "far-numbers", Severity::warning, {"5 cells of 'since' are 1900-01-01"});
  expect_fine(table_with("temp", [](int u) { return u % 7 * 1.5; }), "far-numbers");
}

TEST(CheckNumbers, SlipsOfThePen) {
  expect_found(table_with("kg", [](int u) { return u == 7 ? 75000 : 50 + u; }), "far-numbers", Severity::warning,
               {"1 cell of 'kg' is 75000"});
  const auto both = [](int u) { return u == 7 ? 75000.0 : u == 9 ? -1e9 : 50.5 + u; };
  expect_found(table_with("kg", both), "far-numbers", Severity::warning, {"1 cell of 'kg' is -1e+09"});
}

TEST(CheckNumbers, LongTailsAndFewValuesAreFine) {
  expect_fine(table_with("visits", [](int u) { return u == 7 ? 50 : u % 8; }), "far-numbers");
  expect_fine(table_with("paid", [](int u) { return u == 7 ? 1000.5 : 0.5; }), "far-numbers");  // two values
  expect_fine(table_with("income", [](int u) { return std::exp(0.1 * u); }), "far-numbers");
}

}  // namespace
}  // namespace gcnh::testing
