// Final models on the command line: train, compare and tune make them, predict and eval use them; splits without test
// or validation nodes; class weights and costs.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

using Cells = std::vector<std::string>;

// One node in eight is of class "fraud"; amount and country tell a little of it, neighbours more.
void write_payments(const TempDir& folder, int count, const std::string& odd_country = "") {
  std::ostringstream nodes, edges;
  nodes << "account,kind,amount,country\n";
  edges << "a,b\n";
  for (int i = 0; i < count; ++i) {
    const bool fraud = i % 8 == 3;
    nodes << "acc-" << i << ',' << (fraud ? "fraud" : "fine") << ',' << (fraud ? 40 + i % 31 : 20 + i % 37) << ','
          << (i + 1 == count && !odd_country.empty() ? odd_country
              : fraud && i % 3 == 0                  ? "Nauru"
                                                     : "Peru")
          << "\n";
    if (i + 1 < count || odd_country.empty())
      edges << "acc-" << i << ",acc-" << (fraud ? i / 2 : (i * 5 + 1) % (count - 1)) << "\n";
  }
  write_text(folder / "nodes.csv", nodes.str());
  write_text(folder / "edges.csv", edges.str());
}

Cells on_payments(const TempDir& folder, Cells words, const Cells& more = {}) {
  const Cells data = {"--nodes", folder / "nodes.csv",
                      "--edges", folder / "edges.csv",
                      "--id",    "account",
                      "--label", "kind",
                      "--src",   "a",
                      "--dst",   "b"};
  words.insert(words.end(), data.begin(), data.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<Cells> csv_cells(const std::string& text) {
  std::vector<Cells> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    out.emplace_back();
    std::istringstream cells(line + ",");
    for (std::string cell; std::getline(cells, cell, ',');) out.back().push_back(cell);
  }
  return out;
}

class FinalRun : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempDir;
    write_payments(*folder_, 240);
    trained_ = new Answer(run_program(on_payments(*folder_, {"train", "--epochs", "30", "--num-splits", "3", "--quiet"},
                                                  {"--final", "--out", *folder_ / "run"})));
  }
  static void TearDownTestSuite() {
    delete folder_;
    delete trained_;
  }
  static Answer predict(const TempDir& data, const Cells& more = {}) {
    return run_program(on_payments(data, {"predict", "--model", *folder_ / "run", "--quiet"}, more));
  }

  inline static TempDir* folder_ = nullptr;
  inline static Answer* trained_ = nullptr;
};

TEST_F(FinalRun, TrainKeepsItBesideTheModelOfTheBestSplit) {
  ASSERT_EQ(trained_->code, 0) << trained_->err;
  for (const char* word : {"final  ", "refit ", "ensemble ", "had not been trained on", "temperature", "sets"})
    EXPECT_NE(trained_->out.find(word), std::string::npos) << word << "\n" << trained_->out;
  std::istringstream lines(trained_->out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 84u) << line;  // ± counts twice
  const json j = json::parse(slurp(*folder_ / "run" / "final.json"));
  EXPECT_EQ(j["candidates"].size(), 2u);
  EXPECT_EQ(j["judged"].get<int>() <= 240, true);
  EXPECT_TRUE(std::filesystem::exists(*folder_ / "run" / "model.safetensors"));
}

TEST_F(FinalRun, PredictTellsSetAndStatus) {
  const Answer a = predict(*folder_);
  ASSERT_EQ(a.code, 0) << a.err;
  const std::vector<Cells> rows = csv_cells(a.out);
  ASSERT_EQ(rows.size(), 241u);
  EXPECT_EQ(rows[0], (Cells{"id", "predicted", "p_fine", "p_fraud", "set", "status"}));
  int covered = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 6u);
    EXPECT_EQ(rows[i][5], "known");
    EXPECT_TRUE((std::set<std::string>{"", "fine", "fraud", "fine;fraud", "fraud;fine"}.contains(rows[i][4])));
    covered += rows[i][4].find((i - 1) % 8 == 3 ? "fraud" : "fine") != std::string::npos;
  }
  EXPECT_GE(covered, 200);
}

TEST_F(FinalRun, NewNodesIsolatedNodesAndUnseenValuesAreTold) {
  const TempDir grown;
  write_payments(grown, 250, "Atlantis");
  const std::vector<Cells> rows = csv_cells(predict(grown).out);
  ASSERT_EQ(rows.size(), 251u);
  EXPECT_EQ(rows[1][5], "known");
  EXPECT_EQ(rows[245][5], "new");
  EXPECT_EQ(rows[250][5], "new;isolated;unseen values");
}

TEST_F(FinalRun, TheModelOfTheBestSplitAnswersAsEver) {
  const Answer a =
      run_program(on_payments(*folder_, {"predict", "--model", *folder_ / "run" / "model.safetensors", "--quiet"}));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(csv_cells(a.out)[0], (Cells{"id", "predicted", "p_fine", "p_fraud"}));
  const Answer level = run_program(
      on_payments(*folder_, {"predict", "--model", *folder_ / "run" / "model.safetensors", "--level", "0.8"}));
  EXPECT_EQ(level.code, 2);
  EXPECT_NE(level.err.find("no sets"), std::string::npos) << level.err;
}

TEST_F(FinalRun, HigherLevelsGiveLargerSets) {
  std::size_t before = 0;
  for (const char* level : {"0.5", "0.9", "0.99"}) {
    std::size_t letters = 0;
    for (const Cells& row : csv_cells(predict(*folder_, {"--level", level}).out)) letters += row[4].size();
    EXPECT_GE(letters, before) << level;
    before = letters;
  }
}

TEST_F(FinalRun, TopTellsTheMostProbableClassesFirst) {
  const std::vector<Cells> rows = csv_cells(predict(*folder_, {"--top", "1", "--only", "acc-3,acc-4"}).out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], (Cells{"id", "predicted", "class_1", "p_1", "set", "status"}));
  EXPECT_EQ(rows[1][1], rows[1][2]);
  EXPECT_GE(std::stod(rows[1][3]), 0.5);
}

TEST_F(FinalRun, AbstainLeavesUnsureAnswersEmpty) {
  int empty = 0;
  for (const Cells& row : csv_cells(predict(*folder_, {"--abstain", "0.99"}).out)) empty += row[1].empty();
  EXPECT_GT(empty, 0);
  EXPECT_EQ(predict(*folder_, {"--abstain", "1.5"}).code, 2);
}

TEST_F(FinalRun, JsonLinesAndNpySayTheSame) {
  const std::vector<Cells> rows = csv_cells(predict(*folder_).out);
  std::istringstream lines(predict(*folder_, {"--format", "jsonl"}).out);
  std::size_t i = 0;
  for (std::string line; std::getline(lines, line);) {
    const json j = json::parse(line);
    ++i;
    EXPECT_EQ(j["id"], rows[i][0]);
    EXPECT_EQ(j["predicted"], rows[i][1]);
    EXPECT_NEAR(j["p"]["fraud"].get<double>(), std::stod(rows[i][3]), 1e-6);
    EXPECT_EQ(j["status"][0], "known");
    EXPECT_TRUE(j["set"].is_array());
  }
  EXPECT_EQ(i, 240u);
  ASSERT_EQ(predict(*folder_, {"--out", *folder_ / "p.npy"}).code, 0);
  const std::string npy = slurp(*folder_ / "p.npy");
  EXPECT_EQ(npy.substr(1, 5), "NUMPY");
  EXPECT_NE(npy.find("(240, 2)"), std::string::npos);
  float share = 0;
  std::copy_n(npy.data() + npy.size() - 4, 4, reinterpret_cast<char*>(&share));
  EXPECT_NEAR(share, std::stod(rows[240][3]), 1e-6);
  const std::string ids = slurp(*folder_ / "p-ids.txt");
  EXPECT_TRUE(ids.starts_with("acc-0\nacc-1\n") && std::count(ids.begin(), ids.end(), '\n') == 240) << ids;
  EXPECT_EQ(slurp(*folder_ / "p-classes.txt"), "fine\nfraud\n");
  EXPECT_EQ(predict(*folder_, {"--out", *folder_ / "p.npy"}).code, 2) << "there already";
  EXPECT_EQ(predict(*folder_, {"--format", "npy"}).code, 2);
  EXPECT_EQ(predict(*folder_, {"--format", "xml"}).code, 2);
}

TEST_F(FinalRun, PredictTakesThreads) {
  const Answer one = predict(*folder_, {"--threads", "1"}), three = predict(*folder_, {"--threads", "3"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, three.out);
}

TEST_F(FinalRun, EvalKnowsThatItWasTrainedOnAllLabels) {
  const Answer a = run_program(on_payments(*folder_, {"eval", "--model", *folder_ / "run", "--json"}));
  ASSERT_EQ(a.code, 0) << a.err;
  const json j = json::parse(a.out);
  EXPECT_EQ(j["trained"], 240);
  EXPECT_GT(j["decision"]["coverage"], 0.8);
}

TEST_F(FinalRun, NumbersOutOfBoundsAreRefusedInShort) {
  const auto refused = [&](Cells words, const Cells& more) {
    words.insert(words.end(), {"--model", *folder_ / "run", "--quiet"});
    const Answer a = run_program(on_payments(*folder_, words, more));
    EXPECT_EQ(a.code, 2) << a.out;
    EXPECT_LT(a.err.size(), 100u) << a.err;
    EXPECT_NE(a.err.find(more[0]), std::string::npos) << a.err;
  };
  for (const char* level : {"nan", "inf", "0", "1", "2", "x"}) refused({"predict"}, {"--level", level});
  for (const char* least : {"nan", "-0.1", "1.1"}) refused({"predict"}, {"--abstain", least});
  for (const char* count : {"0", "-1", "nan"}) {
    refused({"predict"}, {"--top", count});
    refused({"embed"}, {"--components", count});
    refused({"embed", "--like", "acc-1"}, {"--top", count});
  }
  refused({"explain", "acc-1"}, {"--top", "-1"});
}

// Missing a fraud is dear, so more of them are answered than are likely; eval counts both.
TEST(FinalCommand, EvalAndExplainTellAnswersByCostsFromTheLikeliest) {
  const TempDir folder;
  write_payments(folder, 160);
  write_text(folder / "costs.csv", "truth,fine,fraud\nfine,0,1\nfraud,50,0\n");
  const Answer trained =
      run_program(on_payments(folder, {"train", "--epochs", "10", "--num-splits", "3", "--quiet"},
                              {"--final", "--costs", folder / "costs.csv", "--out", folder / "run"}));
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto on_run = [&](Cells words) {
    words.insert(words.end(), {"--model", folder / "run", "--quiet"});
    return run_program(on_payments(folder, words)).out;
  };
  std::array<std::array<int, 2>, 2> answered{};
  const std::vector<Cells> rows = csv_cells(on_run({"predict"}));
  for (std::size_t i = 1; i < rows.size(); ++i) ++answered[(i - 1) % 8 == 3][rows[i][1] == "fraud"];
  const json j = json::parse(on_run({"eval", "--json"}));
  EXPECT_EQ(j["decided"], json(answered));
  EXPECT_NE(j["decided"], j["confusion"]);
  const std::string text = on_run({"eval"});
  EXPECT_NE(text.find("by what predict answers"), std::string::npos);
  EXPECT_NE(text.find("  in set\n"), std::string::npos) << text;
  const json fitted = json::parse(slurp(folder / "run" / "final.json"))["fitted"];
  ASSERT_LT(fitted["threshold"], 0.5);
  const std::string from = fmt::format("fraud from p {:.2g} on", fitted["threshold"].get<double>());
  for (const std::string& told : {text, trained.out}) EXPECT_NE(told.find(from), std::string::npos) << from << told;
  EXPECT_NE(on_run({"explain", "acc-3"}).find("likeliest"), std::string::npos);
  const json why = json::parse(on_run({"explain", "acc-3", "--json"}));
  EXPECT_EQ(why["temperature"], fitted["temperature"]);
  EXPECT_NE(why["no_change"].get<std::string>().find("costs or weights"), std::string::npos);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double p = std::stod(rows[i][3]);
    if (std::abs(p - fitted["threshold"].get<double>()) < 1e-5) continue;  // rounded
    EXPECT_EQ(rows[i][1], p > fitted["threshold"].get<double>() ? "fraud" : "fine") << p;
  }
  EXPECT_EQ(j["decision"]["coverage_by_class"].size(), 2u);
  ASSERT_EQ(run_program({"report", folder / "run", "--out", folder / "r.html"}).code, 0);
  const std::string page = slurp(folder / "r.html");
  for (const char* word : {"hold the class, by class", "by its costs or weights", "of which this says nothing"})
    EXPECT_NE(page.find(word), std::string::npos) << word;
  EXPECT_EQ(page.find("for gcnh predict --abstain."), std::string::npos);
}

// Nodes that are told apart almost always: sets of 90 % cannot but leave some answers out.
TEST(FinalCommand, AnswersSurerThanTheLevelAreToldWithAHigherOne) {
  const TempDir folder;
  std::ostringstream nodes, edges;
  nodes << "account,kind,amount\n";
  edges << "a,b\n";
  for (int i = 0; i < 300; ++i) {
    const bool fraud = i % 8 == 3;
    nodes << "acc-" << i << ',' << (fraud ? "fraud" : "fine") << ',' << (fraud != (i % 100 == 0) ? 90 : 10) + i % 7
          << "\n";
    edges << "acc-" << i << ",acc-" << i << "\n";
  }
  write_text(folder / "nodes.csv", nodes.str());
  write_text(folder / "edges.csv", edges.str());
  const auto told = [&](Cells words) {
    const Answer a = run_program(on_payments(folder, words));
    EXPECT_EQ(a.code, 0) << a.err;
    std::string out = a.out;
    std::replace(out.begin(), out.end(), '\n', ' ');
    const auto both_blank = [](char x, char y) { return x == ' ' && y == ' '; };
    out.erase(std::unique(out.begin(), out.end(), both_blank), out.end());
    return out.find("right more often than that") != std::string::npos ? out : "nothing of it";
  };
  const Cells train = {"train",        "--model", "mlp", "--epochs", "60",      "--lr",  "0.05",
                       "--num-splits", "3",       "-q",  "--force",  "--final", "--out", folder / "run"};
  EXPECT_NE(told(train).find("(not with --level 0.9"), std::string::npos);
  EXPECT_NE(told({"eval", "--model", folder / "run", "-q"}).find("(not with --level 0.9"), std::string::npos);
  Cells higher = train;
  higher.insert(higher.end(), {"--level", "0.995"});
  EXPECT_EQ(told(higher), "nothing of it");
}

TEST(FinalCommand, CompareMakesOneOfItsReferenceAndPredictFindsIt) {
  const TempDir folder;
  write_payments(folder, 160);
  const Cells compare = on_payments(
      folder,
      {"compare", "--models", "mlp,gcnh", "--no-tune", "--epochs", "15", "--num-splits", "5", "--quiet", "--json"},
      {"--out", folder / "all"});
  const Answer a = run_program(compare);
  ASSERT_EQ(a.code, 0) << a.err;
  int finals = 0;
  for (const json& run : json::parse(a.out)) {
    const bool has = run.contains("final");
    finals += has;
    const std::filesystem::path file = folder / "all" / run["model"].get<std::string>() / "final.safetensors";
    EXPECT_EQ(std::filesystem::exists(file), has) << file;
    EXPECT_EQ(has, run.contains("verdict"));
  }
  EXPECT_EQ(finals, 1);
  const Answer p = run_program(on_payments(folder, {"predict", "--model", folder / "all", "--quiet"}));
  ASSERT_EQ(p.code, 0) << p.err;
  EXPECT_NE(p.out.find(",set,status\n"), std::string::npos);
  const std::string page = slurp(folder / "all" / "report.html");
  for (const char* word : {"Final model", "before and after scaling", "the unsure ones are left out", "coverage"})
    EXPECT_NE(page.find(word), std::string::npos) << word;
}

TEST(FinalCommand, TuneMakesOneOfTheWinner) {
  const TempDir folder;
  write_payments(folder, 120);
  const Answer a = run_program(on_payments(folder,
                                           {"tune", "--models", "mlp", "--axis", "hidden=4,8", "--epochs", "5",
                                            "--num-splits", "2", "--quiet", "--final", "refit"},
                                           {"--out", folder / "t"}));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(json::parse(slurp(folder / "t" / "mlp-final.json"))["kind"], "refit");
  const Answer p =
      run_program(on_payments(folder, {"predict", "--model", folder / "t" / "mlp.safetensors", "--quiet"}));
  EXPECT_EQ(p.code, 0) << p.err;
}

TEST(FinalCommand, WhatCannotBeIsSaidBeforeTraining) {
  const TempDir folder;
  write_payments(folder, 80);
  const auto refused = [&](const Cells& more, const std::string& word) {
    const Answer a = run_program(on_payments(folder, {"train", "--epochs", "2", "--quiet"}, more));
    EXPECT_NE(a.code, 0) << word;
    EXPECT_NE(a.err.find(word), std::string::npos) << a.err;
  };
  refused({"--final"}, "--final needs --out");
  refused({"--final", "best", "--out", folder / "x"}, "none auto refit ensemble");
  refused({"--decide", ""}, "--decide: '' is empty");
  refused({"--costs", ""}, "--costs: '' is empty");
  refused({"--class-weights", "fraud=1e9"}, "its weight from 1e-06 to 1e+06");
  refused({"--decide", "roc_auc"}, "does not depend on answers alone");
  refused({"--class-weights", "fraud=0"}, "fraud=0");
  refused({"--class-weights", "frodd=2"}, "did you mean 'fraud'");
  refused({"--class-weights", "fraud=2,fine=1,fraud=50"}, "class 'fraud' is given twice");
  write_text(folder / "costs.csv", "truth,fine,fraud\nfine,0,1\n");
  refused({"--costs", folder / "costs.csv"}, "no row for class 'fraud'");
  write_text(folder / "costs.csv", "truth,fine,fraud\nfine,0,1\nfraud,ten,0\n");
  refused({"--costs", folder / "costs.csv"}, "costs.csv:3: the cost 'ten'");
}

TEST(SplitsWithout, TestNodes) {
  const TempDir folder;
  write_payments(folder, 160);
  const Answer a =
      run_program(on_payments(folder, {"train", "--epochs", "10", "--num-splits", "2", "--ratio", "85/15/0"},
                              {"--final", "--out", folder / "run"}));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("no test nodes"), std::string::npos) << a.out;
  EXPECT_EQ(a.out.find("nan"), std::string::npos) << a.out;
  const json j = json::parse(slurp(folder / "run" / "result.json"));
  EXPECT_TRUE(j["test_accuracy"]["mean"].is_null());
  EXPECT_FALSE(j.contains("test"));
  EXPECT_GT(j["val_accuracy"]["mean"], 0.5);
  const Answer page = run_program({"report", folder / "run", "--out", folder / "r.html"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_NE(slurp(folder / "r.html").find("no test nodes"), std::string::npos);
  Cells again = on_payments(folder, {"train", "--epochs", "10", "--num-splits", "2", "--ratio", "85/15/0", "--json"},
                            {"--quiet", "--resume", "--final", "--out", folder / "run"});
  const Answer resumed = run_program(again);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(json::parse(resumed.out)["test_accuracy"]["mean"].is_null());
  EXPECT_TRUE(json::parse(resumed.out).contains("final"));
}

TEST(SplitsWithout, ValidationNodes) {
  const TempDir folder;
  write_payments(folder, 160);
  const Cells words = on_payments(folder, {"train", "--epochs", "10", "--num-splits", "2", "--ratio", "80/0/20"},
                                  {"--patience", "2", "--out", folder / "run"});
  const Answer a = run_program(words);
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("no validation nodes: the last epoch was kept"), std::string::npos) << a.out;
  const json j = json::parse(slurp(folder / "run" / "result.json"));
  EXPECT_EQ(j["splits"][0]["best_epoch"], 10);
  EXPECT_TRUE(j["val_accuracy"]["mean"].is_null());
  EXPECT_GT(j["test_accuracy"]["mean"], 0.5);
  EXPECT_EQ(run_program({"report", folder / "run", "--out", folder / "r.html"}).code, 0);
  for (const char* command : {"compare", "tune"}) {
    const Answer refused = run_program(on_payments(folder, {command, "--models", "mlp", "--num-splits", "2", "--ratio",
                                                            "80/0/20", "--quiet", "--out", folder / command}));
    EXPECT_EQ(refused.code, 65) << command;
    EXPECT_NE(refused.err.find("no validation nodes"), std::string::npos) << refused.err;
  }
}

TEST(SplitsWithout, TestNodesAComparisonStillChooses) {
  const TempDir folder;
  write_payments(folder, 120);
  const Answer a = run_program(on_payments(folder,
                                           {"compare", "--models", "mlp,gcn", "--no-tune", "--epochs", "5",
                                            "--num-splits", "5", "--ratio", "85/15/0", "--quiet"},
                                           {"--out", folder / "all"}));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("is best by validation"), std::string::npos) << a.out;
  EXPECT_EQ(a.out.find("nan"), std::string::npos) << a.out;
}

TEST(ClassWeights, RaiseTheRecallOfARareClass) {
  const TempDir folder;
  write_payments(folder, 400);
  const auto recall = [&](const Cells& more) {
    const Answer a = run_program(on_payments(
        folder, {"train", "--model", "mlp", "--epochs", "40", "--num-splits", "3", "--quiet", "--json"}, more));
    EXPECT_EQ(a.code, 0) << a.err;
    return json::parse(a.out)["classes"][1]["recall"]["mean"].get<double>();
  };
  const double plain = recall({});
  EXPECT_EQ(plain, recall({"--class-weights", "none"}));
  EXPECT_GT(recall({"--class-weights", "balanced"}), plain + 0.2);
  EXPECT_GT(recall({"--class-weights", "fraud=7"}), plain + 0.2);
}

TEST(Costs, AnswersAreThoseThatCostLess) {
  const TempDir folder;
  write_payments(folder, 400);
  write_text(folder / "costs.csv", "truth,fine,fraud\nfine,0,1\nfraud,20,0\n");
  const Answer a = run_program(
      on_payments(folder, {"train", "--model", "mlp", "--epochs", "40", "--num-splits", "3", "--quiet", "--json"},
                  {"--costs", folder / "costs.csv", "--final", "refit", "--out", folder / "run"}));
  ASSERT_EQ(a.code, 0) << a.err;
  const json decision = json::parse(a.out)["decision"];
  EXPECT_EQ(decision["aim"], "cost");
  EXPECT_LT(decision["after"], decision["before"]);
  int frauds = 0, likely = 0;
  for (const Cells& row :
       csv_cells(run_program(on_payments(folder, {"predict", "--model", folder / "run", "-q"})).out)) {
    frauds += row[1] == "fraud";
    likely += row[3] > "0.5" && row[3] != "p_fraud";
  }
  EXPECT_GT(frauds, likely) << "a fraud that is missed costs twenty false alarms";
}

}  // namespace
}  // namespace gcnh::testing
