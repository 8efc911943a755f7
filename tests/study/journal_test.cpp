// Journals know which arithmetic made a line: stale lines are counted and never used. What is no journal is left alone,
// and what a kill left of a line is replaced.
#include "gcnh/study/journal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/study/again.h"
#include "gcnh/train/make_stepper.h"
#include "tests/study/journal_lines.h"

namespace gcnh::testing {
using namespace study;
namespace {

const std::string kRun = R"({"model":"mlp","data":"texas","hash":"0","seed":1,"options":{}})";

SplitOutcome outcome_of(int split, double loss) {
  SplitOutcome out;
  out.split = split;
  out.epochs = 3;
  out.best = {2, {loss, 0.5}};
  out.engine = "tape";
  return out;
}

TEST(Journal, LinesNameTheArithmeticThatMadeThem) {
  const TempDir folder;
  const std::filesystem::path path = folder / "journal.jsonl";
  std::string run;
  {
    Journal journal(path);
    journal.add(kRun, outcome_of(0, 0.25));
    journal.add(kRun, outcome_of(1, 0.5));
    EXPECT_EQ(journal.num_stale(), 0u);
  }
  const std::vector<JournalLine> lines = read_journal(path);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].number, 2);
  EXPECT_EQ(lines[1].record.arithmetic, arithmetic_of("tape"));
  EXPECT_FALSE(is_stale(lines[1].record));
  run = lines[1].run;
  for (const nlohmann::ordered_json& version : {nlohmann::ordered_json(), nlohmann::ordered_json(77)}) {
    edit_result(path, 2, "arithmetic", version);
    Journal journal(path);
    EXPECT_EQ(journal.num_stale(), 1u);
    EXPECT_TRUE(journal.find(run, 0, false, {}).has_value());
    EXPECT_FALSE(journal.find(run, 1, false, {}).has_value()) << "a stale line is not used";
    EXPECT_EQ(read_journal(path).size(), 2u) << "and stays in the file";
  }
  Journal journal(path);
  journal.add(run, outcome_of(1, 0.125));
  EXPECT_EQ(journal.find(run, 1, false, {})->best.score.loss, 0.125) << "trained again, it is";
}

TEST(Journal, DrawsOnlyWhatCanBeTrainedAgain) {
  std::vector<JournalLine> lines;
  for (int i = 0; i < 50; ++i) {
    JournalLine line{i + 1, kRun, {outcome_of(i, 0.5), 0, "", ""}};
    line.record.arithmetic = i % 5 == 0 ? 0 : 1;
    line.record.outcome.seconds = i % 2 == 0 ? 1 : 100;
    if (i % 3 == 0) line.run = R"({"model":"mlp","data":"nodes.csv","hash":"0","seed":1,"options":{}})";
    lines.push_back(line);
  }
  const auto drawn = draw_lines(lines, 1000, 10, 1);
  EXPECT_EQ(drawn.size(), 13u);
  for (const JournalLine& line : drawn) {
    const int i = line.number - 1;
    EXPECT_TRUE(i % 5 != 0 && i % 2 == 0 && i % 3 != 0) << i;
  }
  const auto some = draw_lines(lines, 5, 10, 1), same = draw_lines(lines, 5, 10, 1),
             other = draw_lines(lines, 5, 10, 2);
  ASSERT_EQ(some.size(), 5u);
  const auto numbers = [](const std::vector<JournalLine>& from) {
    std::vector<int> out;
    for (const JournalLine& line : from) out.push_back(line.number);
    return out;
  };
  EXPECT_EQ(numbers(some), numbers(same));
  EXPECT_NE(numbers(some), numbers(other));
}

TEST(Journal, KeepsEveryMetricAndDoesNotMissThemInOlderLines) {
  const TempDir folder;
  const std::filesystem::path path = folder / "journal.jsonl";
  SplitOutcome outcome = outcome_of(0, 0.25);
  outcome.metric = Metric::log_loss;
  outcome.best.score.metric = 0.75;
  outcome.marks = {{2, {1, {0.5, 0.25, 0.875}}}};
  outcome.test_accuracy = 0.5;
  outcome.val.emplace()[Metric::log_loss] = 0.75;
  outcome.test.emplace()[Metric::mcc] = -0.5;
  Journal(path).add(kRun, outcome);
  const SplitOutcome read = read_journal(path)[0].record.outcome;
  EXPECT_EQ(read.metric, Metric::log_loss);
  EXPECT_EQ(read.best.score.metric, 0.75);
  EXPECT_EQ(read.marks[0].best.score.metric, 0.875);
  EXPECT_EQ(val_value(read, Metric::log_loss), 0.75);
  EXPECT_EQ(test_value(read, Metric::mcc), -0.5);
  EXPECT_TRUE(std::isnan(test_value(read, Metric::roc_auc))) << "not defined";
  for (const char* field : {"metric", "val_metric", "val", "test"}) edit_result(path, 1, field, {});
  const SplitOutcome older = read_journal(path)[0].record.outcome;
  EXPECT_EQ(older.metric, Metric::accuracy);
  EXPECT_EQ(older.best.score.metric, 0.5);
  EXPECT_FALSE(older.val || older.test);
  EXPECT_EQ(test_value(older, Metric::accuracy), 0.5);
  EXPECT_TRUE(std::isnan(val_value(older, Metric::roc_auc)));
  edit_result(path, 1, "metric", "charm");
  EXPECT_THROW(read_journal(path), Error);
}

const std::string kSomeRun = R"({"model":"mlp","data":"d","hash":"h","seed":1,"options":{"hidden":16}})";

std::string line_of_a_journal(const TempDir& folder) {
  {
    Journal journal(folder / "made");
    journal.add(kSomeRun, SplitOutcome{});
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
      journal.add(kSomeRun, SplitOutcome{});
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
