#include <gtest/gtest.h>

#include "gcnh/base/error.h"
#include "gcnh/study/journal.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

const std::string kSomeRun = R"({"model":"mlp","data":"d","hash":"h","seed":1,"options":{"hidden":16}})";

std::string line_of_a_journal(const TempDir& folder) {
  {
    Journal journal(folder / "made");
    journal.add(kSomeRun, Record{});
  }
  return slurp(folder / "made");
}

// Opening this text as a journal must fail with these words, and leave it as it is.
void expect_no_journal(const std::string& text, const std::string& words) {
  const TempDir folder;
  write_text(folder / "journal.jsonl", text);
  try {
    const Journal journal(folder / "journal.jsonl");
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::data);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
  EXPECT_EQ(slurp(folder / "journal.jsonl"), text);
}

TEST(JournalFile, TextThatIsNoJournalIsNeverCut) {
  const TempDir folder;
  const std::string line = line_of_a_journal(folder);
  expect_no_journal("my notes", "journal.jsonl:1: not a line of a journal");
  expect_no_journal("my notes\nand more", "journal.jsonl:1: not a line of a journal");
  expect_no_journal(line + "my notes", "journal.jsonl:2: not a line of a journal");
  expect_no_journal("{\"mine\": 1}\n{\"mi", "journal.jsonl:1: not a line of a journal");
  expect_no_journal("{\"mine\"", "journal.jsonl:1: not a line of a journal");
  expect_no_journal(line + std::string(10, '\0'), "journal.jsonl:2: not a line of a journal");
}

TEST(JournalFile, WhatAKillLeftOfALineIsReplaced) {
  const TempDir folder;
  const std::string line = line_of_a_journal(folder);
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{9}, line.size() / 2, line.size() - 1}) {
    write_text(folder / "journal.jsonl", line + line.substr(0, size));
    {
      Journal journal(folder / "journal.jsonl");
      EXPECT_EQ(slurp(folder / "journal.jsonl"), line + line.substr(0, size)) << "nothing was added yet";
      journal.add(kSomeRun, Record{});
    }
    const std::string after = slurp(folder / "journal.jsonl"), same = line.substr(0, line.find("\"date\""));
    EXPECT_EQ(after.size(), 2 * line.size()) << size;
    EXPECT_EQ(after.substr(0, line.size() + same.size()), line + same);
  }
}

TEST(JournalFile, DeepLinesAreRefused) {
  const TempDir folder;
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  expect_no_journal(line_of_a_journal(folder) + R"({"run":{"model":"mlp","options":)" + deep + "},\"result\":{}}\n",
                    "journal.jsonl:2: nested deeper");
  expect_no_journal(deep + "\n", "nested deeper than 64 levels");
}

}  // namespace
}  // namespace gcnh::testing
