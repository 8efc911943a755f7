#include "gcnh/report/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_rows.h"
#include "tests/support/temp_dir.h"

namespace gcnh::report {
namespace {

const Table kSmallTable{"scores",
                        "Test accuracy, %",
                        {"model", "texas", "size"},
                        {{"gcnh", "86.31 ± 4.02", "54614"}, {"a_b|c", "–", "7"}},
                        "10 splits"};

TEST(Table, TextLinesUpByCharacters) {
  EXPECT_EQ(to_text(kSmallTable),
            "Test accuracy, %\n\n"
            "model         texas   size\n"
            "gcnh   86.31 ± 4.02  54614\n"
            "a_b|c             –      7\n"
            "\n10 splits\n");
}

TEST(Table, Markdown) {
  EXPECT_EQ(to_markdown(kSmallTable),
            "**Test accuracy, %**\n\n"
            "| model | texas | size |\n|---|---:|---:|\n"
            "| gcnh | 86.31 ± 4.02 | 54614 |\n| a\\_b\\|c | – | 7 |\n"
            "\n10 splits\n");
}

TEST(Table, Latex) {
  EXPECT_EQ(to_latex(kSmallTable),
            "\\begin{table}\n\\centering\n\\caption{Test accuracy, \\%}\n\\label{tab:scores}\n\\begin{tabular}{lrr}\n"
            "\\toprule\nmodel & texas & size \\\\\n\\midrule\ngcnh & 86.31 $\\pm$ 4.02 & 54614 \\\\\n"
            "a\\_b$|$c & -- & 7 \\\\\n\\bottomrule\n\\end{tabular}\n\n\\smallskip\n{\\footnotesize 10 splits}\n"
            "\\end{table}\n");
}

TEST(Table, Html) {
  const std::string html = to_html({"t", "a < b", {"x", "n"}, {{"<script>", "1"}}, "\"q\""});
  EXPECT_EQ(
      html,
      "<div class=\"table\" id=\"table-t\">\n<p class=\"title\">a &lt; b</p>\n<div class=\"scroll\" role=\"region\" "
      "tabindex=\"0\" aria-label=\"a &lt; b\">\n<table aria-label=\"a &lt; b\">\n<thead><tr><th scope=\"col\">x</th>"
      "<th scope=\"col\" class=\"n\">n</th></tr></thead>\n<tbody>\n<tr><th scope=\"row\">&lt;script&gt;</th>"
      "<td class=\"n\">1</td></tr>\n</tbody>\n</table>\n</div>\n<p class=\"note\">&quot;q&quot;</p>\n</div>\n");
  const std::string remark = to_html({"t", "", {"x", "n"}, {{"a (b)", "8.1 ± 2 (<1)"}}, ""});
  EXPECT_NE(remark.find(">a (b)<"), std::string::npos) << remark;
  EXPECT_NE(remark.find("<span>8.1 ± 2</span> <small>(&lt;1)</small>"), std::string::npos) << remark;
}

TEST(Table, CsvReadsBackWhateverTheCells) {
  const TempDir folder;
  const std::vector<std::string> hostile = {"plain", "a,b", "say \"x\"", "two\nlines", "", " spaced ", "=1+1", "\r"};
  Table table{"t", "", {"first", "sec,ond"}, {}, ""};
  for (const std::string& cell : hostile) table.rows.push_back({"k", cell});
  write_text(folder / "t.csv", to_csv(table));
  CsvRows rows((folder / "t.csv").string());
  EXPECT_EQ(rows.header(), table.columns);
  for (const std::string& cell : hostile) {
    ASSERT_TRUE(rows.next());
    EXPECT_EQ(rows.row()[1], cell);
  }
  EXPECT_FALSE(rows.next());
  EXPECT_EQ(to_csv({"t", "", {"only"}, {{""}}, ""}), "only\r\n\"\"\r\n") << "an empty row is not a blank line";
}

TEST(Table, RowsMustFit) { EXPECT_THROW(to_text({"t", "", {"a", "b"}, {{"1"}}, ""}), Error); }

TEST(Table, ColumnsOfNumbersAreKnown) {
  EXPECT_EQ(numeric_columns({"t", "", {"a", "b", "c"}, {{"1", "−2.5 ± 3", "x1"}, {"", "1e-5", "2"}}, ""}),
            (std::vector<bool>{false, true, false}));
}

TEST(Table, ThinTablesSaySo) {
  Table table{"t", "", {"i"}, {}, "n"};
  for (int i = 0; i < 100; ++i) table.rows.push_back({std::to_string(i)});
  const Table few = thin(table, 10);
  ASSERT_EQ(few.rows.size(), 10u);
  EXPECT_EQ(few.rows[9][0], "90");
  EXPECT_EQ(few.note, "n 10 of 100 rows, evenly taken.");
  EXPECT_EQ(thin(table, 100).rows.size(), 100u);
}

TEST(Table, NumbersAsCells) {
  EXPECT_EQ(number_cell(0.86313131, true), "86.31");
  EXPECT_EQ(number_cell(1234567), "1234567");
  EXPECT_EQ(number_cell(1234567.5), "1.23457e+06");
  EXPECT_EQ(number_cell(0.125), "0.125");
  EXPECT_EQ(number_cell(std::nan("")), "–");
}

}  // namespace
}  // namespace gcnh::report
