// From run folders to reports.
#include "gcnh/report/run_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_rows.h"
#include "tests/report/made_up.h"
#include "tests/report/run_fixture.h"

namespace gcnh::testing {
using namespace report;
namespace {

using nlohmann::json;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++out;
  return out;
}

TEST(RunFolder, PredictionsGiveTheScoresOfTheRun) {
  const TempDir folder;
  compare_hostile(folder);
  for (const std::string model : {"gcnh", "mlp", "logreg", "majority", "labelprop"}) {
    CsvRows rows((folder.path() / "runs" / model / "predictions.csv").string());
    std::map<int, std::pair<double, double>> right;
    while (rows.next()) {
      auto& [hits, all] = right[std::stoi(rows.row()[0])];
      hits += rows.row()[2] == rows.row()[3];
      all += 1;
      double sum = 0;
      for (std::size_t k = 4; k < 7; ++k) sum += std::stod(rows.row()[k]);
      EXPECT_NEAR(sum, 1, 1e-5);
    }
    const json result = result_of(folder, model);
    ASSERT_EQ(result["splits"].size(), right.size());
    for (const json& split : result["splits"]) {
      const auto& [hits, all] = right.at(split["split"]);
      EXPECT_DOUBLE_EQ(hits / all, split["test_accuracy"].get<double>());
    }
  }
}

TEST(RunFolder, ReadsBackWhatTheRunWrote) {
  const TempDir folder;
  compare_hostile(folder);
  const std::vector<report::Run> runs = group_runs(read_runs({folder / "runs"}))[0].runs;
  ASSERT_EQ(runs.size(), 5u) << "two models and three floors";
  const report::Run& run = runs[0];
  const json result = result_of(folder, "gcnh");
  EXPECT_EQ(run.model, "gcnh");
  EXPECT_EQ(run.test.mean, result["test_accuracy"]["mean"].get<double>());
  EXPECT_NE(run.command.find("gcnh compare --nodes "), std::string::npos) << run.command;
  ASSERT_EQ(run.data.classes.size(), 3u);
  EXPECT_EQ(run.data.classes[0].second, 30);
  EXPECT_EQ(run.map.size(), 90u);
  ASSERT_EQ(run.result.splits.size(), 3u);
  const SplitOutcome& first = run.result.splits[0];
  ASSERT_EQ(first.history.size(), 60u);
  ASSERT_EQ(first.readings.at("beta").size(), 1u) << "one layer";
  const EpochRecord& kept = first.history[static_cast<std::size_t>(first.best.epoch) - 1];
  EXPECT_EQ(kept.readings, first.readings) << "beta of the epoch that was kept";
  EXPECT_EQ(kept.val_accuracy, first.best.score.accuracy);
  double tested = 0, right = 0, expected = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) tested += run.confusion[i][j], right += i == j ? run.confusion[i][j] : 0;
  for (const SplitOutcome& s : run.result.splits) expected += *s.test_accuracy / 3;
  EXPECT_NEAR(right / tested, expected, 1e-12) << "the splits' test sets are of one size";
}

TEST(RunFolder, ErrorsSayWhatIsMissing) {
  const TempDir folder;
  const auto message = [&](const std::string& name) {
    try {
      report_runs({folder / name});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message("nowhere").find("no such folder"), std::string::npos);
  write_text(folder / "empty/x", "");
  EXPECT_NE(message("empty").find("result.json"), std::string::npos);
  write_text(folder / "broken/result.json", "{\"model\": 3");
  EXPECT_NE(message("broken").find("broken/result.json: not what gcnh writes"), std::string::npos);
  const Answer a = run_program({"report", folder / "empty"});
  EXPECT_EQ(a.code, 65);
  EXPECT_NE(a.err.find("the --out of a finished train"), std::string::npos) << a.err;
}

TEST(RunReport, PageAsksForNothing) {
  const TempDir folder;
  compare_hostile(folder);
  const std::string html = slurp(folder / "runs/report.html");
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  const std::string body = html.substr(html.find("<body>"), html.find("<script>") - html.find("<body>"));
  EXPECT_FALSE(std::regex_search(body, std::regex("<(script|link|img|iframe|object|embed|form|base)[ >]")));
  EXPECT_FALSE(std::regex_search(body, std::regex("(href|src|action)=\"(?!#)")));
  EXPECT_FALSE(std::regex_search(body, std::regex(" on[a-z]+=")));
  const std::string head = html.substr(0, html.find("<body>"));
  EXPECT_FALSE(std::regex_search(head, std::regex("url\\(|@import|https?:")));
  EXPECT_EQ(count(html, "<script>"), 2u) << "d3 and ours; a class name opens none";
  EXPECT_EQ(count(html, "</script>"), 2u);
  EXPECT_EQ(html.find("\u202E"), std::string::npos);
  EXPECT_LT(html.size(), 1500000u);
  for (const char* section :
       {"summary", "data", "comparison", "quality", "probabilities", "surroundings", "map", "training", "appendix"})
    EXPECT_EQ(count(html, join("<section id=\"", section, "\"")), 1u) << section;
}

TEST(RunReport, AnchorsAreUniqueAndLinksLead) {
  const TempDir folder;
  compare_hostile(folder);
  const Answer again =
      run_program({"train", "--nodes", folder / "nodes.csv", "--edges", folder / "edges.csv", "--model", "gcnh",
                   "--epochs", "5", "--hidden", "16", "--num-splits", "3", "--quiet", "--out", folder / "again"});
  ASSERT_EQ(again.code, 0) << again.err;
  const Answer other = run_program({"train", "--epochs", "3", "--splits", "0", "--quiet", "--out", folder / "other"});
  ASSERT_EQ(other.code, 0) << other.err;
  const std::string out = folder / "all.html";
  const Answer a = run_program({"report", folder / "runs", folder / "again", folder / "other", folder / "runs/gcnh",
                                "--out", out, "--figures", folder / "fig", "--tables", folder / "tab"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string html = slurp(out);
  EXPECT_NE(html.find("7 runs on "), std::string::npos) << "a folder that is named twice counts once";
  const std::string body = html.substr(html.find("<body>"), html.find("<script>") - html.find("<body>"));
  std::map<std::string, int> ids;
  const std::regex id(" id=\"([^\"]*)\""), link("href=\"#([^\"]*)\"");
  for (std::sregex_iterator at(body.begin(), body.end(), id), end; at != end; ++at) ++ids[(*at)[1]];
  for (const auto& [name, times] : ids) EXPECT_EQ(times, 1) << name;
  for (std::sregex_iterator at(body.begin(), body.end(), link), end; at != end; ++at)
    EXPECT_TRUE(ids.contains((*at)[1])) << (*at)[1];
  for (const char* file : {"fig/scores-1.svg", "fig/scores-1.pdf", "tab/comparison-1.tex", "tab/models-by-data.tex",
                           "tab/models-by-data.md", "tab/models-by-data.csv", "tab/loss-gcnh-2.csv"})
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  for (const char* file : {"tab/loss-gcnh-2.tex", "tab/loss-gcnh-2.md", "tab/map-1.tex"})
    EXPECT_FALSE(std::filesystem::exists(folder / file)) << file << ": numbers of charts are CSV alone";
}

TEST(RunReport, TheVerdictIsThatOfTheTests) {
  const std::vector<double> blind = {0.5, 0.51, 0.49, 0.5, 0.5, 0.52};
  const auto say = [&](const std::vector<double>& seeing) {
    return verdict(group_runs({made_up("gcn", 0.9, seeing), made_up("mlp", 0.8, blind)})[0]);
  };
  EXPECT_TRUE(
      say({0.9, 0.92, 0.91, 0.9, 0.93, 0.9}).starts_with("Graph helps: gcn - mlp = +40.67 points (95 % interval"));
  EXPECT_TRUE(say({0.9, 0.1, 0.6, 0.4, 0.5, 0.5}).starts_with("Not shown whether the graph helps: gcn - mlp ="));
  EXPECT_EQ(verdict(group_runs({made_up("gcn", 0.9, {0.5})})[0]), "");
  EXPECT_EQ(verdict(group_runs({made_up("gcn", 0.9, {0.5, 0.6}), made_up("mlp", 0.8, {0.5})})[0]), "")
      << "other splits";
  auto other = made_up("mlp", 0.8, blind);
  other.test_nodes[0] = 7;
  EXPECT_EQ(verdict(group_runs({made_up("gcn", 0.9, blind), other})[0]), "") << "other test nodes";
  auto again = made_up("gcn", 0.8, blind);
  again.name = "gcn (b)";
  const std::string twice = verdict(group_runs({made_up("gcn", 0.9, {0.9, 0.92, 0.91, 0.9, 0.93, 0.9}), again})[0]);
  EXPECT_TRUE(twice.starts_with("gcn is better than gcn (b)")) << twice;
}

TEST(RunReport, ShowsWhatCheckNoted) {
  const TempDir folder;
  std::string nodes = "id,label,x\n", edges = "source,target\n";
  for (int i = 0; i < 60; ++i) {
    nodes += join("u", i, i % 3 == 0 ? ",no," : i % 3 == 1 ? ",yes," : ",Yes,", i * i, "\n");
    edges += join("u", i, ",u", (i + 1) % 60, "\n");
  }
  write_text(folder / "nodes.csv", nodes);
  write_text(folder / "edges.csv", edges);
  const Answer a = run_program({"train", "--nodes", folder / "nodes.csv", "--edges", folder / "edges.csv", "--epochs",
                                "2", "--num-splits", "2", "--quiet", "--out", folder / "run"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "");
  const std::vector<Group> groups = group_runs(read_runs({folder / "run"}));
  ASSERT_EQ(groups.size(), 1u);
  const Section data = data_section(groups[0]);
  ASSERT_EQ(data.tables.size(), 2u);
  EXPECT_EQ(data.tables[1].rows[0][0], "label-words");
  EXPECT_NE(data.tables[1].rows[0][1].find("'Yes' and 'yes'"), std::string::npos);
}

TEST(RunReport, TheBestModelIsChosenByValidation) {
  const std::vector<Group> groups = group_runs({made_up("gcn", 0.7, {0.9}), made_up("mlp", 0.8, {0.5})});
  EXPECT_EQ(groups[0].best().model, "mlp");
}

// Without what later versions added to run folders.
void make_old(const std::filesystem::path& run) {
  json result = json::parse(slurp(run / "result.json"));
  for (const char* key : {"metric", "val", "test", "classes"}) result.erase(key);
  result["options"].erase("metric");
  for (json& split : result["splits"])
    for (const char* key : {"val", "test"}) split.erase(key);
  write_text(run / "result.json", result.dump());
  for (const char* name : {"predictions.csv", "map.csv"}) {
    std::istringstream lines(slurp(run / name));
    std::string out;
    for (std::string line; std::getline(lines, line);) {
      line.erase(line.rfind(','));
      out += line.substr(0, line.rfind(',')) + "\n";
    }
    write_text(run / name, out);
  }
}

TEST(RunReport, OldFoldersMakeAShorterPage) {
  const TempDir folder;
  compare_hostile(folder);
  for (const char* model : {"gcnh", "mlp", "logreg", "majority", "labelprop"}) make_old(folder / "runs" / model);
  const std::string html = to_html(report_runs({folder / "runs"}));
  for (const char* there :
       {"section id=\"comparison\"", "chart-roc", "chart-reliability", "chart-map", "table-classes-mlp"})
    EXPECT_EQ(count(html, join(there, "\"")) + count(html, join(there, " ")), 1u) << there;
  for (const char* gone : {"section id=\"surroundings\"", "table-metrics", "section id=\"search\""})
    EXPECT_EQ(count(html, gone), 0u) << gone;
}

TEST(RunReport, TheSearchIsShown) {
  const TempDir folder;
  compare_hostile(folder);
  const std::filesystem::path file = folder.path() / "runs/mlp/search.json";
  write_text(file, R"({"model": "mlp", "metric": "accuracy", "budget_seconds": 120, "trainings": 8, "seconds": 3.25,
    "test_reads": 0, "chosen": {"lr": 0.01}, "cells": [
    {"options": {"lr": 0.01}, "val_metric": {"mean": 0.5, "std": 0.125}, "splits": [0.375, 0.625]},
    {"options": {"lr": 0.1}, "val_metric": {"mean": 0.25, "std": 0}, "splits": [0.25]}]})");
  const Report report = report_runs({folder / "runs"});
  const auto section = std::find_if(report.sections.begin(), report.sections.end(),
                                    [](const Section& s) { return s.anchor == "search"; });
  ASSERT_NE(section, report.sections.end());
  EXPECT_EQ(
      section->tables.at(0).rows,
      (std::vector<std::vector<std::string>>{{"mlp", "2", "8", "3.2", "120", "50.00 ± 12.50", "never", "lr 0.01"}}));
  EXPECT_EQ(section->charts.at(0).series.at(1).points.size(), 2u);
  EXPECT_EQ(section->folded.at(0).rows.at(1), (std::vector<std::string>{"2", "0.1", "25.00 ± 0.00", "1"}));
  write_text(file, "{\"cells\": []}");
  try {
    report_runs({folder / "runs"});
    FAIL() << "a search of nothing was read";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("search.json: not what gcnh writes"), std::string::npos) << e.what();
  }
}

TEST(RunReport, DamagedPredictionsAreNamedByLine) {
  const TempDir folder;
  compare_hostile(folder);
  const std::filesystem::path file = folder.path() / "runs/mlp/predictions.csv";
  const std::string whole = slurp(file);
  const auto message = [&](const std::string& text) {
    write_text(file, text);
    try {
      read_runs({folder / "runs"});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  std::string broken = whole;
  broken.insert(broken.rfind(',') + 1, "x");
  EXPECT_NE(message(broken).find("is not a number"), std::string::npos);
  broken = whole;
  broken[broken.rfind('\n', broken.size() - 2) + 1] = '9';
  EXPECT_NE(message(broken).find("a split that result.json does not name"), std::string::npos);
}

TEST(RunReport, ModelsByDataMarksTheBestAndTheirEquals) {
  const std::vector<double> good = {0.9, 0.91, 0.89, 0.9, 0.92, 0.9}, near = {0.9, 0.9, 0.9, 0.9, 0.91, 0.9};
  const std::vector<double> bad = {0.5, 0.51, 0.49, 0.5, 0.52, 0.5};
  const auto on = [](report::Run run, const std::string& data) {
    run.data.name = data;
    return run;
  };
  const std::vector<Group> groups = group_runs(
      {on(made_up("gcn", 0.9, good), "a"), on(made_up("mlp", 0.8, bad), "a"), on(made_up("gat", 0.8, near), "a"),
       on(made_up("mlp", 0.8, {0.5, 0.6}), "b&"), on(made_up("gcn", 0.8, {0.7, 0.6}), "b&")});
  const Section section = overview_section(groups);
  const Table& table = section.tables.at(0);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"model", "a", "b&"}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<std::string>>{{"gcn", "90.33 ± 0.94", "65.00 ± 5.00"},
                                                               {"mlp", "50.33 ± 0.94", "55.00 ± 5.00"},
                                                               {"gat", "90.17 ± 0.37 ≈", ""}}));
  EXPECT_EQ(table.bold, (std::set<std::pair<std::size_t, std::size_t>>{{0, 1}, {0, 2}}));
  EXPECT_NE(table.note.find("fewer than 5 splits"), std::string::npos);
  EXPECT_NE(to_markdown(table).find("| gcn | **90.33 ± 0.94** | **65.00 ± 5.00** |\n"), std::string::npos);
  EXPECT_NE(to_latex(table).find("gcn & \\textbf{90.33 $\\pm$ 0.94} & \\textbf{65.00 $\\pm$ 5.00} \\\\\n"),
            std::string::npos)
      << to_latex(table);
  EXPECT_NE(to_latex(table).find("gat & 90.17 $\\pm$ 0.37 $\\approx$ &  \\\\\n"), std::string::npos);
  EXPECT_NE(to_latex(table).find("model & a & b\\& "), std::string::npos);
  EXPECT_NE(to_csv(table).find("gcn,90.33 ± 0.94 *,65.00 ± 5.00 *\r\n"), std::string::npos);
  EXPECT_NE(to_csv(table).find("gat,90.17 ± 0.37 ≈,\r\n"), std::string::npos);
  EXPECT_EQ(table.title, "Test accuracy, %: models by data");
  EXPECT_NE(to_html(table).find("<b>90.33 ± 0.94</b>"), std::string::npos);
}

TEST(RunReport, FloorsAreNeverTheBestModelAndCaveatsAreTold) {
  const std::vector<double> scores = {0.5, 0.51, 0.49, 0.5, 0.5, 0.52};
  report::Run gcn = made_up("gcn", 0.8, scores);
  gcn.data.classes = {{"a", 3}, {"b", 2}};
  gcn.confusion = {{3, 0}, {2, 0}};
  const Group group = group_runs({made_up("majority", 0.9, scores), gcn})[0];
  EXPECT_EQ(group.best().model, "gcn");
  const std::vector<std::string> sentences = caveats(group);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_TRUE(sentences[0].starts_with("The best model is not shown to beat a floor: gcn - majority, see above."))
      << sentences[0];
  EXPECT_EQ(sentences[1], "gcn never predicts class 'b'.");
}

TEST(RunReport, PrecisionAndRecallAreThoseOfTheCounts) {
  report::Run run = made_up("gcn", 0.7, {0.9});
  run.data.classes = {{"a", 3}, {"b", 2}, {"c", 0}};
  run.confusion = {{2, 1, 0}, {1, 1, 0}, {0, 0, 0}};
  const Section section = quality_section(group_runs({run})[0]);
  EXPECT_EQ(section.tables[0].rows[0], (std::vector<std::string>{"a", "66.67", "66.67", "66.67", "3"}));
  EXPECT_EQ(section.tables[0].rows[1], (std::vector<std::string>{"b", "50.00", "50.00", "50.00", "2"}));
  EXPECT_EQ(section.tables[0].rows[2], (std::vector<std::string>{"c", "–", "–", "–", "0"}));
  EXPECT_NE(section.tables[0].note.find("Pooled over the test nodes of all splits"), std::string::npos);
  EXPECT_EQ(section.tables[0].note.find("F1"), std::string::npos) << "that of the metrics is a mean over the splits";
}

TEST(RunReport, AClassWithoutTestNodesHasDashesInTheConfusion) {
  report::Run run = made_up("gcn", 0.7, {0.9});
  run.data.classes = {{"a", 3}, {"b", 2}, {"c", 0}};
  run.confusion = {{2, 1, 0}, {1, 1, 0}, {0, 0, 0}};
  const Chart chart = quality_section(group_runs({run})[0]).charts.at(0);
  const std::string svg = to_svg(chart, false);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(count(svg, ">–</text>"), 3u);
  EXPECT_EQ(to_table(chart).rows.at(2), (std::vector<std::string>{"c", "–", "–", "–"}));
}

TEST(RunReport, BarsOfSharesEndAtZeroAndOne) {
  report::Run run = made_up("gcn", 0.7, {1, 1, 0.6, 1}), low = made_up("mlp", 0.7, {0, 0, 0.4, 0});
  const Group group = group_runs({run, low})[0];
  const Section section = comparison_section(group);
  const std::vector<ChartPoint>& bars = section.charts.at(0).series.at(0).points;
  EXPECT_NEAR(bars.at(0).low, 0.9 - std::sqrt(0.03), 1e-12);
  EXPECT_EQ(bars.at(0).high, 1);
  EXPECT_EQ(bars.at(1).low, 0);
  EXPECT_EQ(section.tables.at(0).rows.at(0).at(1), "90.00 ± 17.32") << "text stays mean ± std";
  const ChartPoint mcc = mean_point(0, {-0.5, 1}, Metric::mcc);
  EXPECT_EQ(mcc.low, -1.5) << "not a share";
}

}  // namespace
}  // namespace gcnh::testing
