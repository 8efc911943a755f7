#include "gcnh/io/column_kind.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/base/random.h"

namespace gcnh {
namespace {

Column found(const std::vector<std::string>& cells, const std::vector<std::string>& missing = {}) {
  Cells all;
  for (const std::string& cell : cells) all.add(cell);
  return find_kind("x", all, missing);
}

template <class F>
std::vector<std::string> cells_of(int count, const F& f) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back(f(i));
  return out;
}

void expect_kind(const std::vector<std::string>& cells, ColumnKind kind, bool is_guess = false) {
  const Column column = found(cells);
  EXPECT_EQ(to_word(column.spec.kind), to_word(kind)) << column.why;
  EXPECT_EQ(column.is_guess, is_guess) << column.why;
}

TEST(ColumnKind, NumbersYesOrNoAndNothing) {
  expect_kind({"1.5", "-2", "", "1e3"}, ColumnKind::num);
  expect_kind({"0", "1", "1", "NA"}, ColumnKind::boolean);
  expect_kind({"Yes", "no", "NO"}, ColumnKind::boolean);
  expect_kind({"TRUE", "False"}, ColumnKind::boolean);
  expect_kind({"", "NaN", "null"}, ColumnKind::ignore);
  expect_kind({"1", "2", "3"}, ColumnKind::num);  // too few cells to tell codes
  EXPECT_EQ(found({"4", "?", "5"}, {"?"}).spec.kind, ColumnKind::num);
}

TEST(ColumnKind, DatesInThreeForms) {
  expect_kind({"2024-02-29", "1999-12-31T23:59:59Z", "2001-01-01 10:30"}, ColumnKind::date);
  expect_kind({"2024/02/29", ""}, ColumnKind::date);
  expect_kind({"29.02.2024", "01.01.1970"}, ColumnKind::date);
  EXPECT_NE(found({"2023-02-29", "2024-01-01"}).spec.kind, ColumnKind::date);  // no such day
}

TEST(ColumnKind, DatesAsSpreadsheetsAndMailsWriteThem) {
  expect_kind({"4/26/10", "12/1/09"}, ColumnKind::date);
  expect_kind({"26-Apr-10", "1-Dec-2009"}, ColumnKind::date);
  expect_kind({"Apr 26, 2010", "December 1, 2009"}, ColumnKind::date);
  expect_kind({"2010-04-26 7:05 PM", "2010-04-26 12:00 AM"}, ColumnKind::date);
  expect_kind({"7:05", "23:59", ""}, ColumnKind::date);
  EXPECT_EQ(found({"7:05", "23:59"}).spec.order, DateOrder::time);
  EXPECT_EQ(found({"7:05", "23:59"}).why, "times of day");
  EXPECT_EQ(found({"7:05:10", "133:00:41"}).why, "durations");
  expect_kind({"0 days 01:23:00", "4 days 05:55:00"}, ColumnKind::date);
  expect_kind({"Mon Jan 06 05:38:00 +0000 2020", "Thu Jan 02 15:14:00 +0000 2020"}, ColumnKind::date);
  EXPECT_NE(found({"7:05", "2010-04-26"}).spec.kind, ColumnKind::date);
  EXPECT_NE(found({"1.2.10", "1.3.11"}).spec.kind, ColumnKind::date);  // versions
}

TEST(ColumnKind, SignsBehindNumbers) {
  expect_kind({"800,00-", "1.320,00-", "420,00"}, ColumnKind::num, true);
  EXPECT_EQ(found({"12-", "-3", "7"}).why, "numbers, '-' behind those below 0");
  expect_kind({"80.00 CR", "132.00 CR", "42.00"}, ColumnKind::num);  // to be refused
  expect_kind({"80.00 H", "42.00 S"}, ColumnKind::num);
  expect_kind({"80.00 CR", "132.00 CR"}, ColumnKind::num, true);
  EXPECT_EQ(found({"12H", "12H", "7"}).spec.kind, ColumnKind::cat);  // seats
}

TEST(ColumnKind, NumbersThatMayBeVersionsAreAGuess) {
  expect_kind({"2.1", "2.10", "3.11"}, ColumnKind::num, true);
  EXPECT_EQ(found({"2.1", "2.10", "3.11"}).why, "numbers, though 2.1 and 2.10 may be different versions");
  EXPECT_EQ(advice_on({found({"2.1", "2.10"})}).at(0).field, "categorical");
  expect_kind({"2.1", "2.11", "3.10"}, ColumnKind::num);
  expect_kind({"2.10", "3.10", "2.50"}, ColumnKind::num);
  expect_kind({"-2.1", "2.1", "2.10"}, ColumnKind::num);
}

TEST(ColumnKind, LettersForThousandsAreAGuess) {
  expect_kind({"6.3K", "205", "1.2M"}, ColumnKind::num, true);
  EXPECT_EQ(found({"6.3K", "205"}).why, "numbers, K, M and B for thousands, millions and billions");
  EXPECT_EQ(found({"12B", "7", "8"}).spec.kind, ColumnKind::cat);
}

TEST(ColumnKind, SetsByTheirSeparator) {
  for (const char mark : {';', '|', ','}) {
    const auto cells = cells_of(40, [&](int i) {
      return std::to_string(i % 5) + (i % 4 == 0 ? "" : mark + std::to_string(7 + i % 3)) + mark +
             std::to_string(20 + i % 2);
    });
    expect_kind(cells, ColumnKind::multi, mark == ',');
    EXPECT_EQ(found(cells).spec.separator, mark);
  }
}

TEST(ColumnKind, WordsTextAndNames) {
  expect_kind(cells_of(60, [](int i) { return "town " + std::to_string(i % 7); }), ColumnKind::cat);
  expect_kind(cells_of(60, [](int i) { return "person-" + std::to_string(i * 37); }), ColumnKind::ignore, true);
  expect_kind(cells_of(60, [](int i) { return "a long story, told by number " + std::to_string(i) + " of us"; }),
              ColumnKind::text);
}

TEST(ColumnKind, WholeNumbersThatAreCodes) {
  expect_kind(cells_of(200, [](int i) { return std::to_string(i % 5); }), ColumnKind::cat, true);
  expect_kind(cells_of(600, [](int i) { return std::to_string(i * 7919 % 41); }), ColumnKind::cat, true);
  // 40 codes of very different frequency, as dormitories have
  std::vector<std::string> dorms;
  for (int code = 0; code < 40; ++code)
    for (int i = 0; i < 10 + (code * 7919 % 60); ++i) dorms.push_back(std::to_string(100 + 3 * code));
  expect_kind(dorms, ColumnKind::cat, true);
  // the same with the .0 that comes of empty cells
  for (std::string& cell : dorms) cell += ".0";
  dorms.emplace_back();
  expect_kind(dorms, ColumnKind::cat, true);
}

TEST(ColumnKind, WholeNumbersThatMeasureSomething) {
  const Rng rng(3);
  for (const int count : {500, 5000}) {
    expect_kind(cells_of(count, [&](int i) { return std::to_string(static_cast<int>(40 + 12 * rng.normal(i))); }),
                ColumnKind::num, true);
    expect_kind(
        cells_of(count, [&](int i) { return std::to_string(static_cast<int>(-30 * std::log(1 - rng.uniform(i)))); }),
        ColumnKind::num, true);
  }
  expect_kind(cells_of(100, [](int i) { return std::to_string(500 + i); }), ColumnKind::ignore, true);
}

TEST(ColumnKind, DaysAndMonthsAreSettledByTheWholeColumn) {
  const auto order = [](const std::vector<std::string>& cells, DateOrder expected, bool is_guess) {
    expect_kind(cells, ColumnKind::date, is_guess);
    EXPECT_EQ(to_word(*found(cells).spec.order), to_word(expected)) << found(cells).why;
  };
  order({"9/1/2020", "13/1/2020", ""}, DateOrder::dmy, false);
  order({"9/1/2020", "9/13/2020"}, DateOrder::mdy, false);
  order({"9/2/2020", "3/1/2020"}, DateOrder::dmy, true);
  order({"9/1/2020", "10/1/2020", "11/1/2020"}, DateOrder::mdy, true);  // months begin with the first
  order({"5/5/2020", "2020-03-04"}, DateOrder::dmy, false);             // the same either way
  order({"5.3.2020", "1.12.2021"}, DateOrder::dmy, false);
  EXPECT_NE(found({"13/1/2020", "1/13/2020"}).spec.kind, ColumnKind::date);
}

TEST(ColumnKind, NumbersWithOneUnit) {
  expect_kind({"12 kg", "7.5 kg", ""}, ColumnKind::num, true);
  EXPECT_EQ(found({"12 kg", "7.5 kg"}).why, "numbers with 'kg' behind them");
  expect_kind({"$1,200", "$950"}, ColumnKind::num, true);
  expect_kind({"45%", "3%"}, ColumnKind::num, true);
  expect_kind({"12 kg", "300 g"}, ColumnKind::num);  // two units: parsing lists those of the rarer one
  expect_kind({"12 a", "300 b"}, ColumnKind::cat, true);
  auto cells = cells_of(100, [](int i) { return std::to_string(i) + ",5 €"; });
  for (std::size_t i = 0; i < 8; ++i) cells[i] = "k.A.";
  expect_kind(cells, ColumnKind::num);                                                            // parsing lists them
  expect_kind(cells_of(60, [](int i) { return "Q" + std::to_string(i % 4); }), ColumnKind::cat);  // a code
}

TEST(ColumnKind, CommasInNumbersAreNoSets) {
  expect_kind(cells_of(50, [](int i) { return std::to_string(i) + ",5"; }), ColumnKind::num, true);
  expect_kind(cells_of(50, [](int i) { return std::to_string(1 + i) + ",316,640"; }), ColumnKind::num, true);
  expect_kind(cells_of(50, [](int i) { return std::to_string(100 + i) + ",200"; }), ColumnKind::num);  // refused below
  expect_kind(cells_of(50, [](int i) { return "town " + std::to_string(i % 5) + ", land " + std::to_string(i % 2); }),
              ColumnKind::cat);
}

TEST(ColumnKind, MarksBeforeThreeDigitsMayBeOfThousandsOrFractions) {
  const auto unclear = [](const std::vector<std::string>& cells) {
    const Column column = found(cells);
    EXPECT_EQ(column.spec.kind, ColumnKind::num);
    EXPECT_TRUE(column.is_guess || !column.has_unclear_marks);
    return column.has_unclear_marks;
  };
  EXPECT_TRUE(unclear({"17.893", "897", "-1.250", ""}));
  EXPECT_TRUE(unclear({"17.893 kg", "897 kg"}));
  EXPECT_TRUE(unclear({"1,250", "950"}));
  for (const auto& clear : std::vector<std::vector<std::string>>{{"17.893", "0.125"},
                                                                 {"17.893", "1.5"},
                                                                 {"17.893", "1234"},
                                                                 {"17.893", "1e3"},
                                                                 {"1.292.271", "17.893"},
                                                                 {"1,292,271", "17,893"},
                                                                 {"0,125", "17,893"},
                                                                 {"1,250.5", "1,250"},
                                                                 {"897", "12"}})
    EXPECT_FALSE(unclear(clear)) << clear[0] << " " << clear[1];
  EXPECT_EQ(found({"17.893", "897"}).why, "numbers, '.' before fractions");
  EXPECT_EQ(found({"1.292.271", "897"}).why, "numbers, '.' between thousands, decimal commas");
  const std::vector<Advice> advice = advice_on({found({"17.893", "897"}), found({"1,250", "950"})});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].argument(), "'num:x(,),x(,) rest'");
}

TEST(ColumnKind, BoundsAmongNumbersAreNamedNotGuessed) {
  for (const std::string unit : {"", " mg/L"}) {
    auto cells = cells_of(100, [&](int i) { return std::to_string(i) + ".5" + unit; });
    for (std::size_t i = 0; i < 36; ++i) cells[i] = i % 2 ? "<0." + std::to_string(i) : ">100" + unit;
    expect_kind(cells, ColumnKind::num);  // parsing lists them
    EXPECT_EQ(found(cells).spec.form->after, unit.empty() ? "" : "mg/L");
  }
}

TEST(ColumnKind, SignsAndExponentsAreOfNumbers) {
  expect_kind({"-5.179e-05", "+2.104e-04", "1e-999"}, ColumnKind::num);
  expect_kind({"1.5", "2", "1e999"}, ColumnKind::num);  // refused as too large
}

TEST(ColumnKind, MonthsAreDates) {
  expect_kind(cells_of(60, [](int i) { return "20" + std::to_string(10 + i % 12) + "-0" + std::to_string(1 + i % 9); }),
              ColumnKind::date);
  expect_kind({"2014-02", "2021-09-30"}, ColumnKind::date);
  EXPECT_NE(found({"2014-02", "2014-13"}).spec.kind, ColumnKind::date);
  EXPECT_NE(found({"0815-11", "4711-12"}).spec.kind, ColumnKind::date);
}

TEST(ColumnKind, ErrorsOfSpreadsheetsAreMissing) {
  expect_kind({"1.5", "#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!"}, ColumnKind::num);
  EXPECT_TRUE(is_missing("#N/A", {}));
  EXPECT_TRUE(is_missing("#N/A", {"!NA"}));
  EXPECT_FALSE(is_missing("NA", {"?", "!NA"}));
  EXPECT_FALSE(is_missing("!", {}));
  EXPECT_TRUE(is_missing("", {"!"}));
}

TEST(ColumnKind, LeadingZerosAreOfCodes) {
  expect_kind(cells_of(400, [](int i) { return "0" + std::to_string(5800 + i % 120); }), ColumnKind::cat);
  expect_kind(cells_of(60, [](int i) { return i % 3 == 0   ? "01067"
                                              : i % 3 == 1 ? "80331"
                                                           : "50667"; }),
              ColumnKind::cat);  // few of them, and no guess
}

TEST(ColumnKind, ListsAsProgramsPrintThem) {
  const auto cells = cells_of(40, [](int i) {
    return i % 3 == 0 ? "['a', 'b']" : i % 3 == 1 ? "['b', 'c', 'a']" : "['c']";
  });
  expect_kind(cells, ColumnKind::multi, true);
}

TEST(ColumnKind, AFewWordsAmongNumbersAreNamedNotGuessed) {
  auto cells = cells_of(100, [](int i) { return std::to_string(i * 0.5); });
  cells[40] = "unknown";
  expect_kind(cells, ColumnKind::num);  // parsing lists the cell
  for (std::size_t i = 0; i < 30; ++i) cells[i] = "unknown";
  expect_kind(cells, ColumnKind::num);
  auto dates = cells_of(100, [](int i) { return "2020-01-" + std::to_string(10 + i % 20); });
  for (std::size_t i = 0; i < 9; ++i) dates[i] = "0000-00-00";
  expect_kind(dates, ColumnKind::date);
}

}  // namespace
}  // namespace gcnh
