// gcnh check, and what the commands that train say of the data.
#include "gcnh/check/check.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

// 600 nodes in two classes, a feature that hints at them, and neighbours in a circle.
class CheckCommand : public ::testing::Test {
 protected:
  CheckCommand() {
    std::string nodes = "id,label,x\n", edges = "source,target\n";
    for (int i = 0; i < 600; ++i) {
      nodes += std::to_string(i) + (i % 2 ? ",a," : ",b,") + std::to_string(i * 37 % 101 * 0.25 + i % 2) + "\n";
      edges += std::to_string(i) + "," + std::to_string((i + 1) % 600) + "\n";
    }
    write_text(nodes_, nodes);
    write_text(edges_, edges);
  }
  Answer run(std::vector<std::string> args) const {
    args.insert(args.end(), {"--nodes", nodes_, "--edges", edges_});
    return run_program(args);
  }
  Answer train(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"train", "--epochs", "1", "--splits", "0"});
    return run(more);
  }

  TempDir folder_;
  std::string nodes_ = folder_ / "nodes.csv", edges_ = folder_ / "edges.csv";
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(CheckCommand, SaneTablesAreFine) {
  const Answer a = run({"check"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "");
  EXPECT_FALSE(has(a.out, "WARN")) << a.out;
  EXPECT_TRUE(a.out.ends_with("\n0 errors, 0 warnings\n")) << a.out;
  EXPECT_EQ(run({"check", "--strict"}).code, 0);
}

TEST_F(CheckCommand, ErrorsAndWarningsDecideTheExitCode) {
  write_text(edges_, "source,target\n1,1\n");
  Answer a = run({"check"});
  EXPECT_EQ(a.code, 65);
  EXPECT_TRUE(std::regex_search(a.out, std::regex("\nERROR no-edges +none of 1 edge"))) << a.out;
  EXPECT_TRUE(std::regex_search(a.out, std::regex("\nWARN +self-loops"))) << a.out;
  EXPECT_TRUE(a.out.ends_with("\n1 error, 1 warning\n")) << a.out;
  EXPECT_TRUE(has(a.err, "gcnh: 1 error, 1 warning; --allow no-edges accepts the first")) << a.err;
  a = run({"check", "--allow", "no-edges"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(a.out.ends_with("\n0 errors, 1 warning, 1 allowed\n")) << a.out;
  EXPECT_EQ(run({"check", "--allow", "no-edges", "--strict"}).code, 65);
  EXPECT_EQ(run({"check", "--allow", "no-edges,self-loops", "--strict"}).code, 0);
  EXPECT_EQ(run({"check", "--allow", "loops"}).code, 2);
}

TEST_F(CheckCommand, LinesFitIntoATerminal) {
  write_text(edges_, "source,target,since\n1,1,2020\n1,1,2020\n");
  std::istringstream lines(run({"check"}).out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

// What a reader refuses is an error like any other.
TEST_F(CheckCommand, IdsThatDoNotMeet) {
  write_text(edges_, "source,target\n1.0,2.0\n2.0,3\n");
  Answer a = run({"check"});
  EXPECT_EQ(a.code, 65);
  EXPECT_TRUE(std::regex_search(a.out, std::regex("^ERROR ids-meet"))) << a.out;
  EXPECT_TRUE(has(a.out, "'1' is:")) << a.out;
  a = run({"check", "--json"});
  const auto printed = nlohmann::json::parse(a.out);
  EXPECT_EQ(printed["findings"][0]["rule"], "ids-meet");
  EXPECT_TRUE(printed["data"].is_null());
  write_text(edges_, "source,target\n1\n");
  a = run({"check"});
  EXPECT_EQ(a.code, 65);
  EXPECT_TRUE(std::regex_search(a.out, std::regex("^ERROR readable"))) << a.out;
  EXPECT_EQ(nlohmann::json::parse(run({"check", "--json"}).out)["findings"][0]["rule"], "readable");
  std::filesystem::remove(edges_);
  EXPECT_EQ(run({"check"}).code, 74);
}

TEST_F(CheckCommand, FieldsAreFlags) {
  std::string rows = "id,label,x,code\n";
  for (int i = 0; i < 600; ++i)
    rows += std::to_string(i) + (i % 2 ? ",a," : ",b,") + std::to_string(i % 7 * 0.5) + (i % 2 ? ",A1\n" : ",B1\n");
  write_text(nodes_, rows);
  const Answer a = run({"check"});
  EXPECT_EQ(a.code, 65);
  EXPECT_TRUE(has(a.out, "ERROR label-leak")) << a.out;
  EXPECT_TRUE(has(a.out, "--ignore")) << a.out;
  EXPECT_FALSE(has(a.out, "`")) << a.out;
}

TEST_F(CheckCommand, TrainingTellsTheWorst) {
  EXPECT_FALSE(has(train().err, "note: "));
  write_text(edges_, "source,target\n1,1\n");
  const Answer a = train();
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.err, "note: no-edges: none of 1 edge")) << a.err;
  EXPECT_TRUE(has(a.err, "note: gcnh check says")) << a.err;
  EXPECT_FALSE(has(a.out, "no-edges"));
  EXPECT_EQ(train({"--quiet"}).err, "");
}

// docs/check.md lists what --rules prints.
TEST_F(CheckCommand, EveryRuleIsInItsPage) {
  const Answer a = run_program({"check", "--rules"});
  EXPECT_EQ(a.code, 0) << a.err;
  const std::string page = slurp(std::filesystem::path(GCNH_TEST_DATA).parent_path().parent_path() / "docs/check.md");
  std::size_t rows = 0;
  for (const RuleInfo& rule : check_rules()) {
    EXPECT_TRUE(has(a.out, rule.name + " ")) << rule.name;
    EXPECT_TRUE(has(page, "| `" + rule.name + "` | " + rule.sentence + " |")) << rule.name;
    ++rows;
  }
  for (std::size_t at = 0; (at = page.find("\n| `", at)) != std::string::npos; ++at) --rows;
  EXPECT_EQ(rows, 0u) << "a rule that is no more";
}

}  // namespace
}  // namespace gcnh::testing
