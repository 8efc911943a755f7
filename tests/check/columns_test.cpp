// Columns that are guessed, full of gaps or not used; rows in another order.
#include "tests/check/check_tools.h"

namespace gcnh::testing {
namespace {

Tables plain_table() {
  return table_with("paid", [](int u) { return u % 3 == 0 ? "yes" : "no"; });
}

TEST(CheckColumns, Guesses) {
  const Tables t = table_with("dorm", [](int u) { return 100 + u * u % 5; });
  expect_found(t, "guessed-kinds", Severity::warning, {"'dorm' as cat"});
  EXPECT_NE(remark_of(t, "guessed-kinds").fix.find("`numeric` dorm"), std::string::npos);
  expect_fine(plain_table(), "guessed-kinds");
}

TEST(CheckColumns, AdviceIsQuotedForAShell) {
  const Tables t = table_with("Day (of week)", [](int u) { return 1 + u * u % 5; });
  EXPECT_NE(remark_of(t, "guessed-kinds").fix.find("`numeric` 'Day (of week)' if"), std::string::npos);
}

TEST(CheckColumns, CategoriesThatDifferInCase) {
  expect_found(table_with("sex", [](int u) { return u % 5 == 0 ? "f"
                                                    : u % 2    ? "F"
                                                               : "M"; }), "category-case",
               Severity::warning, {"'F' and 'f' in 'sex'"});
  expect_fine(table_with("sex", [](int u) { return u % 2 ? "F" : "M"; }), "category-case");
}

TEST(CheckColumns, AssumedUnits) {
  expect_found(table_with("weight", [](int u) { return join(u * 0.5, u % 3 ? " kg" : ""); }), "assumed-forms",
               Severity::warning, {"column 'weight': 20 of 60 numbers without 'kg', taken to be in the same unit"});
  expect_fine(table_with("weight", [](int u) { return join(u * 0.5, " kg"); }), "assumed-forms");
}

TEST(CheckColumns, Gaps) {
  expect_found(table_with("size", [](int u) { return u % 2 ? join(u * 0.37) : ""; }), "missing", Severity::warning,
               {"'size' (50.0 %)"});
  expect_found(table_with("city", [](int u) { return u % 4 == 0   ? ""
                                                     : u % 3 == 0 ? "Rome"
                                                                  : "Oslo"; }), "missing",
               Severity::warning, {"'city' (25.0 %)"});
  expect_fine(plain_table(), "missing");
}

TEST(CheckColumns, WhatReadersNoted) {
  Tables t = sane_tables();
  t.notes = {"edges.csv: column not used: weight"};
  expect_found(t, "unused-columns", Severity::warning, {"weight"});
  const std::string words =
      "nodes.csv: column 'city': 30 cells 'NA' taken for missing; `missing` 'city=!NA' if it is a value";
  t.notes = {words};
  expect_fine(t, "unused-columns");
  expect_found(t, "missing-words", Severity::warning, {"30 cells 'NA'"});
  t.notes = {"edges.csv has no edges: every model sees the nodes alone"};
  expect_fine(t, "missing-words");
  expect_fine(t, "unused-columns");
}

TEST(CheckColumns, RowsInAnotherOrder) {
  Tables t = sane_tables();
  for (Index u = 0; u < kSaneNodes; ++u) t.file_order.push_back((u + 7) % kSaneNodes);
  expect_found(t, "row-order", Severity::warning, {"600 of 600", "the first is of node 7"});
}

TEST(CheckColumns, WordsOfASplit) {
  const auto fold = [](int u) { return u % 5 == 0 ? "test" : u % 5 == 1 ? "val" : "train"; };
  const Remark remark = remark_of(table_with("fold", fold), "guessed-kinds");
  EXPECT_NE(remark.found.find("'fold' as cat (words of a split)"), std::string::npos) << remark.text();
  EXPECT_NE(remark.fix.find("`split_column` fold if"), std::string::npos) << remark.text();
  EXPECT_EQ(remark_of(table_with("fold", [](int u) { return u % 2 ? "train" : "bus"; }), "guessed-kinds").severity,
            Severity::ok);
}

}  // namespace
}  // namespace gcnh::testing
