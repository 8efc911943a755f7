// A line of progress that is wider than the terminal wraps and cannot be erased any more.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/terminal.h"

namespace gcnh::testing {
namespace {

// Longer than any test waits.
const std::vector<std::string> kEndless = {"--epochs", "10000000", "--hidden", "16"};

std::vector<std::string> endless(std::vector<std::string> args) {
  args.insert(args.end(), kEndless.begin(), kEndless.end());
  return args;
}

// Every character of a bar is one column wide.
int columns_of(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void expect_updates_fit(TerminalProgram& program, int columns) {
  for (int i = 0; i < 3; ++i) {
    const std::string update = program.next_update();
    ASSERT_NE(update, "") << "no progress";
    EXPECT_LE(columns_of(update), columns) << update;
    EXPECT_EQ(update.find('\n'), std::string::npos) << update;
  }
}

TEST(ProgressLine, IsNeverWiderThanTheTerminal) {
  for (int columns : {80, 12}) {
    SCOPED_TRACE(columns);
    TerminalProgram train(endless({"train"}), columns);
    expect_updates_fit(train, columns);
    TerminalProgram compare(endless({"compare", "--no-tune", "--models", "gprgnn,mlp"}), columns);
    expect_updates_fit(compare, columns);
    const TempDir folder;
    TerminalProgram tune({"tune", "--axis", "hidden=16,32,48,64,80,96,112,128", "--axis", "epochs=40", "--threads", "2",
                          "--out", folder / "out"},
                         columns);
    expect_updates_fit(tune, columns);
  }
}

TEST(ProgressLine, KeepsWhatMattersWhereThereIsRoom) {
  TerminalProgram wide(endless({"train"}), 120);
  const std::string all = wide.next_update();
  for (const char* part : {"gcnh ", "· ", " %  ", "split ", "epoch ", "val ", " s left"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
  TerminalProgram narrow(endless({"train"}), 40);
  const std::string some = narrow.next_update();
  for (const char* part : {"gcnh ", " %  ", " s left"})
    EXPECT_NE(some.find(part), std::string::npos) << part << " in " << some;
}

TEST(ProgressLine, FollowsTheSizeOfTheTerminal) {
  TerminalProgram program(endless({"train"}), 80);
  expect_updates_fit(program, 80);
  program.resize(30);
  std::string update = program.next_update();
  for (int i = 0; i < 100 && columns_of(update) > 30; ++i) update = program.next_update();  // written before
  EXPECT_LE(columns_of(update), 30);
  expect_updates_fit(program, 30);
}

TEST(ProgressLine, CountsWhatWasDoneBeforeButNotItsTime) {
  const TempDir folder;
  std::vector<std::string> args = {"train",     "--model", "gcn",   "--epochs",     "4000",     "--hidden", "64",
                                   "--threads", "1",       "--out", folder / "run", "--splits", "0"};
  ASSERT_EQ(run_program(args).code, 0);
  args.back() = "0,1";
  args.push_back("--resume");
  TerminalProgram program(args, 120);
  const std::string update = program.next_update();
  EXPECT_NE(update.find("split 2 of 2"), std::string::npos) << update;
  const std::size_t percent = update.find(" %  ");
  ASSERT_TRUE(percent != std::string::npos && percent >= 3) << update;
  EXPECT_GE(std::stoi(update.substr(percent - 3)), 50) << update;
  EXPECT_EQ(update.find("about 0 s left"), std::string::npos) << "the other half has just begun: " << update;
}

TEST(ProgressLine, ATerminalThatDoesNotTellItsSizeHasThatOfColumns) {
  TerminalProgram told(endless({"train"}), 0, "50");
  expect_updates_fit(told, 50);
  for (const char* nothing : {"", "wide", "-3"}) {
    TerminalProgram usual(endless({"train"}), 0, nothing);
    expect_updates_fit(usual, 80);
  }
}

}  // namespace
}  // namespace gcnh::testing
