// Flags from a file: what they set, what wins, what is refused; and a printed configuration gives the same run again.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

class ConfigFile : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  Answer with_config(const std::string& command, const std::string& text, const Words& more = {}) {
    Words args = {command, "--config", write(text)};
    args.insert(args.end(), more.begin(), more.end());
    return run_program(args);
  }
  void expect_refused(const std::string& text, int code, const std::string& message) {
    const Answer a = with_config("train", text);
    EXPECT_EQ(a.code, code) << text;
    EXPECT_EQ(a.out, "") << text;
    EXPECT_NE(a.err.find(message), std::string::npos) << a.err;
  }

  const TempDir folder_;
  const std::string path_ = folder_ / "c.toml";
};

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

// A run's JSON without what differs from time to time.
json steady(const Answer& a) {
  EXPECT_EQ(a.code, 0) << a.err;
  json out = json::parse(a.out);
  for (const char* key : {"seconds", "peak_rss_bytes"}) out.erase(key);
  for (json& split : out["splits"]) split.erase("seconds");
  return out;
}

TEST_F(ConfigFile, SetsFlagsAndTypedOnesWin) {
  const std::string text =
      "epochs = 4\nsplits = '0'\n[train]\nweight_decay = 1e-4\nhidden = 8\nquiet = true\n[compare]\nmodels = ['mlp']\n";
  const json set = steady(with_config("train", text, {"--json"}));
  EXPECT_EQ(set["options"]["epochs"], 4);
  EXPECT_EQ(set["options"]["weight_decay"], 1e-4);
  EXPECT_EQ(set["options"]["hidden"], 8);
  EXPECT_EQ(set["splits"].size(), 1u);
  EXPECT_EQ(set, steady(run_program({"train", "--epochs", "4", "--splits", "0", "--weight-decay", "1e-4", "--hidden",
                                     "8", "--json"})));
  EXPECT_EQ(steady(with_config("train", text, {"--json", "--hidden", "4"}))["options"]["hidden"], 4);
  const json runs = json::parse(with_config("compare", text, {"--json"}).out);
  ASSERT_GT(runs.size(), 1u);
  EXPECT_EQ(runs[0]["model"], "mlp");
  EXPECT_EQ(runs[1]["floor"], true) << "no other model";
}

TEST_F(ConfigFile, ACommandsTableWinsOverTheTop) {
  EXPECT_EQ(steady(with_config("train", "epochs = 3\n[train]\nepochs = 2\n", {"--json", "-q"}))["options"]["epochs"],
            2);
}

TEST_F(ConfigFile, WhatIsTypedKeepsOutWhatItExcludes) {
  const Answer a = with_config("train", "direction = 'out'\nepochs = 2\n", {"--directed", "--json", "-q"});
  EXPECT_EQ(steady(a)["data"]["direction"], "in");
}

TEST_F(ConfigFile, PrintsEverySettingWithItsOrigin) {
  const Answer a = with_config("train", "epochs = 5\n[train]\nlr = 0.01\n", {"--lr", "0.02", "--print-config"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has_line(a.out, "[train]"));
  EXPECT_TRUE(has_line(a.out, "epochs = 5  # " + path_ + ":1")) << a.out;
  EXPECT_TRUE(has_line(a.out, "lr = 0.02  # flag")) << a.out;
  EXPECT_TRUE(has_line(a.out, "# weight-decay = 0.005  # default")) << a.out;
  EXPECT_TRUE(has_line(a.out, "# hidden = 32  # default")) << a.out;
  EXPECT_TRUE(has_line(a.out, "# ratio = \"48/32/20\"  # default")) << a.out;
  EXPECT_TRUE(has_line(a.out, "# quiet = false  # default")) << a.out;
  EXPECT_EQ(a.out.find("heads"), std::string::npos) << "an option of another model";
  EXPECT_EQ(a.out.find("print-config"), std::string::npos);
}

TEST_F(ConfigFile, NamesTheRecipeAsOrigin) {
  const std::string recipe = folder_ / "own.toml";
  std::ofstream(recipe) << "[options]\nlr = 0.25\nhidden = 48\nscale = 'rows'\n";
  const Answer a = run_program({"train", "--recipe", recipe, "--hidden", "8", "--print-config"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has_line(a.out, "# lr = 0.25  # recipe")) << a.out;
  EXPECT_TRUE(has_line(a.out, "# scale = \"rows\"  # recipe")) << a.out;
  EXPECT_TRUE(has_line(a.out, "hidden = 8  # flag")) << a.out;
}

TEST_F(ConfigFile, ModelsMayDifferInADefault) {
  const Answer a = run_program({"compare", "--models", "gcnh,gcn,mlp", "--print-config"});
  EXPECT_TRUE(has_line(a.out, "models = [\"gcnh\", \"gcn\", \"mlp\"]  # flag")) << a.out;
  EXPECT_TRUE(has_line(a.out, "# hidden = 32  # default of gcnh")) << a.out;
  EXPECT_TRUE(has_line(a.out, "# hidden = 16  # default of gcn, mlp")) << a.out;
  EXPECT_TRUE(has_line(a.out, "# epochs = 300  # default")) << a.out;
}

TEST_F(ConfigFile, WhatWasPrintedGivesTheSameRun) {
  const Words args = {"train",    "--epochs", "6",       "--splits", "0,2",  "--seed", "12345678901234", "-q",
                      "--hidden", "8",        "--scale", "rows",     "--lr", "0.002",  "--json"};
  Words print = args;
  print.push_back("--print-config");
  const std::string text = run_program(print).out;
  EXPECT_EQ(steady(with_config("train", text)), steady(run_program(args)));
  const Answer again = with_config("train", text, {"--print-config"});
  std::string before = text, after = again.out;
  EXPECT_NE(after.find("seed = 12345678901234  # " + path_), std::string::npos) << after;
  for (std::string* all : {&before, &after})  // but for where it is from now
    for (std::size_t at = 0; (at = all->find("  # ", at)) != std::string::npos;)
      all->erase(at, all->find('\n', at) - at);
  EXPECT_EQ(after, before);
}

TEST_F(ConfigFile, TextSurvivesQuoting) {
  const std::string odd = "a \"b\" \\ c\td = [x]  # y";
  const Words args = {"inspect", "--nodes", odd, "--ignore", "one,two words", "--edges", "e", "--print-config"};
  const Answer first = run_program(args);
  ASSERT_EQ(first.code, 0) << first.err;
  const Answer a = with_config("inspect", first.out);
  EXPECT_EQ(a.code, 74) << a.err;
  EXPECT_NE(a.err.find("a \"b\" \\ c?d = [x]  # y"), std::string::npos) << a.err;  // a tab is not shown
}

TEST_F(ConfigFile, RefusesWhatNobodyReads) {
  expect_refused("epoch = 3\n", 2, path_ + ":1: train has no flag --epoch; did you mean 'epochs'?");
  expect_refused("\n[trian]\nepochs = 3\n", 2, path_ + ":3: no command 'trian'; did you mean 'train'?");
  expect_refused("models = 'mlp'\n", 2, path_ + ":1: train has no flag --models; compare has");
  expect_refused("[compare]\nmodel = 'mlp'\n", 2, path_ + ":2: compare has no flag --model; did you mean 'models'?");
  expect_refused("[train.deeper]\nepochs = 3\n", 2, path_ + ":2: no command 'train deeper'");
  expect_refused("epochs = [1, 2]\n", 2, path_ + ":1: epochs takes one value, not a list");
  expect_refused("quiet = 3\n", 2, path_ + ":1: quiet: unknown value '3'; allowed: true false");
  expect_refused("threads = 'x'\n", 2, path_ + ":1: --threads");
  expect_refused("\nlr = 0\n", 2, path_ + ":2: --lr: 0 is not above 0");
  for (const char* action : {"config", "print-config", "plan", "help"})
    expect_refused(std::string(action) + " = true\n", 2, "is no setting; it has to be typed");
}

TEST_F(ConfigFile, RefusesHostileText) {
  expect_refused("a = \n", 65, path_ + ":1: ");
  expect_refused("weight-decay = 1\nweight_decay = 2\n", 65, path_ + ":2: 'weight_decay' is set twice");
  expect_refused("epochs = 1979-05-27\n", 65, path_ + ":1: a value is neither a number nor a word");
  expect_refused("epochs = [[1]]\n", 65, path_ + ":1: a value is neither a number nor a word");
  expect_refused("epochs = " + std::string(100'000, '[') + "\n", 65, "nested deeper");
  expect_refused("# " + std::string(2 << 20, 'x') + "\n", 65, "bytes; TOML of people");
  expect_refused(std::string("epochs\0 = 3\n", 12), 65, path_ + ":1: ");
  expect_refused("epochs = '\xff\xfe'\n", 65, path_ + ":1: ");
  for (const char* flag : {"nodes", "out", "recipe", "data-dir"})
    expect_refused("\n" + std::string(flag) + " = \"a\\u0000b\"\n", 65,
                   path_ + ":2: a value holds the character U+0000");
  expect_refused("ignore = [\"a\", \"b\\u0000\"]\n", 65, path_ + ":1: a value holds the character U+0000");
  for (const char* place : {"/nowhere/c.toml", "/", "/dev/null"}) {
    const Answer a = run_program({"train", "--config", place});
    EXPECT_EQ(a.code, 74) << place;
    EXPECT_NE(a.err.find(std::string("cannot read '") + place), std::string::npos) << a.err;
  }
}

TEST_F(ConfigFile, CommandsOfCommandsHaveATableOfTheirOwn) {
  const std::string out = folder_ / "splits.csv";
  const Answer a =
      run_program({"data", "split", "--config", write("[data.split]\nout = '" + out + "'\nnum-splits = 1\n")});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("1 split of 1490 nodes"), std::string::npos) << a.out;
  EXPECT_TRUE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace gcnh::testing
