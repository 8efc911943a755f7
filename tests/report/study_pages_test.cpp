// The pages of gcnh tune and gcnh paper in a real browser: their marks are the numbers of the journal.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <numeric>
#include <sstream>

#include "tests/report/browser.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

std::vector<json> journal_of(const std::filesystem::path& folder) {
  std::istringstream lines(slurp(folder / "journal.jsonl"));
  std::vector<json> out;
  for (std::string line; std::getline(lines, line);) out.push_back(json::parse(line));
  return out;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Opens the page, expects it to be whole and quiet, and returns the marks of a chart as [series, x, y].
json marks_of(const std::string& html, const std::string& chart) {
  const json seen = ask_page(html, "const marks = Array.from(document.querySelectorAll('#chart-" + chart +
                                       R"js( .mark[data-y]'), m => [m.dataset.series, +m.dataset.x, +m.dataset.y]);
    return {marks, ready: document.documentElement.dataset.ready,
            fetched: performance.getEntriesByType('resource').length,
            overflow: document.documentElement.scrollWidth - innerWidth,
            bare: Array.from(document.querySelectorAll('figure')).filter(f => !f.querySelector('table')).length};)js");
  EXPECT_EQ(seen["problems"], json::array());
  const json& answer = seen["answer"];
  EXPECT_EQ(answer.value("ready", ""), "true");
  EXPECT_EQ(answer.value("fetched", -1), 0);
  EXPECT_EQ(answer.value("bare", -1), 0) << "every chart has its table";
  EXPECT_LE(answer.value("overflow", 1), 0);
  return answer.value("marks", json::array());
}

// The page of a small search.
std::string search_page(const TempDir& folder) {
  write_text(folder / "grid.toml", "hidden = [8, 16]\n");
  const Answer a = run_program({"tune", "--models", "mlp", "--grid", folder / "grid.toml", "--epochs", "20", "--splits",
                                "0,1,2", "--quiet", "--out", folder / "out"});
  EXPECT_EQ(a.code, 0) << a.err;
  return slurp(folder / "out" / "report.html");
}

// And of a small part of the paper.
std::string paper_page(const TempDir& folder) {
  const Answer a = run_program({"paper", "main", "data", "ablation", "--quick", "--models", "gcnh", "--views", "paper",
                                "--data", "texas,cornell", "--quiet", "--out", folder / "out"});
  EXPECT_EQ(a.code, 0) << a.err;
  return slurp(folder / "out" / "paper.html");
}

TEST(Browser, ThePaperShowsTheJournal) {
  NEED_BROWSER();
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  const std::string page = paper_page(folder);
  std::map<std::string, std::vector<double>> accuracies;
  for (const json& line : journal_of(folder / "out")) {
    const json& run = line["run"];
    if (run["model"] == "gcnh" && run["options"]["beta"] == "learned")
      accuracies[run["data"]].push_back(100 * line["result"]["test_accuracy"].get<double>());
  }
  ASSERT_EQ(accuracies["texas"].size(), 2u);
  std::map<int, double> shown;
  for (const json& mark : marks_of(page, "main-gcnh"))
    if (mark[0] == "measured") shown[mark[1].get<int>()] = mark[2];
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_NEAR(shown[0], mean(accuracies["texas"]), 1e-9);
  EXPECT_NEAR(shown[1], mean(accuracies["cornell"]), 1e-9);
}

TEST(Browser, TheSearchShowsTheJournal) {
  NEED_BROWSER();
  const TempDir folder;
  const std::string page = search_page(folder);
  std::map<int, std::vector<double>> accuracies;
  for (const json& line : journal_of(folder / "out"))
    accuracies[line["run"]["options"]["hidden"].get<int>()].push_back(line["result"]["val_accuracy"]);
  std::map<int, double> shown;
  for (const json& mark : marks_of(page, "slice-mlp-hidden"))
    if (mark[0] == "every cell") shown[mark[1].get<int>()] = mark[2];
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_NEAR(shown[0], mean(accuracies.at(8)), 1e-12);
  EXPECT_NEAR(shown[1], mean(accuracies.at(16)), 1e-12);
}

TEST(Browser, NoSeriousBarrierInTheSearch) {
  NEED_BROWSER();
  NEED_AXE();
  const TempDir folder;
  EXPECT_EQ(barriers_of(search_page(folder)), kNothingWrong);
}

TEST(Browser, NoSeriousBarrierInThePaper) {
  NEED_BROWSER();
  NEED_AXE();
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  EXPECT_EQ(barriers_of(paper_page(folder)), kNothingWrong);
}

}  // namespace
}  // namespace gcnh::testing
