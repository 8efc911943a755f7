#include "gcnh/io/line_log.h"

#include <gtest/gtest.h>

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
  }
  EXPECT_EQ(slurp(folder / "log"), "one\ntwo\nfour\n");
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
