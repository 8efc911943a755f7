// Help fits the terminal, is short unless all is wanted, and names what there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "gcnh/models/model.h"
#include "tests/support/terminal.h"

namespace gcnh::testing {
namespace {

using Words = std::vector<std::string>;

// Every command of the program, and the program itself.
std::vector<Words> all_commands() {
  return {{},
          {"train"},
          {"compare"},
          {"tune"},
          {"paper"},
          {"journal"},
          {"report"},
          {"predict"},
          {"eval"},
          {"explain"},
          {"embed"},
          {"update"},
          {"inspect"},
          {"check"},
          {"data"},
          {"data", "list"},
          {"shard"},
          {"scale-sim"},
          {"synth"},
          {"models"},
          {"bench"},
          {"bench", "scale"},
          {"bench", "explain"},
          {"data", "show"},
          {"data", "split"},
          {"data", "convert"}};
}

Words with_flag(Words words, const std::string& flag) {
  words.push_back(flag);
  return words;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t out = 0;
  for (std::string line; std::getline(lines, line);)
    out = std::max(out, static_cast<std::size_t>(
                            std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; })));
  return out;
}

std::size_t num_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// The variable COLUMNS while it lives.
class ColumnsVariable {
 public:
  explicit ColumnsVariable(const char* text) { setenv("COLUMNS", text, 1); }
  ~ColumnsVariable() { unsetenv("COLUMNS"); }
};

TEST(HelpText, EveryCommandTakesQuiet) {
  for (const Words& command : all_commands())
    EXPECT_NE(run_program(with_flag(command, "--help-all")).out.find("-q,--quiet"), std::string::npos)
        << ::testing::PrintToString(command);
  EXPECT_EQ(run_program({"check", "-q"}).code, 0);
  EXPECT_EQ(run_program({"data", "list", "--quiet"}).code, 0);
}

TEST(HelpText, FitsTheWidthForEveryCommand) {
  for (const char* columns : {"80", "50", "120"}) {
    const ColumnsVariable variable(columns);
    for (const Words& command : all_commands()) {
      for (const char* flag : {"-h", "--help", "--help-all"}) {
        const Answer a = run_program(with_flag(command, flag));
        EXPECT_EQ(a.code, 0) << a.err;
        EXPECT_EQ(a.err, "");
        EXPECT_LE(widest_line(a.out), std::stoul(columns)) << a.out;
      }
    }
  }
}

TEST(HelpText, FitsWhereNothingTellsAWidth) {
  unsetenv("COLUMNS");
  EXPECT_LE(widest_line(run_program({"train", "--help-all"}).out), 80u);
}

TEST(HelpText, IsShortUnlessAllIsWanted) {
  for (const Words& command : all_commands()) {
    const std::string brief = run_program(with_flag(command, "-h")).out,
                      all = run_program(with_flag(command, "--help-all")).out;
    EXPECT_LE(num_lines(brief), 50u) << brief;
    EXPECT_GE(num_lines(all), num_lines(brief));
    EXPECT_EQ(run_program(with_flag(command, "--help")).out, brief);
    EXPECT_NE(brief.find("Usage: gcnh"), std::string::npos);
  }
  const std::string brief = run_program({"train", "-h"}).out, all = run_program({"train", "--help-all"}).out;
  for (const char* flag : {"--data ", "--nodes ", "--model ", "--epochs ", "--out ", "--config "})
    EXPECT_NE(brief.find(flag), std::string::npos) << flag;
  EXPECT_NE(brief.find("--help-all"), std::string::npos);
  EXPECT_NE(brief.find("gcnh models NAME"), std::string::npos);
  for (const ModelType& type : model_types())
    for (const OptionInfo& info : type.options) {
      std::string flag = "  --" + info.name + " ";
      std::replace(flag.begin(), flag.end(), '_', '-');
      EXPECT_NE(all.find(flag), std::string::npos) << flag;
    }
  EXPECT_EQ(brief.find("--sheaf-decay"), std::string::npos);
}

TEST(HelpText, ListsEveryCommand) {
  const std::string all = run_program({"-h"}).out;
  for (const Words& command : all_commands())
    if (command.size() == 1) {
      EXPECT_NE(all.find("\n  " + command[0] + " "), std::string::npos) << command[0];
    }
}

TEST(HelpText, EveryExampleNamesFlagsThatExist) {
  for (const Words& command : all_commands()) {
    std::istringstream words(run_program(with_flag(command, "--help-all")).out);
    std::string all = words.str(), line;
    const std::size_t examples = all.find("\nExamples:\n");
    if (command.empty() || command == Words{"data"} || command == Words{"bench"} || examples == std::string::npos)
      continue;
    std::istringstream rest(all.substr(examples));
    for (std::string word; rest >> word;) {
      if (word.starts_with("--") && all.find("  " + word) != std::string::npos) {
        EXPECT_LT(all.find("  " + word), examples) << word << " is not a flag of " << command[0];
      }
    }
  }
}

TEST(Tables, FitEightyColumns) {
  for (const Words& args : {Words{"data", "list"}, Words{"models"}, Words{"models", "odsd"}, Words{"check", "--rules"},
                            Words{"models", "--data", "synthetic"}, Words{"inspect"}})
    EXPECT_LE(widest_line(run_program(args).out), 80u) << args[0];
}

}  // namespace
}  // namespace gcnh::testing
