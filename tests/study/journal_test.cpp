// Journals know which arithmetic made a line: stale lines are counted and never used, and a training made again is
// compared digit by digit.
#include "gcnh/study/journal.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gcnh/study/again.h"
#include "gcnh/train/make_stepper.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

const std::string kRun = R"({"model":"mlp","data":"texas","hash":"0","seed":1,"options":{}})";

Record record_of(int split, double loss) {
  Record out;
  out.split = split;
  out.epochs = 3;
  out.best = {2, {loss, 0.5}};
  out.engine = "tape";
  return out;
}

// The file with a field of one line's result changed, or taken out where the value is null.
void edit_result(const std::filesystem::path& path, std::size_t number, const std::string& field,
                 const nlohmann::ordered_json& value) {
  std::string text;
  std::istringstream lines(slurp(path));
  std::size_t at = 0;
  for (std::string line; std::getline(lines, line);) {
    nlohmann::ordered_json entry = nlohmann::ordered_json::parse(line);
    if (++at == number && value.is_null()) entry["result"].erase(field);
    if (at == number && !value.is_null()) entry["result"][field] = value;
    text += entry.dump() + "\n";
  }
  std::ofstream(path) << text;
}

TEST(Journal, LinesNameTheArithmeticThatMadeThem) {
  const TempDir folder;
  const std::filesystem::path path = folder / "journal.jsonl";
  std::string run;
  {
    Journal journal(path);
    journal.add(kRun, record_of(0, 0.25));
    journal.add(kRun, record_of(1, 0.5));
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
  journal.add(run, record_of(1, 0.125));
  EXPECT_EQ(journal.find(run, 1, false, {})->best.score.loss, 0.125) << "trained again, it is";
}

TEST(Journal, DrawsOnlyWhatCanBeTrainedAgain) {
  std::vector<JournalLine> lines;
  for (int i = 0; i < 50; ++i) {
    JournalLine line{i + 1, kRun, record_of(i, 0.5)};
    line.record.arithmetic = i % 5 == 0 ? 0 : 1;
    line.record.seconds = i % 2 == 0 ? 1 : 100;
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

TEST(JournalCommand, TrainsLinesAgainAndNamesThoseThatDiffer) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  const std::filesystem::path path = folder / "out" / "journal.jsonl";
  const Answer tuned =
      run_program({"tune",        "--data",        "texas",  "--view",     "paper",  "--axis",      "hidden=16,32",
                   "--axis",      "batch=50,full", "--axis", "epochs=5,8", "--grid", "default",     "--axis",
                   "dropout=0.5", "--splits",      "0,3",    "--quiet",    "--out",  folder / "out"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const Answer same = run_program({"journal", path, "--again", "100", "--quiet"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_NE(same.out.find(" lines trained again"), std::string::npos) << same.out;
  EXPECT_NE(same.out.find(", 0 differ\n"), std::string::npos) << same.out;
  edit_result(path, 2, "val_loss", 0.125);
  const Answer other = run_program({"journal", path, "--again", "100", "--quiet"});
  EXPECT_EQ(other.code, 65) << other.err;
  EXPECT_NE(other.out.find("line 2: val_loss: 0.125 was recorded, "), std::string::npos) << other.out;
  edit_result(path, 2, "arithmetic", 77);
  const Answer stale = run_program({"journal", path});
  EXPECT_EQ(stale.code, 0) << stale.err;
  EXPECT_NE(stale.out.find("stale lines: 2\n"), std::string::npos) << stale.out;
}

}  // namespace
}  // namespace gcnh::testing
