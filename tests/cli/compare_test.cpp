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
  std::vector<std::string> args = {"compare", "--models", models, "--splits", splits,     "--epochs",
                                   "8",       "--hidden", "16",   "--quiet",  "--no-tune"};
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
  ASSERT_EQ(runs.size(), 5u) << "two models and three floors";
  ASSERT_NE(runs[0].contains("comparison"), runs[1].contains("comparison")) << "all but the reference";
  for (std::size_t i : {2u, 3u, 4u}) EXPECT_TRUE(runs[i]["floor"] == true && runs[i].contains("comparison")) << i;
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

TEST(CompareCommand, ManyLayersFitIntoEightyColumns) {
  for (const char* layers : {"5", "9"}) {
    for (const char* metric : {"accuracy", "balanced_accuracy"}) {
      const std::vector<std::string> more = {"--layers", layers, "--metric", metric};
      for (const std::string& text :
           {compare("gcnh,mlp", "0,1", more).out,
            run_program({"train", "--layers", layers, "--metric", metric, "--epochs", "2", "--splits", "0", "--quiet"})
                .out}) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
          EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }), 80) << line;
        const std::string summary = "the lowest and the highest";
        const bool compared = text.find("floors") != std::string::npos;
        EXPECT_EQ(text.find(summary) != std::string::npos, compared && layers == std::string("9")) << text;
      }
    }
  }
}

TEST(CompareCommand, SaysWhenThereIsTooLittleToTest) {
  const std::string few = compare("gcnh,mlp", "0,1").out;
  EXPECT_NE(few.find("too few splits for a test, 5 are needed: gcnh - mlp = "), std::string::npos) << few;
  EXPECT_EQ(few.find(" p = "), std::string::npos) << few;
  const std::string alone = compare("mlp", "0").out;
  EXPECT_NE(alone.find("\ntoo few splits for a test, 5 are needed\n"), std::string::npos) << alone;
}

TEST(CompareCommand, PutsModelsSideBySide) {
  const TempDir folder;
  const std::string out = folder / "run";
  const Answer a = run_program({"compare", "--models", "gcnh,mlp", "--aggregation", "max", "--epochs", "5", "--splits",
                                "0,1", "--out", out, "--quiet", "--no-tune"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("gcnh"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "run" / "mlp" / "model.safetensors"));
  for (const char* floor : {"majority", "labelprop"})
    EXPECT_TRUE(std::filesystem::exists(folder / "run" / floor / "predictions.csv")) << floor;
  EXPECT_TRUE(json::parse(compare("gcnh,mlp", "0", {"--json"}).out).is_array());
}

TEST(CompareCommand, ASlashBehindTheFolderIsNotShown) {
  const TempDir folder;
  const std::string out = compare("mlp", "0", {"--out", (folder / "run").string() + "//"}).out;
  EXPECT_NE(out.find((folder / "run").string() + "/MODEL/"), std::string::npos) << out;
  EXPECT_EQ(out.find("//"), std::string::npos) << out;
}

TEST(CompareCommand, FloorsStandBelowTheModels) {
  const std::string out = compare("gcn,mlp", "0,1,2,3,4,5").out;
  const std::size_t line = out.find("\nfloors, which a model must beat:\nlogreg ");
  ASSERT_NE(line, std::string::npos) << out;
  EXPECT_LT(out.find("\nmlp "), line);
  EXPECT_GT(out.find("\nmajority "), line);
  EXPECT_GT(out.find("\nlabelprop "), line);
  const std::string named = compare("logreg,mlp", "0").out;
  EXPECT_LT(named.find("\nlogreg "), named.find("\nfloors, which a model must beat:\nmajority ")) << "it was asked for";
}

std::vector<std::string> searching(const std::vector<std::string>& more) {
  std::vector<std::string> args = {"compare", "--models", "gcn,mlp", "--splits", "0,1,2", "--epochs",
                                   "6",       "--hidden", "8",       "--budget", "1",     "--quiet"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

TEST(CompareCommand, EveryModelGetsTheSameSearchAndItsWinnerReadsTheTestNodes) {
  const TempDir folder;
  const std::string out = folder / "run";
  const Answer a = run_program(searching({"--json", "--out", out}));
  ASSERT_EQ(a.code, 0) << a.err;
  const json runs = json::parse(a.out);
  for (std::size_t i : {0u, 1u, 2u}) {
    const json& run = runs[i];
    SCOPED_TRACE(run["model"].get<std::string>());
    EXPECT_EQ(run["search"]["cells"].size(), runs[0]["search"]["cells"].size()) << "equal chances";
    EXPECT_GT(run["search"]["cells"].size(), 1u);
    EXPECT_EQ(run["search"]["trainings"], runs[0]["search"]["trainings"]);
    EXPECT_EQ(run["search"]["test_reads"], 0);
    EXPECT_EQ(run["test_reads"], 3) << "one per split";
    const std::filesystem::path own = folder / "run" / run["model"].get<std::string>();
    EXPECT_EQ(json::parse(slurp(own / "search.json")), run["search"]);
    const json result = json::parse(slurp(own / "result.json"));
    for (const auto& [name, value] : run["search"]["chosen"].items()) EXPECT_EQ(result["options"][name], value) << name;
    EXPECT_EQ(result["options"]["epochs"], 6) << "a flag is the same in every cell";
    EXPECT_EQ(result["options"].value("hidden", 8), 8);
    for (const json& cell : run["search"]["cells"]) EXPECT_EQ(cell["options"]["epochs"], 6);
  }
  int lines = 0;
  std::ifstream journal(folder / "run" / "journal.jsonl");
  for (std::string line; std::getline(journal, line); ++lines)
    EXPECT_FALSE(json::parse(line)["result"].contains("test_accuracy")) << "test nodes are not read in a search";
  EXPECT_EQ(lines, 3 * runs[0]["search"]["trainings"].get<int>());
}

TEST(CompareCommand, TheSearchIsTheSameWithoutAFolderAndForAnyThreads) {
  const TempDir folder;
  const auto chosen = [](const std::vector<std::string>& more) {
    const json runs = json::parse(run_program(searching(more)).out);
    json out;
    for (const json& run : runs) out.push_back({run["model"], run["options"], run["test_accuracy"]});
    return out;
  };
  const json memory = chosen({"--json", "--threads", "1"});
  EXPECT_EQ(chosen({"--json", "--threads", "3", "--out", folder / "run"}), memory);
  EXPECT_EQ(chosen({"--json", "--threads", "2", "--out", folder / "run", "--force"}), memory);
}

TEST(CompareCommand, SaysBeforehandHowMuchItSearchesAndAfterwardsWhatItChose) {
  const Answer a = run_program(searching({}));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_LT(a.out.find("\nsearch "), a.out.find("\nmodel ")) << a.out;
  EXPECT_NE(a.out.find(" cells of each model, about "), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("\nchosen by validation\ngcn "), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("  weight_decay "), std::string::npos) << a.out;
  const Answer none = run_program(searching({"--no-tune"}));
  EXPECT_EQ(none.code, 2) << "--budget of no search";
  const Answer nothing = run_program({"compare", "--budget", "0"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_NE(nothing.err.find("--no-tune"), std::string::npos) << nothing.err;
}

// A kill anywhere, in a search or behind it, and --resume: the same results.
TEST(CompareCommand, KilledComparisonsEndWithTheSameResults) {
  const TempDir folder;
  const std::string whole = folder / "whole", broken = folder / "broken";
  const std::vector<std::string> once = searching({"--out", whole}), args = searching({"--out", broken, "--resume"});
  kill_at_random(args, time_program(once), 1);
  const Answer a = run_program(args);
  ASSERT_EQ(a.code, 0) << a.err;
  for (const char* model : {"gcn", "mlp", "logreg", "majority", "labelprop"}) {
    json first = json::parse(slurp(folder / "whole" / model / "result.json")),
         second = json::parse(slurp(folder / "broken" / model / "result.json"));
    EXPECT_EQ(first["options"], second["options"]) << model;
    EXPECT_EQ(first["test"], second["test"]) << model;
  }
  EXPECT_EQ(slurp(folder / "whole/mlp/model.safetensors"), slurp(folder / "broken/mlp/model.safetensors"));
}

// What is there was made with other settings: that is said before anything is searched or trained.
TEST(CompareCommand, ResumingWithOtherSettingsIsRefusedAtOnce) {
  const TempDir folder;
  const std::string out = folder / "run";
  ASSERT_EQ(run_program(searching({"--out", out})).code, 0);
  const std::string journal = slurp(folder / "run/journal.jsonl");
  const auto expect_refused = [&](std::vector<std::string> args, int code, const std::string& words) {
    args.insert(args.end(), {"--out", out, "--resume"});
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, code) << a.err;
    EXPECT_NE(a.err.find(words), std::string::npos) << a.err;
    EXPECT_EQ(slurp(folder / "run/journal.jsonl"), journal);
  };
  expect_refused(searching({"--seed", "2"}), 65, "belongs to another run (seed: 1 there, 2 here)");
  expect_refused(searching({"--metric", "mcc"}), 65, "(metric: \"accuracy\" there, \"mcc\" here)");
  expect_refused(searching({"--scale", "rows"}), 65, "(data: the tables, the view, the scaling, ");
  expect_refused(searching({"--dropout", "0.125"}), 65, "(dropout: ");
  expect_refused(searching({"--patience", "7"}), 65, "(patience: \"100\" there, \"7\" here)");
  EXPECT_EQ(run_program(searching({"--out", out, "--resume"})).code, 0) << "the same command goes on";
}

// Nor is what was searched for less: only the journal tells the two apart.
TEST(CompareCommand, WhatWasNotSearchedIsNotContinuedWithASearch) {
  const std::vector<std::string> args = {"compare",  "--models", "mlp",      "--splits", "0,1,2",
                                         "--epochs", "6",        "--hidden", "8",        "--quiet"};
  for (const std::vector<std::string>& less : {std::vector<std::string>{"--no-tune"}, {"--lr", "0.01"}}) {
    const TempDir folder;
    std::vector<std::string> first = args, resumed = args;
    for (auto* words : {&first, &resumed}) words->insert(words->end(), {"--out", folder / "run"});
    first.insert(first.end(), less.begin(), less.end());
    ASSERT_EQ(run_program(first).code, 0);
    resumed.push_back("--resume");
    const Answer a = run_program(resumed);
    EXPECT_EQ(a.code, 2) << a.err;
    EXPECT_NE(a.err.find("mlp was not chosen by this search (the journal lacks "), std::string::npos) << a.err;
    EXPECT_NE(a.err.find("or --no-tune where there was no search"), std::string::npos) << a.err;
  }
}

TEST(CompareCommand, ForceSetsAsideWhatIsNoJournal) {
  const TempDir folder;
  const std::string out = folder / "run", text = "my notes\n";
  write_text(folder / "run/journal.jsonl", text);
  const Answer refused = run_program(searching({"--out", out}));
  EXPECT_EQ(refused.code, 65);
  EXPECT_NE(refused.err.find("journal.jsonl:1: not a line of a journal"), std::string::npos) << refused.err;
  for (const char* other : {"journal.jsonl.old", "journal.jsonl.old-2"}) {
    write_text(folder / "run/journal.jsonl", text);
    const Answer forced = run_program(searching({"--out", out, "--force"}));
    EXPECT_EQ(forced.code, 0) << forced.err;
    EXPECT_NE(forced.err.find(other), std::string::npos) << forced.err;
    EXPECT_EQ(slurp(folder / "run" / other), text);
    EXPECT_TRUE(slurp(folder / "run/journal.jsonl").starts_with("{\"run\":"));
  }
}

TEST(CompareCommand, ARecipeIsFixedLikeFlags) {
  const TempDir folder;
  write_text(folder / "own.toml", "model = \"mlp\"\n[options]\nhidden = 5\nlr = 0.25\n");
  const Answer a = run_program({"compare", "--models", "mlp", "--recipe", folder / "own.toml", "--splits", "0",
                                "--epochs", "2", "--json", "--quiet"});
  ASSERT_EQ(a.code, 0) << a.err;
  for (const json& cell : json::parse(a.out)[0]["search"]["cells"]) {
    EXPECT_EQ(cell["options"]["hidden"], 5);
    EXPECT_EQ(cell["options"]["lr"], 0.25);
  }
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
