// gcnh check, and what the commands that train say of the data.
#include "gcnh/check/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "gcnh/base/error.h"
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

// Lines are broken for terminals; an advice is one text.
std::string join_lines(const std::string& text) { return std::regex_replace(text, std::regex("\n +"), " "); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(CheckCommand, SaneTablesAreFine) {
  const Answer a = run({"check"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "");
  EXPECT_FALSE(has(a.out, "WARN")) << a.out;
  EXPECT_TRUE(a.out.ends_with("\n0 errors, 0 warnings\n")) << a.out;
  EXPECT_EQ(run({"check", "--strict"}).code, 0);
}

TEST_F(CheckCommand, ColumnsThatCannotBeReadHaveALineEach) {
  std::string nodes = "id,label,x,y\n";
  for (int i = 0; i < 600; ++i) nodes += join(i, i % 2 ? ",a," : ",b,", i % 50 ? join(i, ".5,", i, ".25\n") : "-,?\n");
  write_text(nodes_, nodes);
  const Answer a = run({"check"});
  EXPECT_EQ(a.code, 65);
  EXPECT_TRUE(std::regex_search(a.out, std::regex("\n +line 2: column 'x': [^?]+\n +line 2: column 'y': "))) << a.out;
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

// What a rule advises is taken by the commands that train, and then the rule is content where the advice mends it.
TEST_F(CheckCommand, AdviceCanBeFollowed) {
  const std::string nodes = slurp(nodes_), edges = slurp(edges_);
  const auto with_column = [&](const std::string& name, const auto& cell) {
    std::istringstream lines(nodes);
    std::string line, out;
    std::getline(lines, line);
    out = line + "," + name + "\n";
    for (int i = 0; std::getline(lines, line); ++i) out += line + "," + cell(i) + "\n";
    return out;
  };
  struct Case {
    std::string rule, nodes, edges, advice;
    std::vector<std::string> flags;
    bool is_mended = true;
  };
  const auto number = [](int i) { return std::to_string(i); };
  const std::vector<Case> cases = {
      {"guessed-kinds",
       with_column("Day of week", [&](int i) { return number(i * 7919 % 7); }),
       edges,
       "--numeric 'Day of week' if",
       {"--numeric", "Day of week"}},
      {"guessed-kinds",
       with_column("born on", [&](int i) { return number(1 + i % 12) + "/" + number(1 + i % 11) + "/2001"; }),
       edges,
       "--features 'date:born on(mdy) rest' if",
       {"--features", "date:born on(mdy) rest"}},
      {"missing",
       with_column("size", [&](int i) { return i % 3 ? "" : number(i * i % 1009); }),
       edges,
       "--ignore leaves a column out",
       {"--ignore", "size"}},
      {"constant-columns",
       with_column("k", [](int) { return std::string("7.5"); }),
       edges,
       "--ignore leaves a column out",
       {"--ignore", "k"}},
      {"label-leak",
       with_column("code", [](int i) { return std::string(i % 2 ? "A1" : "B1"); }),
       edges,
       "--ignore leaves a column out",
       {"--ignore", "code"}},
      {"label-words",
       std::regex_replace(nodes, std::regex("\n7,a"), "\n7,unknown"),
       edges,
       "--missing-label names such words",
       {"--missing-label", "unknown"}},
      {"small-test",
       nodes.substr(0, nodes.find("\n300,") + 1),
       "source,target\n1,2\n2,3\n",
       "(--num-splits)",
       {"--num-splits", "20"},
       false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.rule + ": " + c.advice);
    write_text(nodes_, c.nodes);
    write_text(edges_, c.edges);
    EXPECT_TRUE(has(join_lines(run({"check"}).out), c.advice)) << run({"check"}).out;
    const Answer trained = train(c.flags);
    EXPECT_EQ(trained.code, 0) << trained.err;
    std::vector<std::string> again = {"check", "--json"};
    again.insert(again.end(), c.flags.begin(), c.flags.end());
    const auto printed = nlohmann::json::parse(run(again).out);
    bool found = false;
    for (const auto& finding : printed["findings"])
      found = found || (finding["rule"] == c.rule && finding["severity"] != "ok");
    EXPECT_EQ(found, !c.is_mended);
  }
}

// Features that are a matrix: their columns are scaled by another flag, and left out by none.
TEST_F(CheckCommand, AdviceOnAMatrixCanBeFollowed) {
  std::string rows, pairs = "%%MatrixMarket matrix coordinate pattern general\n600 600 600\n";
  for (int i = 0; i < 600; ++i) {
    rows += join(i % 2, " 1:", i % 2 ? 1 : 2, " ", i % 6 + 2, ":1 9:", i % 3 == 0 ? 0 : 40000 + i, "\n");
    pairs += join(i + 1, " ", (i + 1) % 600 + 1, "\n");
  }
  write_text(nodes_ = folder_ / "nodes.svm", rows);
  write_text(edges_ = folder_ / "edges.mtx", pairs);
  const std::string found = join_lines(run({"check"}).out);
  EXPECT_TRUE(has(found, "features differ in size")) << found;
  EXPECT_TRUE(has(found, "--scale largest, or --scale rows for counts")) << found;
  EXPECT_FALSE(has(found, "--ignore")) << found;
  EXPECT_TRUE(has(train().err, "note: scales: features differ in size"));
  for (const char* scale : {"largest", "rows"}) {
    const Answer trained = train({"--scale", scale});
    EXPECT_EQ(trained.code, 0) << trained.err;
    EXPECT_FALSE(has(trained.err, "note: scales")) << trained.err;
  }
  const Answer standard = train({"--scale", "standard"});
  EXPECT_EQ(standard.code, 2);
  EXPECT_TRUE(has(standard.err, "--scale: 'standard' would fill the zeros of sparse features; 'largest' keeps them"));
  EXPECT_EQ(train({"--scale", "largest", "--out", folder_ / "run"}).code, 0);
  const Answer answers = run({"predict", "--model", folder_ / "run"});
  EXPECT_EQ(answers.code, 0) << answers.err;
  EXPECT_EQ(std::count(answers.out.begin(), answers.out.end(), '\n'), 601);
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
