// Sections that are computed from the answers for the test nodes: curves, reliability, surroundings, maps.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/report/made_up.h"

namespace gcnh::testing {
using namespace report;
namespace {

// A group of two models with two splits of made-up answers.
Group answering(int classes, Metric metric = Metric::accuracy) {
  std::vector<report::Run> runs;
  for (const char* model : {"gcn", "mlp"}) {
    report::Run run = made_up(model, 0.5, {0.5, 0.5});
    for (int k = 0; k < classes; ++k) run.data.classes.emplace_back("class " + std::to_string(k), 100 - k);
    for (int i = 0; i < 2; ++i) {
      TestAnswers a = random_answers(100, classes, static_cast<std::uint64_t>(10 * i + model[0]));
      for (int u = 0; u < 100; ++u) {
        a.degree.push_back(u < 50 ? 1 : u % 10);
        a.homophily.push_back(u == 0 ? std::nan("") : u % 5 / 4.0);
      }
      SplitOutcome& s = run.result.splits[static_cast<std::size_t>(i)];
      s.metric = metric;
      s.test = measure(a.logp, a.labels);
      s.test_accuracy = (*s.test)[Metric::accuracy];
      run.answers.push_back(std::move(a));
    }
    runs.push_back(std::move(run));
  }
  return group_runs(std::move(runs))[0];
}

double mean_of(const report::Run& run, Metric metric) { return mean_std(test_values(run.result.splits, metric)).mean; }

const Chart& find_chart(const Section& section, const std::string& name) {
  for (const Chart& chart : section.charts)
    if (chart.name == name) return chart;
  throw std::runtime_error("no chart " + name);
}

TEST(Probabilities, LegendsHaveTheMetrics) {
  for (int classes : {2, 4}) {
    const Group group = answering(classes);
    const Section section = probabilities_section(group);
    EXPECT_EQ(section.charts.size(), classes == 2 ? 3u : 5u);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto legend = [&](const char* before, Metric metric) {
        return group.runs[i].name + before + value_text(metric, mean_of(group.runs[i], metric)) + " %";
      };
      EXPECT_EQ(find_chart(section, "roc").series[i].name, legend(", ", Metric::roc_auc));
      EXPECT_EQ(find_chart(section, "pr").series[i].name, legend(", ", Metric::pr_auc));
      EXPECT_EQ(find_chart(section, "reliability").series[i].name, legend(", ECE ", Metric::ece));
    }
  }
}

TEST(Probabilities, TheLargestClassesAreShown) {
  const Section section = probabilities_section(answering(7));
  const Chart& chart = find_chart(section, "roc-classes");
  ASSERT_EQ(chart.series.size(), 6u) << "five classes, and guessing";
  EXPECT_TRUE(chart.series[0].name.starts_with("class class 0, ")) << chart.series[0].name;
  EXPECT_NE(chart.note.find("5 largest of 7"), std::string::npos);
}

TEST(Probabilities, BinsHoldEveryAnswerOnce) {
  const Group group = answering(3);
  const Section section = probabilities_section(group);
  const Chart& chart = find_chart(section, "reliability");
  for (std::size_t i = 0; i < 2; ++i) {
    double answers = 0, right = 0, sure = 0, expected = 0;
    for (const ChartPoint& p : chart.series[i].points) {
      const double nodes = std::stod(p.label);
      answers += nodes;
      right += nodes * p.y;
      sure += nodes * p.x;
    }
    for (const TestAnswers& a : group.runs[i].answers)
      for (Index u = 0; u < a.logp.rows(); ++u)
        expected += std::exp(*std::max_element(a.logp.row(u), a.logp.row(u) + a.logp.cols()));
    EXPECT_EQ(answers, 200);
    EXPECT_NEAR(right / answers, mean_of(group.runs[i], Metric::accuracy), 1e-5);
    EXPECT_NEAR(sure, expected, 1e-3);
  }
}

TEST(Decisions, AnswersThatAreEquallySureAreLeftOutEqually) {
  Group group = answering(2);
  for (report::Run& run : group.runs)
    for (SplitOutcome& s : run.result.splits) s.decision = DecisionScores{.temperature = 1};
  std::vector<int> labels(20, 0);
  std::fill_n(labels.begin(), 5, 1);
  for (TestAnswers& a : group.runs[1].answers)
    a = made_up_answers(std::vector<std::vector<double>>(20, {0.6, 0.4}), labels);
  const Chart chart = find_chart(decisions_section(group), "abstention");
  for (const ChartPoint& p : chart.series[1].points) EXPECT_NEAR(p.y, 0.75, 1e-9) << p.x;
  for (const ChartPoint& p : chart.series[0].points)
    EXPECT_NE(p.label.find("gcn: probability at least "), p.label.npos);
  EXPECT_TRUE(chart.series[1].points[0].label.empty()) << "of the best model alone";
}

TEST(Surroundings, BinsAreQuantilesAndScoresThoseOfTheirNodes) {
  const Group group = answering(3);
  const Section section = surroundings_section(group);
  const Chart& chart = find_chart(section, "by-degree");
  // 1 has 55 nodes of a split, 0 has 5, 2 to 9 have 5 each.
  EXPECT_EQ(chart.x.categories, (std::vector<std::string>{"0–1 (120)", "2–4 (30)", "5–7 (30)", "8–9 (20)"}));
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<double> scores;
    for (const TestAnswers& a : group.runs[i].answers) {
      double right = 0, all = 0;
      for (std::size_t u = 0; u < a.labels.size(); ++u) {
        if (a.degree[u] < 2 || a.degree[u] > 4) continue;
        const Real* row = a.logp.row(static_cast<Index>(u));
        right += std::max_element(row, row + 3) - row == a.labels[u];
        all += 1;
      }
      scores.push_back(right / all);
    }
    const MeanStd expected = mean_std(scores);
    const ChartPoint& point = chart.series[i].points[1];
    EXPECT_NEAR(point.y, expected.mean, 1e-12);
    EXPECT_NEAR(point.high, std::min(1.0, expected.mean + expected.std), 1e-12);
    EXPECT_NEAR(point.low, std::max(0.0, expected.mean - expected.std), 1e-12);
  }
  const Chart& shares = find_chart(section, "by-homophily");
  EXPECT_EQ(shares.x.categories,
            (std::vector<std::string>{"0 % (38)", "25 % (40)", "50 % (40)", "75 % (40)", "100 % (40)"}))
      << "a node without labelled neighbours is in none";
}

TEST(Surroundings, FoldersThatDoNotTellHaveNone) {
  Group group = answering(3);
  for (report::Run& run : group.runs)
    for (TestAnswers& a : run.answers) a.degree.clear(), a.homophily.clear();
  EXPECT_TRUE(surroundings_section(group).charts.empty());
  for (report::Run& run : group.runs) run.answers.clear();
  EXPECT_TRUE(surroundings_section(group).charts.empty());
  EXPECT_TRUE(probabilities_section(group).charts.empty());
}

TEST(Map, OfTwoClassesShowsCertaintyByHomophily) {
  Group group = answering(2);
  report::Run& run = group.runs[0];
  run.data.nodes = 4;
  run.map = {{"a", "class 0", "class 0", "test", {std::log(.75), std::log(.25)}, 0.5},
             {"b", "class 1", "class 0", "test", {std::log(.9), std::log(.1)}, 0},
             {"c", "class 1", "class 1", "train", {-1e9, 0}, 1},
             {"d", "", "class 1", "", {std::log(.5), std::log(.5)}}};
  const Section section = map_section(group, 100);
  const Chart& chart = find_chart(section, "map");
  EXPECT_EQ(chart.x.label, "log-odds of class class 1 against class class 0");
  ASSERT_EQ(chart.series.size(), 2u) << "a node without homophily has no place";
  EXPECT_NEAR(chart.series[0].points[0].x, std::log(1.0 / 3), 1e-5);
  EXPECT_NEAR(chart.series[0].points[0].y, 0.5, 0.0301);
  EXPECT_NEAR(chart.series[1].points[0].x, std::log(1.0 / 9), 1e-5);
  EXPECT_EQ(chart.series[1].points[0].label, "node b, taken for class 0");
  EXPECT_NEAR(chart.series[1].points[1].x, -std::log(1e-6), 1e-4) << "no more than one in a million";
  for (const Series& s : chart.series)
    for (const ChartPoint& p : s.points) EXPECT_TRUE(p.y >= 0 && p.y <= 1) << p.y;
  EXPECT_NE(chart.note.find("1 of 3 nodes"), std::string::npos) << chart.note;
  EXPECT_NE(chart.note.find("1 node without label"), std::string::npos) << chart.note;
}

TEST(Map, OfTwoClassesInOldFoldersShowsComponents) {
  Group group = answering(2);
  group.runs[0].map = {{"a", "class 0", "class 0", "test", {-1, -2}}, {"b", "class 1", "class 1", "test", {-2, -1}}};
  EXPECT_NE(map_section(group, 100).charts.at(0).x.label.find("first component"), std::string::npos);
}

TEST(Metrics, TheGroupsOwnIsFirstAndTheBestAreBold) {
  const Group group = answering(3, Metric::macro_f1);
  const Table table = metrics_table(group, true);
  EXPECT_EQ(table.columns[1], "macro F1, %");
  EXPECT_EQ(table.columns.size(), 10u);
  EXPECT_EQ(table.bold.size(), 9u);
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    for (Metric metric : all_metrics()) {
      if (table.columns[c] != column_of(metric)) continue;
      for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(table.rows[i][c], mean_std_text(metric, test_values(group.runs[i].result.splits, metric)));
      const bool first = merit(metric, mean_of(group.runs[0], metric)) >= merit(metric, mean_of(group.runs[1], metric));
      EXPECT_TRUE(table.bold.contains({first ? 0 : 1, c})) << table.columns[c];
    }
  }
}

}  // namespace
}  // namespace gcnh::testing
