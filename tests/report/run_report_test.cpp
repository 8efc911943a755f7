// From run folders to reports.
#include "gcnh/report/run_report.h"

#include <gtest/gtest.h>

#include <regex>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_rows.h"
#include "gcnh/report/sections.h"
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
  const std::vector<report::Run> runs = read_runs({folder / "runs"});
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
  for (const char* section : {"summary", "data", "comparison", "training", "quality", "map", "appendix"})
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
  EXPECT_TRUE(std::filesystem::exists(folder / "fig/scores-1.svg"));
  EXPECT_TRUE(std::filesystem::exists(folder / "tab/comparison-1.tex"));
}

Run made_up(const std::string& model, double val, std::vector<double> test) {
  Run run;
  run.model = run.name = run.file = model;
  run.data.name = "d";
  run.data.view = "clean";
  run.data.test_per_train = 0.4;
  run.val.mean = val;
  run.test = mean_std(test);
  run.test_nodes.resize(test.size());
  for (std::size_t i = 0; i < test.size(); ++i) {
    SplitOutcome s;
    s.split = static_cast<int>(i);
    s.best.score.accuracy = val;
    s.test_accuracy = test[i];
    run.result.splits.push_back(s);
  }
  return run;
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

TEST(RunReport, PrecisionAndRecallAreThoseOfTheCounts) {
  report::Run run = made_up("gcn", 0.7, {0.9});
  run.data.classes = {{"a", 3}, {"b", 2}, {"c", 0}};
  run.confusion = {{2, 1, 0}, {1, 1, 0}, {0, 0, 0}};
  const Section section = quality_section(group_runs({run})[0]);
  EXPECT_EQ(section.tables[0].rows[0], (std::vector<std::string>{"a", "66.67", "66.67", "66.67", "3"}));
  EXPECT_EQ(section.tables[0].rows[1], (std::vector<std::string>{"b", "50.00", "50.00", "50.00", "2"}));
  EXPECT_EQ(section.tables[0].rows[2], (std::vector<std::string>{"c", "–", "–", "–", "0"}));
  EXPECT_NE(section.tables[0].note.find("38.89 %"), std::string::npos) << section.tables[0].note;
}

}  // namespace
}  // namespace gcnh::testing
