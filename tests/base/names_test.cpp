#include "gcnh/base/names.h"

#include <gtest/gtest.h>

namespace gcnh {
namespace {

using Names = std::vector<std::string>;

TEST(Names, StandBetweenCommas) {
  EXPECT_EQ(split_list("a, b c ,d"), Names({"a", "b c", "d"}));
  EXPECT_EQ(split_list(""), Names({""}));
  EXPECT_EQ(split_list("a,,"), Names({"a", "", ""}));
}

TEST(Names, QuotesKeepCommas) {
  EXPECT_EQ(split_list("\"rent, paid\",city"), Names({"rent, paid", "city"}));
  EXPECT_EQ(split_list("city , \"rent, \"\"paid\"\"\" "), Names({"city", "rent, \"paid\""}));
  for (const std::string name : {"a", "rent, paid", "\"x", "x\"", "\"x\", y", ",", "a=b"})
    EXPECT_EQ(split_list("b," + in_list(name) + ",c"), Names({"b", name, "c"}));
  EXPECT_EQ(in_list("a=b", "="), "\"a=b\"");
  EXPECT_EQ(in_list("5\" pipe"), "5\" pipe");
}

TEST(Names, OtherQuotesAreLetters) {
  EXPECT_EQ(split_list("5\",\"x"), Names({"5\"", "\"x"}));
  EXPECT_EQ(split_list("\"a\"b,c"), Names({"\"a\"b", "c"}));
}

}  // namespace
}  // namespace gcnh
