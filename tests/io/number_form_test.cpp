#include "gcnh/io/number_form.h"

#include <gtest/gtest.h>

#include <vector>

namespace gcnh {
namespace {

std::optional<NumberForm> form_of(const std::vector<std::string>& cells, std::optional<char> point = {}) {
  return find_number_form(
      [&](const std::function<bool(std::string_view)>& f) {
        for (const std::string& cell : cells)
          if (!f(cell)) return false;
        return true;
      },
      point);
}

// What the cells are as numbers in the form that they have.
std::vector<double> values_of(const std::vector<std::string>& cells, std::optional<char> point = {}) {
  const auto form = form_of(cells, point);
  if (!form) return {};
  std::vector<double> out;
  for (const std::string& cell : cells) out.push_back(parse_formed(cell, *form).value_or(-1e9));
  return out;
}

using Values = std::vector<double>;

TEST(NumberForm, UnitsAndCurrencies) {
  EXPECT_EQ(values_of({"12 kg", "-7.5kg"}), Values({12, -7.5}));
  EXPECT_EQ(values_of({"$1,200", "-$950.50", "$-3"}), Values({1200, -950.5, -3}));
  EXPECT_EQ(values_of({"45%", "0.5 %"}), Values({45, 0.5}));
  EXPECT_EQ(values_of({"1 200,50 €", "1\u00A0000\u00A0000 €", "3 €"}), Values({1200.5, 1000000, 3}));
  EXPECT_EQ(values_of({"EUR 12", "EUR 1.5"}), Values({12, 1.5}));
  EXPECT_EQ(values_of({"1'200 CHF", "3 CHF"}), Values({1200, 3}));
  EXPECT_EQ(values_of({"\u22125 °C", "+3 °C"}), Values({-5, 3}));
}

TEST(NumberForm, MarksOfFractionsAndThousands) {
  EXPECT_EQ(values_of({"258,97", "3"}), Values({258.97, 3}));
  EXPECT_EQ(values_of({"1.316.640", "2,5"}), Values({1316640, 2.5}));
  EXPECT_EQ(values_of({"1,316,640", "2.5"}), Values({1316640, 2.5}));
  EXPECT_EQ(values_of({"0,125", "1,250"}), Values({0.125, 1.25}));  // no thousands begin with 0
  EXPECT_EQ(values_of({"1,250", "950"}), Values({1250, 950}));
  EXPECT_EQ(values_of({"1,250", "950"}, ','), Values({1.25, 950}));
  EXPECT_EQ(values_of({"1.250", "950"}), Values({1.25, 950}));
  EXPECT_EQ(values_of({"1.250", "950"}, ','), Values({1250, 950}));
}

TEST(NumberForm, UnitsMayBePluralOrLeftOut) {
  EXPECT_EQ(values_of({"1 year", "3 years", "7 Years"}), Values({1, 3, 7}));
  EXPECT_EQ(values_of({"5 lbs.", "1 lb"}), Values({5, 1}));
  EXPECT_EQ(values_of({"12 kg", "7", "3 kg"}), Values({12, 7, 3}));
  EXPECT_EQ(values_of({"€1,074.15", "€2", "1074.15"}), Values({1074.15, 2, 1074.15}));
  const NumberForm euros{"€", "", '.', ','};
  EXPECT_EQ(parse_formed("1074.15", euros), 1074.15);
  EXPECT_FALSE(parse_formed("$5", euros));
  EXPECT_TRUE(lacks_unit("1074.15", euros));
  EXPECT_FALSE(lacks_unit("€5", euros));
  EXPECT_FALSE(form_of({"5 mg", "5 Mg"}));
}

TEST(NumberForm, BracketsAreAMinus) {
  EXPECT_EQ(values_of({"(650)", "1,200", "($30)"}), Values({}));  // one currency of three cells
  EXPECT_EQ(values_of({"($650)", "$1,200"}), Values({-650, 1200}));
  EXPECT_EQ(values_of({"(650)", "1,200", "7"}), Values({-650, 1200, 7}));
}

TEST(NumberForm, AMinusMayStandBehind) {
  EXPECT_EQ(values_of({"800,00-", "1.320,00-", "420,00"}), Values({-800, -1320, 420}));
  EXPECT_EQ(values_of({"12-", "5-", "7"}), Values({-12, -5, 7}));
  EXPECT_EQ(values_of({"800.00- EUR", "3 EUR"}), Values({-800, 3}));
  EXPECT_FALSE(form_of({"2-", "3", "1-"}));  // marks at school
  EXPECT_FALSE(form_of({"2+", "3+", "2-", "10+"}));
  EXPECT_TRUE(has_minus_behind("12-"));
  EXPECT_FALSE(has_minus_behind("-12"));
}

TEST(NumberForm, WordsThatMayBeSignsAreNoUnitsThatSomeLack) {
  EXPECT_FALSE(form_of({"80.00 CR", "7.50 CR", "42.00"}));
  EXPECT_FALSE(form_of({"80.00 H", "7.50 H", "42.00"}));
  EXPECT_EQ(values_of({"80 CR", "42 CR"}), Values({80, 42}));
  EXPECT_EQ(values_of({"5 h", "7 h", "3"}), Values({5, 7, 3}));
  EXPECT_EQ(sign_behind("80.00 CR"), "CR");
  EXPECT_EQ(sign_behind("80.00 kg"), "");
}

TEST(NumberForm, LettersMayMultiply) {
  EXPECT_EQ(values_of({"6.3K", "205", "-2.5k"}), Values({6300, 205, -2500}));
  EXPECT_EQ(values_of({"1.2M", "950K", "3B", "7"}), Values({1.2e6, 950e3, 3e9, 7}));
  EXPECT_EQ(values_of({"$1.2M", "$950K", "$7"}), Values({1.2e6, 950e3, 7}));
  EXPECT_EQ(values_of({"1,5 Mio. €", "2 Mrd. €", "700 €"}), Values({1.5e6, 2e9, 700}));
  EXPECT_EQ(values_of({"205", "7", "12", "6.3K"}), Values({205, 7, 12, 6300}));  // also where most have none
  EXPECT_EQ(values_of({"1.5 K", "2 M"}), Values({1500, 2e6}));
  EXPECT_EQ(example_of(*form_of({"6.3K", "205"})), "1234.5K");
}

TEST(NumberForm, LettersThatAreUnitsDoNotMultiply) {
  EXPECT_EQ(values_of({"6.3K", "2.5K"}), Values({6.3, 2.5}));  // the same up to scale
  EXPECT_EQ(values_of({"5 M", "7 M"}), Values({5, 7}));
  EXPECT_EQ(values_of({"300 K", "295 K", "290"}), Values({300, 295, 290}));  // degrees
  EXPECT_EQ(values_of({"300 K", "290"}, '.'), Values({}));
  EXPECT_EQ(values_of({"5 m", "7 m", "3"}), Values({5, 7, 3}));
  EXPECT_FALSE(form_of({"12B", "7", "8"}));  // doors
  EXPECT_FALSE(form_of({"5 KB", "7 MB"}));
  EXPECT_FALSE(form_of({"5K", "XL"}));
}

TEST(NumberForm, SeveralUnitsAreNamedByTheCommonest) {
  const auto mixed = [](const std::vector<std::string>& cells) {
    return find_mixed_form([&](const std::function<bool(std::string_view)>& f) {
      for (const std::string& cell : cells)
        if (!f(cell)) return false;
      return true;
    });
  };
  EXPECT_EQ(mixed({"5 kg", "3 lb", "4 lb"})->after, "lb");
  EXPECT_EQ(mixed({"€5", "$5", "€7.50", "8"})->before, "€");
  EXPECT_EQ(mixed({"1 year", "3 years", "4 months"})->after, "year");
  using Cells = std::vector<std::string>;
  for (const Cells& no :
       {Cells{"5 kg", "7 kg"}, {"5", "7"}, {"12a", "12b"}, {"1st", "2nd"}, {"5 kg", "kg"}, {"3 apples", "5 kg"}})
    EXPECT_FALSE(mixed(no)) << no[0];
}

TEST(NumberForm, PlainNumbersWithSignsAndExponents) {
  EXPECT_EQ(parse_plain_number("+2.104e-04"), 2.104e-04);
  EXPECT_EQ(parse_plain_number("+.5"), 0.5);
  EXPECT_EQ(parse_plain_number("-1E3"), -1000);
  EXPECT_EQ(parse_plain_number("1e-999"), 0);
  EXPECT_EQ(parse_plain_number("-1E-999"), 0);
  for (const char* no : {"", "+", "++1", "+-1", "+inf", "inf", "1e999", "1e", "1e-999x", "1,5"})
    EXPECT_FALSE(parse_plain_number(no)) << no;
  for (const char* large : {"1e999", "-1e999", "+1e999", "3.5e38", "1e200"})
    EXPECT_TRUE(is_too_large(large, {})) << large;
  for (const char* fine : {"3.4e38", "1e-999", "x", "1e999x", "", "inf"}) EXPECT_FALSE(is_too_large(fine, {})) << fine;
}

TEST(NumberForm, Bounds) {
  for (const char* bound : {"<0.1", "> 100", "<=5", ">=7 mg/L", "\u22643", "\u2265 100 mg"})
    EXPECT_TRUE(is_bound(bound)) << bound;
  for (const char* no : {"<", "0.1", "<x>", "<NA>", "", "-1", "<-"}) EXPECT_FALSE(is_bound(no)) << no;
}

TEST(NumberForm, Examples) {
  EXPECT_EQ(example_of({}), "1234.5");
  EXPECT_EQ(example_of({"€", "", '.', ','}), "€1,234.5");
  EXPECT_EQ(example_of({"", "kg", ',', '.'}), "1.234,5 kg");
}

TEST(NumberForm, OtherThingsAreNoNumbers) {
  using Cells = std::vector<std::string>;
  for (const Cells& cells : {Cells{"12 kg", "300 g"},
                             {"12 kg", "12"},
                             {"Q1", "Q2"},
                             {"1,2,3", "4,5"},
                             {"100,200", "300,400"},
                             {"12:30", "1:15"},
                             {"2020-01-05"},
                             {"5.3.2020"},
                             {"10.0.0.1"},
                             {"1,5", "1.5,2"},
                             {"kg"},
                             {""},
                             {"12 m2"},
                             {"(5)"},
                             {"0 171 123"},
                             {"1.2.3.456"},
                             {"12 " + std::string(40, 'x')},
                             {std::string(1000, '7')},
                             {std::string("1\0002", 3)},
                             {"#5"}})
    EXPECT_FALSE(form_of(cells)) << cells[0];
}

}  // namespace
}  // namespace gcnh
