// Charts as PDF: what poppler, which readers are built on, makes of them.
#include "gcnh/report/pdf.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "gcnh/report/escape.h"
#include "tests/support/program.h"

namespace gcnh::testing {
using namespace report;
namespace {

#define NEED_POPPLER() \
  if (!std::filesystem::exists("/usr/bin/pdftotext")) GTEST_SKIP() << "no pdftotext (Debian: poppler-utils)"

Chart chart_of(ChartKind kind) {
  Chart out{kind, "c", "A title (with \\ brackets)", {"x label"}, {"y label"}, {}};
  out.series = {{"first", {{0, 0.5, 0.4, 0.6}, {1, 0.25}}},
                {"behind", {{0, 0.1}, {1, 0.2}}, Look::faint},
                {"second", {labelled(0, 1, "special"), {1, 0.75}}}};
  if (kind != ChartKind::lines && kind != ChartKind::scatter) out.x.categories = {"one", "two"};
  if (kind == ChartKind::heat) {
    out.y.categories = {"one", "two"};
    out.series = {{"cells", {{0, 0, 0, 0, "", 0.25}, {1, 1, 0, 0, "", 0.75}}}};
  }
  return out;
}

// Every object lies where the table at the end says.
void expect_whole(const std::string& pdf) {
  ASSERT_TRUE(pdf.starts_with("%PDF-1.4\n"));
  ASSERT_TRUE(pdf.ends_with("%%EOF\n"));
  const std::size_t table = std::stoul(pdf.substr(pdf.rfind("startxref\n") + 10));
  ASSERT_EQ(pdf.substr(table, 5), "xref\n");
  const std::regex entry("(\\d{10}) 00000 n ");
  const std::string entries = pdf.substr(table);
  int number = 0;
  for (std::sregex_iterator at(entries.begin(), entries.end(), entry), end; at != end; ++at, ++number)
    EXPECT_TRUE(pdf.substr(std::stoul((*at)[1])).starts_with(std::to_string(number + 1) + " 0 obj\n")) << number;
  EXPECT_EQ(number, 6);
  const std::size_t stream = pdf.find("stream\n") + 7;
  const std::size_t length = std::stoul(pdf.substr(pdf.find("/Length ") + 8));
  EXPECT_EQ(pdf.substr(stream + length, 9), "endstream");
}

std::string text_in(const std::string& pdf) {
  const TempDir folder;
  write_text(folder / "c.pdf", pdf);
  const std::string at = folder.path().string() + "/c";
  EXPECT_EQ(std::system(("pdftotext -layout " + at + ".pdf " + at + ".txt 2> " + at + ".err").c_str()), 0);
  EXPECT_EQ(slurp(at + ".err"), "");
  return slurp(at + ".txt");
}

TEST(Pdf, EveryKindOfChartOpensWithItsWords) {
  NEED_POPPLER();
  for (ChartKind kind : {ChartKind::lines, ChartKind::dots, ChartKind::bars, ChartKind::heat, ChartKind::scatter}) {
    const std::string pdf = to_pdf(chart_of(kind));
    expect_whole(pdf);
    const std::string text = text_in(pdf);
    for (const char* words : {"y label", kind == ChartKind::heat ? "0.25" : "first"})
      EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_EQ(text.find("behind"), std::string::npos) << "what is faint has no legend";
  }
}

TEST(Pdf, EmptyChartsAreWhole) {
  for (ChartKind kind : {ChartKind::lines, ChartKind::dots, ChartKind::bars, ChartKind::heat, ChartKind::scatter})
    expect_whole(to_pdf({kind, "e", "E", {"x"}, {"y"}, {}}));
}

TEST(Pdf, AnyTextIsText) {
  NEED_POPPLER();
  Chart chart = chart_of(ChartKind::bars);
  chart.x.categories = {"(a\\b) Tj ET", "β ± 二\u202E\xFF\né"};
  const std::string pdf = to_pdf(chart);
  expect_whole(pdf);
  for (char c : pdf) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << static_cast<int>(c);
  const std::string text = text_in(pdf);
  EXPECT_NE(text.find("(a\\b) Tj ET"), std::string::npos) << text;
  EXPECT_NE(text.find("beta ± ?(U+202E)? é"), std::string::npos) << text;
}

TEST(Pdf, ColoursAreThoseOfTheStyleForPrint) {
  Chart chart{ChartKind::scatter, "s", "S", {"x"}, {"y"}, {}};
  for (int i = 0; i < kColours; ++i) chart.series.push_back({std::to_string(i), {{1.0 * i, 1}}});
  const std::string pdf = to_pdf(chart), print = chart_style().substr(chart_style().find("@media print"));
  for (int i = 0; i < kColours; ++i) {
    const std::regex colour("--c" + std::to_string(i) + ": #([0-9a-f]{3}([0-9a-f]{3})?);");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(print, found, colour));
    std::string hex = found[1];
    if (hex.size() == 3) hex = {hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]};
    char rgb[64];
    std::snprintf(rgb, sizeof rgb, "%.3g %.3g %.3g rg", std::stoi(hex.substr(0, 2), nullptr, 16) / 255.0,
                  std::stoi(hex.substr(2, 2), nullptr, 16) / 255.0, std::stoi(hex.substr(4, 2), nullptr, 16) / 255.0);
    EXPECT_NE(pdf.find(rgb), std::string::npos) << i << " " << rgb;
  }
}

TEST(Pdf, LettersOfOtherAlphabetsBecomeWordsOrQuestionMarks) {
  EXPECT_EQ(to_winansi("a − b – c"), "a \x96 b \x96 c");
  EXPECT_EQ(to_winansi("20\u202f000 ≤ β"), "20 000 <= beta");
  EXPECT_EQ(to_winansi("Größe 二"),
            "Gr\xF6\xDF"
            "e ?");
}

}  // namespace
}  // namespace gcnh::testing
