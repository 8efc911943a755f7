// gcnh journal: what it finds in a journal, and trainings made again, digit by digit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "gcnh/base/error.h"
#include "tests/study/journal_lines.h"

namespace gcnh::testing {
namespace {

TEST(JournalCommand, TrainsLinesAgainAndNamesThoseThatDiffer) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  const std::filesystem::path path = folder / "out" / "journal.jsonl";
  const Answer tuned =
      run_program({"tune",        "--data",        "texas",  "--view",     "paper",  "--axis",      "hidden=16,32",
                   "--axis",      "batch=50,full", "--axis", "epochs=5,8", "--grid", "default",     "--axis",
                   "dropout=0.5", "--splits",      "0,3",    "--quiet",    "--out",  folder / "out"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  nlohmann::ordered_json val =
      nlohmann::ordered_json::parse(slurp(path).substr(0, slurp(path).find('\n')))["result"]["val"];
  val.erase("ece");
  edit_result(path, 1, "val", val);  // as if the metric were younger than the line
  const Answer same = run_program({"journal", path, "--again", "100", "--quiet"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_NE(same.out.find(" lines trained again"), std::string::npos) << same.out;
  EXPECT_NE(same.out.find(", 0 differ\n"), std::string::npos) << same.out;
  edit_result(path, 2, "val_loss", 0.125);
  const Answer other = run_program({"journal", path, "--again", "100", "--quiet"});
  EXPECT_EQ(other.code, 65) << other.err;
  EXPECT_NE(other.out.find("line 2: val_loss: 0.125 was recorded, "), std::string::npos) << other.out;
  val["mcc"] = 0.125;
  edit_result(path, 1, "val", val);
  const Answer metric = run_program({"journal", path, "--again", "100", "--quiet"});
  EXPECT_NE(metric.out.find("line 1: val: "), std::string::npos) << metric.out;
  edit_result(path, 2, "arithmetic", 77);
  const Answer stale = run_program({"journal", path});
  EXPECT_EQ(stale.code, 0) << stale.err;
  EXPECT_NE(stale.out.find("stale lines: 2\n"), std::string::npos) << stale.out;
}

TEST(JournalCommand, FindsTheDirectionOfALine) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  for (const char* direction : {"out", "in"})
    ASSERT_EQ(
        run_program({"tune",           "--data",   "texas",  "--models", "gcn,gprgnn", "--direction",     direction,
                     "--axis",         "epochs=2", "--axis", "hidden=4", "--axis",     "dropout=0.5",     "--axis",
                     "weight_decay=0", "--splits", "0",      "--quiet",  "--out",      folder / direction})
            .code,
        0);
  for (const char* direction : {"out", "in"}) {
    const Answer same = run_program({"journal", folder / direction / "journal.jsonl", "--again", "9", "--quiet"});
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_NE(same.out.find("4 lines trained again (0 on mini-batches), 0 differ"), std::string::npos) << same.out;
  }
}

// The journal of a small search on a graph that is not of the catalog.
std::filesystem::path make_own_journal(const TempDir& folder) {
  const Answer tuned = run_program({"tune", "--models", "mlp", "--axis", "hidden=2,4", "--axis", "epochs=2", "--splits",
                                    "0", "--quiet", "--out", folder / "out"});
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  return folder / "out" / "journal.jsonl";
}

void rewrite_journal(const std::filesystem::path& path, const std::string& from, const std::string& to) {
  std::string text = slurp(path);
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  write_text(path, text);
}

TEST(JournalCommand, SaysWhyNoLineCanBeTrainedAgain) {
  const TempDir folder;
  const std::filesystem::path path = make_own_journal(folder);
  const auto expect_error = [&](const std::vector<std::string>& more, const std::string& words) {
    const std::string text = slurp(path);
    std::vector<std::string> args = {"journal", path, "--again", "2", "--quiet"};
    args.insert(args.end(), more.begin(), more.end());
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 65);
    const std::string why = join(std::count(text.begin(), text.end(), '\n'), words);
    EXPECT_NE(a.err.find("no line can be trained again: " + why + "\n"), std::string::npos) << a.err;
  };
  expect_error({}, " on data that is not known by name (gcnh data list)");
  rewrite_journal(path, R"("data":"synthetic-h0.1")", R"("data":"texas")");
  rewrite_journal(path, R"("seconds":)", R"("seconds":1)");
  expect_error({"--within", "0"}, " of more than 0 seconds");
  rewrite_journal(path, R"("arithmetic":)", R"("arithmetic":77)");
  expect_error({}, " stale");
}

TEST(JournalCommand, WithinBelongsToAgain) {
  const TempDir folder;
  const Answer a = run_program({"journal", make_own_journal(folder), "--within", "1"});
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("--within"), std::string::npos) << a.err;
  EXPECT_NE(a.err.find("--again"), std::string::npos) << a.err;
}

TEST(JournalCommand, NamesWhatIsNoWholeLine) {
  const TempDir folder;
  const std::filesystem::path path = make_own_journal(folder);
  const std::string text = slurp(path), line = text.substr(0, text.find('\n'));
  write_text(folder / "cut.jsonl", text + line.substr(0, 40));
  const Answer cut = run_program({"journal", folder / "cut.jsonl"});
  EXPECT_EQ(cut.code, 0) << cut.err;
  const auto number = std::count(text.begin(), text.end(), '\n') + 1;
  EXPECT_NE(cut.out.find(join("line ", number, " is cut off")), std::string::npos) << cut.out;
  EXPECT_EQ(run_program({"journal", path}).out.find("cut off"), std::string::npos);
  for (const std::string& none : {std::string(), line.substr(0, 40)}) {
    write_text(folder / "none.jsonl", none);
    const Answer a = run_program({"journal", folder / "none.jsonl"});
    EXPECT_EQ(a.code, 65);
    EXPECT_NE(a.err.find("none.jsonl: holds no lines"), std::string::npos) << a.err;
  }
}

}  // namespace
}  // namespace gcnh::testing
