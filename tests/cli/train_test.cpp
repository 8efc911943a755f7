// gcnh train: its JSON, threads, seeds, recipes and where relations come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gcnh/models/model.h"
#include "gcnh/run/experiment.h"
#include "tests/io/io_tools.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

std::vector<std::string> train_args(std::vector<std::string> more) {
  std::vector<std::string> args = {"train", "--epochs", "6", "--splits", "0,1,2", "--quiet"};
  const auto model = std::find(more.begin(), more.end(), "--model");
  if (model == more.end() || has_option(model[1], "hidden")) args.insert(args.end(), {"--hidden", "16"});
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

// The answer without what may differ between equal runs: times, memory, number of threads.
json stable(const std::string& text) {
  json j = json::parse(text);
  for (const char* key : {"seconds", "peak_rss_bytes", "threads"}) j.erase(key);
  for (json& split : j["splits"]) split.erase("seconds");
  return j;
}

TEST(Train, JsonHasTheKeysThatToolsRelyOn) {
  const Answer a = run_program(train_args({"--json"}));
  ASSERT_EQ(a.code, 0) << a.err;
  const json j = json::parse(a.out);
  for (const char* key : {"model", "data", "options", "parameters", "splits", "val_accuracy", "test_accuracy", "metric",
                          "val", "test", "classes", "seconds", "peak_rss_bytes", "engine"})
    EXPECT_TRUE(j.contains(key)) << key;
  for (const char* key : {"name", "view", "nodes", "edges", "self_loops", "features", "feature_nonzeros", "classes"})
    EXPECT_TRUE(j["data"].contains(key)) << key;
  ASSERT_EQ(j["splits"].size(), 3u);
  for (const char* key : {"split", "best_epoch", "val_accuracy", "test_accuracy", "beta", "seconds"})
    EXPECT_TRUE(j["splits"][0].contains(key)) << key;
  for (const char* set : {"val_accuracy", "test_accuracy"}) {
    double sum = 0, squares = 0;
    for (const json& split : j["splits"]) sum += split[set].get<double>();
    for (const json& split : j["splits"]) squares += std::pow(split[set].get<double>() - sum / 3, 2);
    EXPECT_NEAR(j[set]["mean"].get<double>(), sum / 3, 1e-12);
    EXPECT_NEAR(j[set]["std"].get<double>(), std::sqrt(squares / 3), 1e-12) << "population standard deviation";
  }
}

TEST(Train, TheMetricChoosesAndAllOfThemAreTold) {
  const Answer a = run_program(train_args({"--json", "--metric", "log_loss"}));
  ASSERT_EQ(a.code, 0) << a.err;
  const json j = json::parse(a.out);
  EXPECT_EQ(j["metric"], "log_loss");
  for (const json& split : j["splits"]) {
    EXPECT_EQ(split["val"]["log_loss"], split["val_metric"]);
    EXPECT_EQ(split["val"]["accuracy"], split["val_accuracy"]);
    EXPECT_EQ(split["test"]["accuracy"], split["test_accuracy"]);
    EXPECT_NEAR(split["val_metric"].get<double>(), split["val_loss"].get<double>(), 1e-6);
    EXPECT_EQ(split["best_epoch"], 6) << "of so few epochs the last has the lowest loss";
  }
  EXPECT_EQ(j["test"]["accuracy"], j["test_accuracy"]);
  double support = 0;
  for (const json& c : j["classes"]) support += c["support"]["mean"].get<double>();
  EXPECT_EQ(support, 298) << "a fifth of the nodes";
  const Answer text = run_program(train_args({"--metric", "roc_auc"}));
  ASSERT_EQ(text.code, 0) << text.err;
  for (const char* part : {"val ROC-AUC  test ROC-AUC", "\nmetric ", "\nROC-AUC ", "\nlog-loss ", "\nECE "})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
}

// 100 nodes in a ring, `rare` of them of class yes, and a split whose validation nodes are all of class no.
std::vector<std::string> lopsided_data(const TempDir& folder, int rare) {
  std::string nodes = "id,label,x,set\n", edges = "source,target\n";
  for (int i = 0; i < 100; ++i) {
    const bool is_rare = i < rare;
    nodes += join(i, is_rare ? ",yes," : ",no,", is_rare ? i % 7 + 3 : i % 7,
                  i >= 80 ? ",val\n"
                  : i % 2 ? ",test\n"
                          : ",train\n");
    edges += join(i, ",", (i + 1) % 100, "\n");
  }
  write_text(folder / "nodes.csv", nodes);
  write_text(folder / "edges.csv", edges);
  return {"--nodes", folder / "nodes.csv", "--edges", folder / "edges.csv"};
}

TEST(Train, ProposesAMetricWhereOneClassHasMostNodes) {
  const TempDir folder;
  const auto notes = [&](int rare, const std::vector<std::string>& more) {
    std::vector<std::string> args = {"train", "--epochs", "2", "--splits", "0", "--ignore", "set"};
    for (const auto& words : {lopsided_data(folder, rare), more}) args.insert(args.end(), words.begin(), words.end());
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 0) << a.err;
    return a.err;
  };
  const std::string proposal = "the largest class has 78 % of the labels";
  EXPECT_NE(notes(22, {}).find(proposal), std::string::npos) << notes(22, {});
  EXPECT_NE(notes(22, {}).find("--metric roc_auc or"), std::string::npos);
  EXPECT_EQ(notes(22, {"--metric", "mcc"}).find(proposal), std::string::npos);
  EXPECT_EQ(notes(22, {"--metric", "accuracy"}).find(proposal), std::string::npos) << "somebody wants it so";
  EXPECT_EQ(notes(45, {}).find("the largest class has"), std::string::npos);
  std::vector<std::string> args = {"check", "--ignore", "set", "--json"};
  for (const std::string& word : lopsided_data(folder, 22)) args.push_back(word);
  const std::string found = run_program(args).out;  // the doctor says the same
  EXPECT_NE(found.find("an accuracy of 78 % takes no learning"), std::string::npos) << found;
  EXPECT_NE(found.find("--metric roc_auc or"), std::string::npos) << found;
}

TEST(Train, RefusesAMetricThatASplitDoesNotDefine) {
  const TempDir folder;
  std::vector<std::string> args = lopsided_data(folder, 22);
  const std::vector<std::string> more = {"--split-column", "set", "--out", folder / "out", "--quiet", "--metric"};
  args.insert(args.begin(), "train");
  args.insert(args.end(), more.begin(), more.end());
  args.push_back("roc_auc");
  const Answer refused = run_program(args);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(
      refused.err.find("--metric: roc_auc is not defined on split 0, whose validation nodes are all of class 'no'"),
      std::string::npos)
      << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  args.back() = "macro_f1";
  args.push_back("--epochs=2");
  const Answer done = run_program(args);
  EXPECT_EQ(done.code, 0) << done.err;
  const json result = json::parse(slurp(folder / "out/result.json"));
  EXPECT_TRUE(result["val"]["roc_auc"]["mean"].is_null());
  EXPECT_FALSE(result["test"]["roc_auc"]["mean"].is_null());
}

TEST(Train, SaysWhereRelationsComeFrom) {
  const auto source = [](const std::vector<std::string>& more) {
    const Answer a = run_program(train_args(more));
    EXPECT_EQ(a.code, 0) << a.err;
    const json data = json::parse(a.out)["data"];
    return data.contains("relations") ? data["relations"].get<std::string>() : std::string("none");
  };
  EXPECT_EQ(source({"--json"}), "none") << "gcnh reads no relations";
  EXPECT_EQ(source({"--json", "--model", "geomgcn"}), "computed poincare");
  EXPECT_EQ(source({"--json", "--model", "geomgcn", "--embedding", "mds"}), "computed mds");
  const Answer text = run_program(train_args({"--model", "geomgcn"}));
  EXPECT_NE(text.out.find("computed poincare relations"), std::string::npos) << text.out;
}

TEST(Train, SaysThatRelationsArePublished) {
  SKIP_WITHOUT_DATA(folder);
  const auto source = [&](const char* relations) {
    const Answer a =
        run_program({"train", "--model", "geomgcn", "--data", "texas", "--relations", relations, "--data-dir",
                     folder.string(), "--epochs", "2", "--splits", "0", "--json", "--quiet"});
    EXPECT_EQ(a.code, 0) << a.err;
    return json::parse(a.out)["data"]["relations"];
  };
  EXPECT_EQ(source("auto"), "published poincare");
  EXPECT_EQ(source("computed"), "computed poincare");
}

TEST(Train, EveryModelGivesTheSameBitsForAnyNumberOfThreads) {
  for (const ModelType& type : model_types()) {
    SCOPED_TRACE(type.name);
    const TempDir folder;
    std::string first_model;
    json first;
    for (const char* threads : {"1", "2", "3", "8"}) {
      const std::string out = folder / threads;
      const Answer a = run_program(train_args({"--model", type.name, "--threads", threads, "--json", "--out", out}));
      ASSERT_EQ(a.code, 0) << a.err;
      const std::string model = slurp(folder / threads / "model.safetensors");
      if (first_model.empty()) first_model = model, first = stable(a.out);
      EXPECT_EQ(model, first_model) << threads;
      EXPECT_EQ(stable(a.out), first) << threads;
    }
  }
}

TEST(Train, SeedsDiffer) {
  const Answer one = run_program(train_args({"--json", "--seed", "1"})),
               two = run_program(train_args({"--json", "--seed", "2"}));
  EXPECT_NE(stable(one.out)["splits"], stable(two.out)["splits"]);
}

TEST(Train, NumbersThatWouldBecomeOthersAreRefused) {
  const auto expect = [](const std::string& flag, const std::string& value) {
    const Answer a = run_program({"train", "--epochs", "1", "--quiet", "--splits", "0", flag, value});
    EXPECT_EQ(a.code, 2) << flag << " " << value;
    EXPECT_NE(a.err.find(flag + ": '" + value + "'"), std::string::npos) << a.err;
  };
  for (const char* seed : {"-1", "18446744073709551616", "1.5", "x", ""}) expect("--seed", seed);
  for (const char* seconds : {"nan", "-1", "x"}) expect("--checkpoint-seconds", seconds);
  EXPECT_EQ(run_program({"train", "--epochs", "1", "--splits", "0", "--seed", "18446744073709551615"}).code, 0);
}

TEST(Train, PatienceStopsAndTheBestEpochIsKept) {
  const Answer a = run_program(
      {"train", "--epochs", "400", "--patience", "3", "--splits", "0", "--json", "--quiet", "--lr", "0.05"});
  ASSERT_EQ(a.code, 0) << a.err;
  const json split = json::parse(a.out)["splits"][0];
  EXPECT_LT(split["epochs"].get<int>(), 400);
  EXPECT_EQ(split["epochs"].get<int>(), split["best_epoch"].get<int>() + 3);
}

TEST(Train, RecipesSetThePublishedValues) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const Answer a = run_program(
      {"train", "--data", "cornell", "--view", "paper", "--recipe", "paper", "--epochs", "2", "--json", "--quiet"});
  ASSERT_EQ(a.code, 0) << a.err;
  const json j = json::parse(a.out);
  EXPECT_EQ(j["options"]["batch"], 50);
  EXPECT_EQ(j["options"]["hidden"], 16);
  EXPECT_EQ(j["options"]["epochs"], 2) << "flags override the recipe";
  EXPECT_EQ(j["parameters"], 54614);
  EXPECT_EQ(j["data"]["edges"], 277);
  EXPECT_EQ(j["data"]["self_loops"], 3);
  EXPECT_EQ(j["splits"].size(), 10u);
}

TEST(Train, ProgressAndResultsDoNotMix) {
  const Answer a = run_program({"train", "--epochs", "3", "--splits", "0", "--json"});
  EXPECT_TRUE(json::accept(a.out));
  EXPECT_EQ(a.err, "");
}

}  // namespace
}  // namespace gcnh::testing
