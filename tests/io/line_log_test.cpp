#include "gcnh/io/line_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "gcnh/base/error.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace gcnh::testing {
namespace {

TEST(LineLog, KeepsWhatWasAppended) {
  const TempDir folder;
  {
    LineLog log(folder / "log");
    EXPECT_TRUE(log.lines().empty());
    log.append("one");
    log.append("two");
  }
  EXPECT_EQ(LineLog(folder / "log").lines(), (std::vector<std::string>{"one", "two"}));
}

TEST(LineLog, CutsOffWhatAKillLeftOfTheLastLine) {
  const TempDir folder;
  std::ofstream(folder / "log") << "one\ntwo\nthr";
  {
    LineLog log(folder / "log");
    EXPECT_EQ(log.lines(), (std::vector<std::string>{"one", "two"}));
    log.append("four");
    log.append("five");
  }
  EXPECT_EQ(slurp(folder / "log"), "one\ntwo\nfour\nfive\n");
}

TEST(LineLog, ChangesNothingBeforeALineIsAppended) {
  const TempDir folder;
  std::ofstream(folder / "log") << "one\nmy notes, without an end";
  {
    const LineLog log(folder / "log");
    EXPECT_EQ(log.lines(), std::vector<std::string>{"one"});
    EXPECT_EQ(log.rest(), "my notes, without an end");
  }
  EXPECT_EQ(slurp(folder / "log"), "one\nmy notes, without an end");
}

TEST(LineLog, CutsNothingThatOthersWrote) {
  const TempDir folder;
  std::ofstream(folder / "log") << "one\ntw";
  LineLog log(folder / "log");
  std::ofstream(folder / "log", std::ios::app) << "o\n";
  EXPECT_THROW(log.append("three"), Error);
  EXPECT_EQ(slurp(folder / "log"), "one\ntwo\n");
}

TEST(LineLog, WritesThroughNoLink) {
  const TempDir folder;
  std::ofstream(folder / "target") << "one\n";
  std::filesystem::create_symlink(folder / "target", folder / "log");
  std::filesystem::create_symlink(folder / "absent", folder / "dangling");
  for (const char* name : {"log", "dangling"}) {
    try {
      LineLog log(folder / name);
      FAIL() << "opened " << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::io);
      EXPECT_NE(std::string(error.what()).find("symbolic link"), std::string::npos) << error.what();
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "absent"));
}

TEST(LineLog, LeavesNothingOfALineThatDidNotFit) {
  const TempDir folder;
  LineLog log(folder / "log");
  log.append("one");
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{6, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(log.append("two, and more"), Error);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  log.append("three");
  EXPECT_EQ(slurp(folder / "log"), "one\nthree\n");
}

TEST(LineLog, RefusesASecondWriter) {
  const TempDir folder;
  const LineLog first(folder / "log");
  try {
    LineLog second(folder / "log");
    FAIL() << "two writers";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::io);
    EXPECT_NE(std::string(error.what()).find("another program"), std::string::npos) << error.what();
  }
}

TEST(LineLog, NamesTheFileItCannotOpen) {
  const TempDir folder;
  try {
    LineLog log(folder / "missing" / "log");
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gcnh::testing
