// gcnh compare: the verdict under the table, and the same numbers in the JSON.
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gcnh/study/statistics.h"
#include "tests/support/program.h"

namespace gcnh::testing {
using namespace study;
namespace {

using nlohmann::json;

Answer compare(const std::string& models, const std::string& splits, const std::vector<std::string>& more = {}) {
  std::vector<std::string> args = {"compare",  "--models", models,     "--splits", splits,
                                   "--epochs", "8",        "--hidden", "16",       "--quiet"};
  args.insert(args.end(), more.begin(), more.end());
  const Answer answer = run_program(args);
  EXPECT_EQ(answer.code, 0) << answer.err;
  return answer;
}

std::vector<double> test_accuracies(const json& run) {
  std::vector<double> out;
  for (const json& split : run["splits"]) out.push_back(split["test_accuracy"]);
  return out;
}

TEST(CompareCommand, TheJsonHasTheTestsOfItsOwnSplits) {
  const json runs = json::parse(compare("gcn,mlp", "0,1,2,3,4,5", {"--json"}).out);
  ASSERT_EQ(runs.size(), 2u);
  ASSERT_NE(runs[0].contains("comparison"), runs[1].contains("comparison")) << "all but the reference";
  const json& other = runs[runs[0].contains("comparison") ? 0 : 1];
  const json& reference = runs[runs[0].contains("comparison") ? 1 : 0];
  EXPECT_GE(reference["val_accuracy"]["mean"], other["val_accuracy"]["mean"]);
  EXPECT_EQ(other["comparison"]["reference"], reference["model"]);
  EXPECT_EQ(other["comparison"]["pairs"], 6);
  EXPECT_NEAR(other["comparison"]["test_per_train"].get<double>(), 20.0 / 48, 0.005) << "split 48/32/20";

  std::vector<double> differences = test_accuracies(reference);
  const std::vector<double> minus = test_accuracies(other);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= minus[i];
  const MeanTest expected = corrected_t_test(differences, other["comparison"]["test_per_train"]);
  EXPECT_EQ(other["comparison"]["reference_minus_model"]["mean"], expected.mean);
  EXPECT_EQ(other["comparison"]["p_corrected_t"], expected.p);
  EXPECT_EQ(other["comparison"]["p_wilcoxon"], wilcoxon_signed_rank(differences).p);
}

TEST(CompareCommand, SaysInWordsWhatTheSplitsShow) {
  const std::string out = compare("gcn,mlp", "0,1,2,3,4,5").out;
  EXPECT_NE(out.find("population std"), std::string::npos) << out;
  EXPECT_NE(out.find("minus the model's, in points, paired by split (6 splits)"), std::string::npos) << out;
  EXPECT_NE(out.find(": gcn - mlp = "), std::string::npos) << "the graph's effect has its sign: " << out;
  EXPECT_NE(out.find("(95 % interval "), std::string::npos) << out;
  EXPECT_NE(out.find(", 6 paired splits)"), std::string::npos) << out;
}

// The row of the table that begins with the word, cell by cell.
std::vector<std::string> row_of(const std::string& table, const std::string& word) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(word)) continue;
    std::istringstream cells(line);
    return {std::istream_iterator<std::string>(cells), {}};
  }
  return {};
}

TEST(CompareCommand, BetaIsTheMeanOverTheSplitsAsInTheReport) {
  const TempDir folder;
  const std::vector<std::string> more = {"--lr", "0.3", "--layers", "2"};
  std::vector<std::string> kept = more, json_too = more;
  kept.insert(kept.end(), {"--out", folder / "run"});
  json_too.push_back("--json");
  const std::vector<std::string> row = row_of(compare("gcnh,mlp", "0,1,2", kept).out, "gcnh");
  const json run = json::parse(compare("gcnh,mlp", "0,1,2", json_too).out)[0];
  double mean[2] = {0, 0}, first[2] = {0, 0};
  for (const json& split : run["splits"])
    for (std::size_t l = 0; l < 2; ++l) mean[l] += split["beta"][l].get<double>() / 3;
  for (std::size_t l = 0; l < 2; ++l) first[l] = run["splits"][0]["beta"][l];
  ASSERT_GT(std::abs(mean[0] - first[0]) + std::abs(mean[1] - first[1]), 0.02) << "else this shows nothing";
  char betas[2][8];
  for (std::size_t l = 0; l < 2; ++l) std::snprintf(betas[l], sizeof betas[l], "%.2f", mean[l]);
  ASSERT_GE(row.size(), 2u);
  EXPECT_EQ(row[row.size() - 2], betas[0]);
  EXPECT_EQ(row[row.size() - 1], betas[1]);
  ASSERT_EQ(run_program({"report", folder / "run", "--tables", folder / "tables"}).code, 0);
  const std::string report = slurp(folder / "tables" / "comparison.csv");
  EXPECT_NE(report.find(std::string(betas[0]) + ", " + betas[1]), std::string::npos) << report;
}

TEST(CompareCommand, ItFitsIntoEightyColumns) {
  std::istringstream lines(compare("geomgcn,gcnh,mlp", "0,1,2,3,4,5").out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }), 80) << line;
  }
}

TEST(CompareCommand, SaysWhenThereIsTooLittleToTest) {
  const std::string few = compare("gcnh,mlp", "0,1").out;
  EXPECT_NE(few.find("too few splits for a test, 5 are needed: gcnh - mlp = "), std::string::npos) << few;
  EXPECT_EQ(few.find(" p = "), std::string::npos) << few;
  const std::string alone = compare("mlp", "0").out;
  EXPECT_EQ(alone.find("minus"), std::string::npos) << alone;
}

TEST(CompareCommand, PutsModelsSideBySide) {
  const TempDir folder;
  const std::string out = folder / "run";
  const Answer a = run_program({"compare", "--models", "gcnh,mlp", "--aggregation", "max", "--epochs", "5", "--splits",
                                "0,1", "--out", out, "--quiet"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("gcnh"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "run" / "mlp" / "model.safetensors"));
  EXPECT_TRUE(json::parse(run_program({"compare", "--models", "gcnh,mlp", "--epochs", "2", "--json"}).out).is_array());
}

TEST(Compare, TheMetricChoosesAndIsTested) {
  const std::vector<std::string> args = {"compare",  "--models", "mlp,gcn", "--epochs", "6",
                                         "--hidden", "4",        "--quiet", "--metric", "log_loss"};
  std::vector<std::string> as_json = args;
  as_json.push_back("--json");
  const json runs = json::parse(run_program(as_json).out);
  const std::size_t reference = runs[0].contains("comparison") ? 1 : 0;
  const json &best = runs[reference], &other = runs[1 - reference];
  EXPECT_LE(best["val"]["log_loss"]["mean"], other["val"]["log_loss"]["mean"]) << "lower is better";
  EXPECT_EQ(other["comparison"]["metric"], "log_loss");
  EXPECT_NEAR(other["comparison"]["reference_minus_model"]["mean"].get<double>(),
              best["test"]["log_loss"]["mean"].get<double>() - other["test"]["log_loss"]["mean"].get<double>(), 1e-12);
  const std::string text = run_program(args).out;
  for (const char* part : {"test log-loss", " in log-loss (95 % interval", "over the same splits\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("points"), std::string::npos) << text;
}

}  // namespace
}  // namespace gcnh::testing
