// gcnh update: no reason on the same data, one by one the reasons that are made up, and its exit codes.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/cli/people.h"

namespace gcnh::testing {
namespace {

class UpdateCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    write_people(folder_, 300);
    train_people(folder_, "run");
  }
  Answer update(const TempDir& data, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"update", "--model", folder_ / "run"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(people_command(words, data));
  }
  // By rule, whether it says to train again; the exit code says the same of all.
  std::map<std::string, nlohmann::json> rules(const TempDir& data) const {
    const Answer a = update(data, {"--json"});
    const nlohmann::json j = nlohmann::json::parse(a.out);
    EXPECT_EQ(a.code, j["train_again"].get<bool>() ? 1 : 0) << a.err;
    std::map<std::string, nlohmann::json> out;
    for (const auto& rule : j["rules"]) out[rule["rule"]] = rule;
    return out;
  }
  std::set<std::string> reasons(const TempDir& data) const {
    std::set<std::string> out;
    for (const auto& [name, rule] : rules(data)) {
      if (rule["train_again"].get<bool>()) out.insert(name);
      EXPECT_EQ(rule["train_again"].get<bool>(), rule["obstacle"].is_null() && rule["drift"] > rule["limit"]) << name;
    }
    return out;
  }
  TempDir folder_;
};

TEST_F(UpdateCommand, TheDataOfTrainingIsNoReasonToTrainAgain) {
  EXPECT_TRUE(reasons(folder_).empty());
  const Answer a = update(folder_);
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("no reason to train again"), std::string::npos) << a.out;
  std::istringstream lines(a.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(UpdateCommand, AGraphThatGrewAsItWasStillFits) {
  const TempDir grown;
  write_people(grown, 430, 1 << 20, 310);
  const auto found = rules(grown);
  EXPECT_TRUE(reasons(grown).empty());
  EXPECT_NEAR(found.at("new-nodes")["now"].get<double>(), 130.0 / 430, 1e-9);
  EXPECT_EQ(found.at("unseen-values")["now"], 0);
  EXPECT_FALSE(found.at("accuracy")["obstacle"].is_null()) << "ten labels are too few";
}

TEST_F(UpdateCommand, UnseenValuesAreAReason) {
  const TempDir strange;
  write_people(strange, 340, 320, 300);
  const auto found = rules(strange);
  EXPECT_EQ(reasons(strange), (std::set<std::string>{"unseen-values"}));
  EXPECT_NEAR(found.at("unseen-values")["now"].get<double>(), 0.5, 1e-9) << "20 of 40 new nodes";
  EXPECT_NE(found.at("unseen-values")["about"].get<std::string>().find("'city'"), std::string::npos);
}

TEST_F(UpdateCommand, SizeLabelsAndScoresAreReasons) {
  const TempDir large;
  write_people(large, 700);
  EXPECT_TRUE(reasons(large).contains("new-nodes"));
  EXPECT_TRUE(reasons(large).contains("more-labels"));
  // New labels that contradict everything that was learned.
  const TempDir contrary;
  write_people(contrary, 420);
  std::string nodes = slurp(contrary / "users.csv");
  std::size_t row = 0;
  for (std::size_t at = 0; (at = nodes.find('\n', at) + 1) > 0 && at < nodes.size();) {
    if (++row <= 300) continue;
    const std::size_t begin = nodes.find(',', at) + 1, end = nodes.find(',', begin);
    const std::string was = nodes.substr(begin, end - begin);
    nodes.replace(begin, end - begin, was == "buyer" ? "gone" : was == "gone" ? "window" : "buyer");
  }
  write_text(contrary / "users.csv", nodes);
  EXPECT_TRUE(reasons(contrary).contains("accuracy"));
  EXPECT_TRUE(reasons(contrary).contains("calibration"));
  EXPECT_EQ(update(contrary).code, 1);
  // A class that the model cannot answer.
  nodes = slurp(folder_ / "users.csv");
  nodes.replace(nodes.find("u_5,") + 4, nodes.find(',', nodes.find("u_5,") + 4) - nodes.find("u_5,") - 4, "pirate");
  const TempDir pirate;
  write_text(pirate / "users.csv", nodes);
  write_text(pirate / "follows.csv", slurp(folder_ / "follows.csv"));
  EXPECT_EQ(reasons(pirate), (std::set<std::string>{"new-classes"}));
}

TEST_F(UpdateCommand, OtherDegreesAndOtherHomophilyAreReasons) {
  const TempDir sparse;
  write_text(sparse / "users.csv", slurp(folder_ / "users.csv"));
  std::string fewer = "a,b\n";
  for (int i = 1; i < 299; i += 2) fewer += "u_" + std::to_string(i) + ",u_" + std::to_string(i - 1) + "\n";
  write_text(sparse / "follows.csv", fewer);
  EXPECT_TRUE(reasons(sparse).contains("degrees"));
  const TempDir alike;
  write_text(alike / "users.csv", slurp(folder_ / "users.csv"));
  std::string same = "a,b\n";
  for (int i = 0; i < 299; ++i)
    for (int j = i + 1; j < std::min(299, i + 25); ++j)
      if ((i * 5 + i / 7) % 3 == (j * 5 + j / 7) % 3)
        same += "u_" + std::to_string(i) + ",u_" + std::to_string(j) + "\n";
  write_text(alike / "follows.csv", same);
  EXPECT_TRUE(reasons(alike).contains("homophily"));
}

TEST_F(UpdateCommand, WritesTheAnswersOfPredict) {
  const TempDir grown;
  write_people(grown, 310);
  ASSERT_EQ(update(grown, {"--out", grown / "answers.csv"}).code, 0);
  std::istringstream answers(slurp(grown / "answers.csv"));
  std::istringstream plain(run_program(people_command({"predict", "--model", folder_ / "run"}, grown)).out);
  int fresh = 0;
  for (std::string a, b; std::getline(plain, a) && std::getline(answers, b);) {
    EXPECT_TRUE(b.starts_with(a + ",")) << a << " " << b;
    fresh += b.ends_with(",new");
  }
  EXPECT_EQ(fresh, 10);
  EXPECT_EQ(update(grown, {"--out", grown / "answers.csv"}).code, 2) << "there already";
}

TEST_F(UpdateCommand, FinalModelsKnowTheirNodesThemselves) {
  train_people(folder_, "all", {"--final", "ensemble"});
  std::filesystem::remove(folder_ / "all" / "map.csv");
  const TempDir strange;
  write_people(strange, 340, 320, 300);
  const Answer a = run_program(
      people_command({"update", "--model", folder_ / "all", "--json", "--out", strange / "answers.csv"}, strange));
  EXPECT_EQ(a.code, 1) << a.err;
  const nlohmann::json j = nlohmann::json::parse(a.out);
  EXPECT_EQ(j["new"], 40);
  for (const auto& rule : j["rules"])
    EXPECT_TRUE(rule["rule"] != "unseen-values" || std::abs(rule["now"].get<double>() - 0.5) < 1e-9);
  EXPECT_EQ(slurp(strange / "answers.csv"),
            run_program(people_command({"predict", "--model", folder_ / "all"}, strange)).out);
}

TEST_F(UpdateCommand, NeedsTheRunOfTheModel) {
  const TempDir alone;
  write_text(alone / "model.safetensors", slurp(folder_ / "run" / "model.safetensors"));
  const Answer a = run_program(people_command({"update", "--model", alone / "model.safetensors"}, folder_));
  EXPECT_EQ(a.code, 65);
  EXPECT_NE(a.err.find("no result.json beside"), std::string::npos) << a.err;
}

}  // namespace
}  // namespace gcnh::testing
