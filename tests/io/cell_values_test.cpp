#include "gcnh/io/cell_values.h"

#include <gtest/gtest.h>

#include <vector>

#include "gcnh/io/cell_dates.h"

namespace gcnh {
namespace {

TEST(CellValues, Dates) {
  EXPECT_EQ(parse_date("1970-01-01"), 0.0);
  EXPECT_EQ(parse_date("1970/01/02"), 1.0);
  EXPECT_EQ(parse_date("31.12.1969"), -1.0);
  EXPECT_EQ(parse_date("2000-01-01T12:00Z"), 10957.5);
  EXPECT_EQ(parse_date("2000-01-01 12:00:00.00+12:00"), 10957.0);
  EXPECT_EQ(parse_date("2000-01-01 00:00-0600"), 10957.25);
  for (const char* no : {"",
                         "2000-1-123",
                         "2000-13-01",
                         "1999-02-29",
                         "2000-01-01x",
                         "2000-01-01T",
                         "2000-01-01T25:00",
                         "2000-01-01T12:60",
                         "2000-01-01 12:00+1",
                         "12/31/1999",
                         "20000101",
                         "2000-01-01T12:00:61",
                         "1/2-2000",
                         "1/2/200",
                         "1/2/20000",
                         "1/2/2000x",
                         "1.2.3.2000",
                         "2000.01.02",
                         "//////////",
                         "1/2/"})
    EXPECT_FALSE(parse_date(no)) << no;
}

TEST(CellValues, DaysOfTheWeekAndZonesByName) {
  for (const char* time : {"Fri Jan 02 12:00:00 +0000 1970", "Fri, 02 Jan 1970 12:00:00 +0000",
                           "Fri, 2 Jan 1970 12:00 GMT", "1970-01-02 12:00:00 UTC", "Fri Jan  2 12:00:00 1970",
                           "Fri Jan 02 14:00:00 +0200 1970", "fri 1970-01-02 12:00 Z"})
    EXPECT_EQ(parse_date(time), 1.5) << time;
  for (const char* no :
       {"Fri", "Fri ", "Fri,", "Fru Jan 02 12:00:00 1970", "Fri Jan 02 1970x", "Fri Jan 32 12:00:00 1970",
        "Fri Jan 02 12:00:00 70", "1970-01-02 12:00 XYZ", "1970-01-02 UTC"})
    EXPECT_FALSE(parse_date(no)) << no;
}

TEST(CellValues, Durations) {
  EXPECT_EQ(parse_date("36:00:00", DateOrder::time), 1.5);
  EXPECT_EQ(parse_date("133:12:00", DateOrder::time), 5.55);
  EXPECT_EQ(parse_date("1 days 12:00:00", DateOrder::time), 1.5);
  EXPECT_EQ(parse_date("-1 days +12:00:00.000000", DateOrder::time), -0.5);
  EXPECT_EQ(parse_date("2 days, 6:00:00", DateOrder::time), 2.25);
  for (const char* no : {"133:98", "1 days", "x days 12:00:00", "133:60:00", "133:00:", "1 day12:00:00", "-36:00:00"})
    EXPECT_FALSE(parse_date(no, DateOrder::time)) << no;
}

TEST(CellValues, ShortYearsNamedMonthsAndHalvesOfTheDay) {
  for (const char* day :
       {"2/1/70", "02.01.70", "02-01-70", "2 Jan 1970", "2-jan-70", "2. January 1970", "Jan 2, 1970", "JANUARY 2 1970"})
    EXPECT_EQ(parse_date(day), 1.0) << day;
  EXPECT_EQ(parse_date("1970-02"), 31.0);
  EXPECT_EQ(parse_date("1/1/68"), parse_date("2068-01-01"));
  EXPECT_EQ(parse_date("1970-01-02 6:00 PM"), 1.75);
  EXPECT_EQ(parse_date("1970-01-02 12:00 am"), 1.0);
  EXPECT_EQ(parse_date("18:00", DateOrder::time), 0.75);
  EXPECT_EQ(parse_date("6:00pm", DateOrder::time), 0.75);
  for (const char* no : {"2.1.70", "2-1-70", "1970-2", "1970-13", "0970-02", "1970-02 12:00", "1970-02-", "2 Jan",
                         "Jan 1970", "Janu 2, 1970", "2 Jan 197", "31 Feb 2000", "12:00", "May"})
    EXPECT_FALSE(parse_date(no)) << no;
  for (const char* no : {"24:00", "12", "12:5", "13:00 PM", "0:30 AM", "PM", "12:30x", "2000-01-01", ""})
    EXPECT_FALSE(parse_date(no, DateOrder::time)) << no;
}

TEST(CellValues, DaysAndMonthsByTheirOrder) {
  EXPECT_EQ(parse_date("2/1/1970"), 1.0);
  EXPECT_EQ(parse_date("02-01-1970"), 1.0);
  EXPECT_EQ(parse_date("2/1/1970", DateOrder::mdy), 31.0);
  EXPECT_EQ(parse_date("2/1/1970 12:00", DateOrder::mdy), 31.5);
  EXPECT_EQ(parse_date("12/31/1969", DateOrder::mdy), -1.0);
  for (const DateOrder order : {DateOrder::dmy, DateOrder::mdy}) {
    EXPECT_EQ(parse_date("2.1.1970", order), 1.0);  // with points the day is first
    EXPECT_EQ(parse_date("1970/1/2", order), 1.0);
    EXPECT_EQ(parse_date("1970-1-2", order), 1.0);
  }
}

TEST(CellValues, YesAndNo) {
  for (const char* yes : {"1", "true", "TRUE", "Yes", "t", "Y", "1.0"}) EXPECT_EQ(parse_bool(yes), true) << yes;
  for (const char* no : {"0", "false", "No", "F", "n", "0.0"}) EXPECT_EQ(parse_bool(no), false) << no;
  for (const char* other : {"", "2", "maybe", "ye", "truely"}) EXPECT_FALSE(parse_bool(other)) << other;
}

TEST(CellValues, WholeNumbersAreOneCategoryHoweverTheyAreWritten) {
  EXPECT_EQ(category("3.0"), "3");
  EXPECT_EQ(category("-3.000"), "-3");
  for (const char* same : {"3", "3.5", "3.", ".0", "v1.0", "1.0.0", "", "-.0"}) EXPECT_EQ(category(same), same);
}

TEST(CellValues, MembersAndWords) {
  std::vector<std::string> members, words;
  for_each_member(" a; b;;3.0 ;", ';', [&](std::string_view m) { members.emplace_back(m); });
  EXPECT_EQ(members, std::vector<std::string>({"a", "b", "3"}));
  for_each_word("The CAT's 2 hats, déjà-vu!", [&](const std::string& w) { words.push_back(w); });
  EXPECT_EQ(words, std::vector<std::string>({"the", "cat", "hats", "déjà", "vu"}));
}

}  // namespace
}  // namespace gcnh
