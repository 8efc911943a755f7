#include "gcnh/report/chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

namespace gcnh::report {
namespace {

// All values of an attribute, in order.
std::vector<std::string> values_of(const std::string& svg, const std::string& attribute) {
  const std::regex pattern(" " + attribute + "=\"([^\"]*)\"");
  std::vector<std::string> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at) out.push_back((*at)[1]);
  return out;
}

std::vector<double> numbers_of(const std::string& svg, const std::string& attribute) {
  std::vector<double> out;
  for (const std::string& text : values_of(svg, attribute)) out.push_back(std::stod(text));
  return out;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++out;
  return out;
}

// Every element that is opened is closed, in order.
void expect_well_formed(const std::string& svg) {
  const std::regex tag("<(/?)([A-Za-z]+)[^>]*?(/?)>");
  std::vector<std::string> open;
  for (std::sregex_iterator at(svg.begin(), svg.end(), tag), end; at != end; ++at) {
    if ((*at)[1] == "/") {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), (*at)[2]);
      open.pop_back();
    } else if ((*at)[3] != "/") {
      open.push_back((*at)[2]);
    }
  }
  EXPECT_TRUE(open.empty());
}

const double kThird = 1.0 / 3;

Chart dots() {
  return {ChartKind::dots,
          "scores",
          "Accuracy",
          {"model", {"gcnh", "mlp"}},
          {"test accuracy, %", {}, false, true},
          {{"mean", {{0, kThird, 0.3, 0.35}, {1, 0.2, 0.1, 0.3}}}, {"splits", {{0, 0.31}, {0, 0.34}, {1, 0.2}}}}};
}

TEST(Chart, MarksCarryTheirNumbersInFull) {
  const std::string svg = to_svg(dots());
  expect_well_formed(svg);
  EXPECT_EQ(numbers_of(svg, "data-y"), (std::vector<double>{kThird, 0.2, 0.31, 0.34, 0.2}));
  EXPECT_EQ(numbers_of(svg, "data-x"), (std::vector<double>{0, 1, 0, 0, 1}));
  EXPECT_EQ(numbers_of(svg, "data-low"), (std::vector<double>{0.3, 0.1}));
  EXPECT_EQ(occurrences(svg, "class=\"interval\""), 2u);
  EXPECT_EQ(occurrences(svg, "mark single"), 3u);
}

TEST(Chart, DotsLieWhereTheirNumbersAre) {
  const std::string svg = to_svg(dots());
  const std::vector<double> x = numbers_of(svg, "cx");  // the legend's key and the means, which are circles
  ASSERT_EQ(x.size(), 3u);
  const std::regex grid("class=\"grid\" x1=\"([0-9.]+)\" y1=\"[0-9.]+\" x2=\"\\1\"");
  std::vector<double> ticks;
  for (std::sregex_iterator at(svg.begin(), svg.end(), grid), end; at != end; ++at)
    ticks.push_back(std::stod((*at)[1]));
  const double first = 0.1, last = 0.35;  // of the scale: 0.1, 0.15 ... 0.35
  ASSERT_EQ(ticks.size(), 6u);
  const double expected = ticks.front() + (kThird - first) / (last - first) * (ticks.back() - ticks.front());
  EXPECT_NEAR(x[1], expected, 0.02);
}

TEST(Chart, LongLinesCarryLists) {
  Chart chart{ChartKind::lines, "loss", "Loss", {"epoch"}, {"loss"}, {{"train", {}}, {"split 0", {}, Look::faint, 0}}};
  std::string expected;
  for (int i = 1; i <= 100; ++i) {
    chart.series[0].points.push_back({static_cast<double>(i), 1.0 / i});
    expected += (i > 1 ? " " : "") + std::to_string(i);
  }
  chart.series[1].points = {{1, 0.5}, {2, 0.25}};
  const std::string svg = to_svg(chart);
  expect_well_formed(svg);
  EXPECT_EQ(values_of(svg, "data-x"), (std::vector<std::string>{"1 2", expected})) << "what is faint lies below";
  EXPECT_EQ(occurrences(svg, "class=\"key"), 0u) << "one series that matters needs no legend";
}

TEST(Chart, BandsAndGaps) {
  const double nan = std::nan("");
  const Chart chart{
      ChartKind::lines, "a", "A", {"x"}, {"y"}, {{"s", {{0, 1, 0.5, 2}, {1, nan}, {2, 3, 2, 4}, {3, 3, 2, 4}}}}};
  const std::string svg = to_svg(chart);
  expect_well_formed(svg);
  EXPECT_EQ(occurrences(svg, "class=\"band\""), 1u);
  EXPECT_EQ(numbers_of(svg, "data-y"), (std::vector<double>{1, 3, 3}));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  const std::regex path("class=\"stroke\" d=\"M[^M]*M[^M]*\"");
  EXPECT_TRUE(std::regex_search(svg, path)) << "a missing value interrupts the line";
}

TEST(Chart, BarsHeatAndScatter) {
  const Chart bars{ChartKind::bars, "b", "B", {"class", {"a", "b"}}, {"nodes"}, {{"nodes", {{0, 10}, {1, 5}}}}};
  std::string svg = to_svg(bars);
  expect_well_formed(svg);
  const std::regex bar("<rect x=\"[0-9.]+\" y=\"[0-9.]+\" width=\"([0-9.]+)\"");
  std::vector<double> widths;
  for (std::sregex_iterator at(svg.begin(), svg.end(), bar), end; at != end; ++at)
    widths.push_back(std::stod((*at)[1]));
  ASSERT_EQ(widths.size(), 2u);
  EXPECT_NEAR(widths[0], 2 * widths[1], 0.02) << "bars begin at 0";

  Chart heat{ChartKind::heat,
             "h",
             "H",
             {"to", {"a", "b"}},
             {"from", {"a", "b"}},
             {{"share", {}}},
             {"share, %", {}, false, true}};
  const double nan = std::nan("");
  heat.series[0].points = {
      {0, 0, nan, nan, "", 0.75}, {1, 0, nan, nan, "", 0.25}, {0, 1, nan, nan, "", 0}, {1, 1, nan, nan, "", 1}};
  svg = to_svg(heat);
  expect_well_formed(svg);
  EXPECT_EQ(numbers_of(svg, "data-z"), (std::vector<double>{0.75, 0.25, 0, 1}));
  EXPECT_NE(svg.find(">75</text>"), std::string::npos);
  const Table matrix = to_table(heat);
  EXPECT_EQ(matrix.rows, (std::vector<std::vector<std::string>>{{"a", "75.00", "25.00"}, {"b", "0.00", "100.00"}}));

  const Chart cloud{ChartKind::scatter, "s", "S", {"x"}, {"y"}, {{"c", {{1, 2}, {3, 4, nan, nan, "wrong"}}}}};
  svg = to_svg(cloud);
  expect_well_formed(svg);
  EXPECT_EQ(occurrences(svg, "mark special"), 1u);
}

TEST(Chart, EmptyAndLogarithmicChartsAreDrawn) {
  for (ChartKind kind : {ChartKind::lines, ChartKind::dots, ChartKind::bars, ChartKind::heat, ChartKind::scatter}) {
    const std::string svg = to_svg({kind, "e", "E", {"x"}, {"y"}, {}});
    expect_well_formed(svg);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf\""), std::string::npos);
  }
  Chart log{ChartKind::scatter, "l", "L", {"x", {}, true}, {"y", {}, true}, {{"s", {{0, 5}, {1, 1}, {1000, 10}}}}};
  EXPECT_EQ(numbers_of(to_svg(log), "data-x"), (std::vector<double>{1, 1000})) << "0 has no place on a log axis";
  log.x.ticks = {1, 64, 2048};
  const std::string svg = to_svg(log);
  EXPECT_NE(svg.find(">64<"), std::string::npos);
  EXPECT_EQ(svg.find(">2048<"), std::string::npos) << "outside of the axis";
}

TEST(Chart, HostileNamesStayText) {
  Chart chart = dots();
  chart.title = "</title><script>alert(1)</script>";
  chart.x.categories[0] = "\" onload=\"x\u202E";
  chart.series[0].name = "<b>";
  const std::string svg = to_svg(chart);
  expect_well_formed(svg);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_EQ(svg.find("\" onload"), std::string::npos);
  EXPECT_EQ(svg.find("\u202E"), std::string::npos);
}

TEST(Chart, SeriesDifferInMoreThanColour) {
  Chart chart{ChartKind::scatter, "s", "S", {"x"}, {"y"}, {}};
  for (int i = 0; i < 16; ++i) chart.series.push_back({std::to_string(i), {{1.0 * i, 1}}});
  const std::string svg = to_svg(chart);
  const std::regex mark("class=\"series c(\\d)\"[^>]*><(circle|path transform=\"[^\"]*\" d=\"([^\"]*)\")");
  std::set<std::string> pairs;
  for (std::sregex_iterator at(svg.begin(), svg.end(), mark), end; at != end; ++at)
    pairs.insert((*at)[1].str() + (*at)[3].str());
  EXPECT_EQ(pairs.size(), 16u);
}

TEST(Chart, EveryChartHasItsTable) {
  const Table t = to_table(dots());
  EXPECT_EQ(t.columns, (std::vector<std::string>{"model", "series", "test accuracy, %", "low", "high"}));
  EXPECT_EQ(t.rows[0], (std::vector<std::string>{"gcnh", "mean", "33.33", "30.00", "35.00"}));
  EXPECT_EQ(t.rows[4], (std::vector<std::string>{"mlp", "splits", "20.00", "", ""}));
  const Chart lines{ChartKind::lines, "a", "A", {"x"}, {"y"}, {{"s", {{0, 1}, {2, 3}}}, {"t", {{1, 5}}}}};
  EXPECT_EQ(to_table(lines).rows,
            (std::vector<std::vector<std::string>>{{"0", "1", ""}, {"1", "", "5"}, {"2", "3", ""}}));
  const Chart twice{ChartKind::lines, "a", "A", {"x"}, {"y"}, {{"s", {{0, 1}}}, {"t", {{0, 5}, {0, 6}}}}};
  EXPECT_EQ(to_table(twice).rows, (std::vector<std::vector<std::string>>{{"0", "1", "5"}, {"0", "", "6"}}));
  Chart named{ChartKind::lines, "a", "A", {"x"}, {"y"}, {{"s", {labelled(4075698, 1, "texas")}}}};
  EXPECT_EQ(to_table(named).rows, (std::vector<std::vector<std::string>>{{"4075698", "1", "texas"}}));
}

TEST(Chart, NamedPointsAreASeriesLikeOthersWithTheirLabels) {
  for (Look look : {Look::dots, Look::named}) {
    const Chart chart{ChartKind::lines, "a", "A", {"x"}, {"y"}, {{"s", {labelled(1, 2, "texas")}, look}}};
    const std::string svg = to_svg(chart);
    EXPECT_EQ(occurrences(svg, "<g class=\"series points c0\""), 1u);
    EXPECT_EQ(occurrences(svg, ">texas</text>"), look == Look::named ? 1u : 0u);
  }
}

TEST(Chart, FilesStandAlone) {
  const std::string svg = to_svg(dots());
  EXPECT_NE(svg.find("<style>"), std::string::npos);
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
  EXPECT_EQ(to_svg(dots(), false).find("<style>"), std::string::npos);
  EXPECT_EQ(occurrences(svg, "http"), 1u) << "only the name of the namespace";
}

}  // namespace
}  // namespace gcnh::report
