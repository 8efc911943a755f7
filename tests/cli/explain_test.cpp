// gcnh explain: parts that add up under the user's names, edges that change the answer, and what it refuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/cli/people.h"

namespace gcnh::testing {
namespace {

class ExplainCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    write_people(folder_, 120);
    train_people(folder_, "run");
  }
  Answer explain(const std::string& node, const std::vector<std::string>& more = {},
                 const std::string& run = "run") const {
    std::vector<std::string> words = {"explain", node, "--model", folder_ / run};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(people_command(words, folder_));
  }
  nlohmann::json explained(const std::string& node, std::vector<std::string> more = {},
                           const std::string& run = "run") const {
    more.push_back("--json");
    const Answer a = explain(node, more, run);
    EXPECT_EQ(a.code, 0) << a.err;
    return nlohmann::json::parse(a.out).at("nodes").at(0);
  }
  std::string predicted(const std::string& node, const TempDir& data, const std::string& run = "run") const {
    const Answer a = run_program(people_command({"predict", "--model", folder_ / run, "--only", node}, data));
    const std::string row = a.out.substr(a.out.find('\n') + 1 + node.size() + 1);
    return row.substr(0, row.find(','));
  }
  TempDir folder_;
};

// What is listed and what is added up beside it.
double total(const nlohmann::json& node, std::size_t k) {
  double sum = node["bias"][k].get<double>() + node["others"]["parts"][k].get<double>();
  for (const auto& source : node["sources"]) {
    double inner = source["constant"][k].get<double>() + source["other_features"]["parts"][k].get<double>();
    for (const auto& feature : source["features"]) inner += feature["parts"][k].get<double>();
    EXPECT_NEAR(inner, source["parts"][k].get<double>(), 1e-6) << "the features of " << source["id"];
    sum += inner;
  }
  return sum;
}

TEST_F(ExplainCommand, PartsAddUpToTheLogitUnderTheUsersNames) {
  for (const char* top : {"1", "10", "0"}) {
    const nlohmann::json node = explained("u_14", {"--top", top});
    EXPECT_EQ(node["id"], "u_14");
    EXPECT_EQ(node["predicted"], predicted("u_14", folder_));
    EXPECT_TRUE(node["exact"].get<bool>());
    ASSERT_EQ(node["classes"].size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(total(node, k), node["logits"][k].get<double>(), 1e-5);
      EXPECT_NEAR(node["remainder"][k].get<double>(), 0, 1e-5);
    }
    EXPECT_EQ(node["sources"][0]["id"], "u_14");
    EXPECT_EQ(node["sources"][0]["hops"], 0);
    EXPECT_TRUE(std::string(top) == "0" || node["sources"].size() <= std::stoul(top) + 1);
  }
  const nlohmann::json features = explained("u_14", {"--top", "0"})["sources"][0]["features"];
  std::set<std::string> names;
  for (const auto& f : features) names.insert(f["name"].get<std::string>() + (f.contains("cell") ? "!" : ""));
  EXPECT_TRUE(names.contains("age!") && names.contains("joined!")) << features.dump();
}

TEST_F(ExplainCommand, TheTextFitsAndTeaches) {
  for (const char* run : {"run", "gat"}) {
    if (std::string(run) == "gat") train_people(folder_, run, {"--model", run});
    const Answer a = explain("u_0", {}, run);
    ASSERT_EQ(a.code, 0) << a.err;
    std::istringstream lines(a.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    for (const char* words : {"u_0: ", "the node itself", "sum: the logit", "How to read it"})
      EXPECT_NE(a.out.find(words), std::string::npos) << a.out;
    EXPECT_EQ(a.out.find("The parts are exact") != std::string::npos, std::string(run) == "run") << a.out;
    EXPECT_EQ(a.out.find("remainder") != std::string::npos, std::string(run) == "gat") << a.out;
  }
}

// The edges that are named are taken out of the user's own file.
TEST_F(ExplainCommand, TheNamedEdgesChangeTheAnswer) {
  int changed = 0;
  for (const char* id : {"u_0", "u_14", "u_33", "u_57", "u_80"}) {
    const nlohmann::json node = explained(id);
    const nlohmann::json& change = node.at("change");
    EXPECT_TRUE(change["exact"].get<bool>());
    if (change["edges"].empty()) continue;
    ++changed;
    const TempDir less;
    write_text(less / "users.csv", slurp(folder_ / "users.csv"));
    std::istringstream lines(slurp(folder_ / "follows.csv"));
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
      bool removed = false;
      for (const auto& other : change["edges"])
        removed = removed || line == std::string(id) + "," + other.get<std::string>() ||
                  line == other.get<std::string>() + "," + id;
      if (!removed) kept += line + "\n";
    }
    write_text(less / "follows.csv", kept);
    EXPECT_EQ(predicted(id, less), change["predicted"]) << id;
    EXPECT_NE(change["predicted"], node["predicted"]);
  }
  EXPECT_GT(changed, 1) << "answers that hang on a few edges";
  EXPECT_FALSE(explained("u_0", {"--no-change"}).contains("change"));
}

TEST_F(ExplainCommand, ComparesWithTheClassThatIsAskedFor) {
  const nlohmann::json first = explained("u_14");
  const std::string third = first["classes"][2];
  EXPECT_EQ(explained("u_14", {"--against", third})["rival"], third);
  const std::string own = first["predicted"];
  const Answer itself = explain("u_14", {"--against", own});
  EXPECT_EQ(itself.code, 2);
  EXPECT_NE(itself.err.find("--against: '" + own + "' is the answer for node 'u_14'"), std::string::npos) << itself.err;
  const Answer a = explain("u_14", {"--against", "buyr"});
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("--against: 'buyr'"), std::string::npos) << a.err;
  EXPECT_NE(a.err.find("did you mean 'buyer'"), std::string::npos) << a.err;
}

TEST_F(ExplainCommand, ThePictureReplacesNoListOfIds) {
  write_text(folder_ / "ids.csv", "u_14\n");
  const Answer a = explain(folder_ / "ids.csv", {"--svg", folder_ / "ids.csv", "--force"});
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("is a file that is read"), std::string::npos) << a.err;
  EXPECT_EQ(slurp(folder_ / "ids.csv"), "u_14\n");
}

TEST_F(ExplainCommand, NodesThatKnowNobodyAndNodesThatAreNotThere) {
  const nlohmann::json alone = explained("u_119");
  EXPECT_EQ(alone["sources"].size(), 1u);
  EXPECT_TRUE(alone["change"]["edges"].empty());
  EXPECT_TRUE(alone["change"]["exact"].get<bool>());
  const Answer text = explain("u_119");
  EXPECT_NE(text.out.find("it has no edges that could be removed"), std::string::npos) << text.out;
  const Answer nobody = explain("nobody");
  EXPECT_EQ(nobody.code, 2);
  EXPECT_NE(nobody.err.find("NODE: node 'nobody' is not in users"), std::string::npos) << nobody.err;
  EXPECT_EQ(run_program(people_command({"explain", "--model", folder_ / "run"}, folder_)).code, 2);
}

TEST_F(ExplainCommand, ModelsThatDoNotSeeEdgesSaySo) {
  train_people(folder_, "mlp", {"--model", "mlp"});
  const Answer a = explain("u_14", {}, "mlp");
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("mlp does not look at"), std::string::npos) << a.out;
  const nlohmann::json node = explained("u_14", {}, "mlp");
  EXPECT_EQ(node["sources"].size(), 1u);
  EXPECT_FALSE(node.contains("change"));
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(total(node, k) + node["remainder"][k].get<double>(), node["logits"][k].get<double>(), 1e-5);
}

// The mean of networks that were fitted on different nodes; the words of a table differ between them.
TEST_F(ExplainCommand, EnsemblesAreExplainedAsTheyAnswer) {
  train_people(folder_, "all", {"--final", "ensemble"});
  for (const char* id : {"u_0", "u_14", "u_33", "u_119"}) {
    const nlohmann::json node = explained(id, {"--top", "0"}, "all");
    EXPECT_EQ(node["predicted"], predicted(id, folder_, "all"));
    EXPECT_TRUE(node["exact"].get<bool>());
    EXPECT_TRUE(node["change"]["exact"].get<bool>());
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(total(node, k), node["logits"][k].get<double>(), 1e-5);
    const double lead = node["logits"][0].get<double>() - node["logits"][1].get<double>();
    EXPECT_GE(lead, 0) << "the answer has the highest logit";
  }
}

TEST_F(ExplainCommand, DrawsAPicture) {
  const std::string picture = folder_ / "why.svg";
  ASSERT_EQ(explain("u_14", {"--svg", picture}).code, 0);
  const std::string svg = slurp(picture);
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  const nlohmann::json node = explained("u_14");
  for (const auto& source : node["sources"])
    EXPECT_NE(svg.find(">" + source["id"].get<std::string>() + "<"), std::string::npos) << source["id"];
  const Answer again = explain("u_14", {"--svg", picture});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("--force"), std::string::npos) << again.err;
  EXPECT_EQ(explain("u_14", {"--svg", picture, "--force"}).code, 0);
  EXPECT_EQ(explain("u_14", {"u_15", "--svg", picture, "--force"}).code, 2) << "one node to a picture";
  EXPECT_EQ(explain("u_14", {"--svg", folder_ / "users.csv", "--force"}).code, 2) << "never what is read";
}

}  // namespace
}  // namespace gcnh::testing
