// A plan says what will be read, trained and written, and leaves nothing behind.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using Words = std::vector<std::string>;

std::string plan_of(Words args) {
  args.push_back("--plan");
  const Answer a = run_program(args);
  EXPECT_EQ(a.code, 0) << a.err;
  std::istringstream lines(a.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  return a.out;
}

void expect_all(const std::string& text, const Words& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Plan, TellsWhatATrainingTakes) {
  const std::string text = plan_of({"train", "--epochs", "7", "--threads", "2"});
  expect_all(text, {"1490 nodes", "2970 edges", "1433 features", "splits 10; the first: 715 train", "read   no files",
                    "model  gcnh  91942 parameters  10 trainings of 7 epochs  2 at a time", "memory graph ",
                    "features ", "at the peak", "1.8 MB of it for parameters and Adam", "time   about ", "files  none"});
  // Both splits that run side by side are tried, each for all epochs or for half a second, whichever is over first.
  std::smatch epochs;
  ASSERT_TRUE(std::regex_search(text, epochs, std::regex("measured on ([0-9]+) epochs"))) << text;
  EXPECT_GE(std::stoi(epochs[1]), 2 * 4) << text;
  EXPECT_LE(std::stoi(epochs[1]), 2 * 7) << text;
}

TEST(Plan, WritesNothing) {
  const TempDir folder;
  const std::string out = folder / "runs";
  expect_all(plan_of({"train", "--epochs", "2", "--out", out}), {out + "/result.json"});
  expect_all(plan_of({"compare", "--models", "gcn,mlp", "--epochs", "2", "--out", out}),
             {out + "/MODEL/result.json", "report.html", "model  gcn ", "model  mlp "});
  expect_all(plan_of({"tune", "--axis", "hidden=8,16", "--axis", "lr=0.1", "--axis", "epochs=2", "--grid", "default",
                      "--trials", "3", "--splits", "0,1", "--out", out}),
             {"journal.jsonl", "8 trainings of "});
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Plan, NamesTheFilesThatAreRead) {
  const TempDir folder;
  const std::string nodes = folder / "n.csv", edges = folder / "e.csv";
  std::ofstream n(nodes), e(edges);
  n << "id,label,x\n";
  e << "source,target\n";
  for (int i = 0; i < 40; ++i) {
    n << i << "," << i % 2 << "," << i * i % 7 << "\n";
    e << i << "," << (i + 3) % 40 << "\n";
  }
  n.close();
  e.close();
  expect_all(plan_of({"train", "--nodes", nodes, "--edges", edges, "--epochs", "2"}), {"2 files, ", "40 nodes"});
}

TEST(Plan, RefusesWhatARunWouldRefuse) {
  const Answer wrong = run_program({"train", "--lr", "0", "--plan"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(run_program({"train", "--plan", "--json"}).code, 2);
}

// The paths behind "files": one with a folder, and those behind it that are in the same one. MODEL stands for every
// model, and * for a number.
std::set<std::string> planned_files(const std::string& text, const std::string& out, const Words& models) {
  std::istringstream words(std::regex_replace(text.substr(text.find("\nfiles ") + 7), std::regex("\\([^)]*\\)"), ""));
  std::set<std::string> found;
  std::string folder;
  for (std::string word; words >> word && word != "this";) {
    if (word.starts_with(out)) {
      folder = word.substr(0, word.rfind('/') + 1);
      word = word.substr(folder.size());
    }
    for (const std::string& model : models) {
      std::string path = folder + word;
      if (const auto at = path.find("/MODEL"); at != std::string::npos) path.replace(at + 1, 5, model);
      if (const auto at = path.find('*'); at != std::string::npos) path.replace(at, 1, "0");
      found.insert(path);
    }
  }
  return found;
}

std::set<std::string> files_below(const std::string& folder) {
  std::set<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) out.insert(entry.path().string());
  return out;
}

TEST(Plan, NamesTheFilesThatAreWritten) {
  const TempDir folder;
  const Words small = {"--splits", "0", "--epochs", "2", "--hidden", "4", "--quiet"};
  const std::vector<std::pair<Words, Words>> cases = {
      {{"train", "--model", "mlp"}, {"mlp"}},
      {{"train", "--model", "mlp", "--final"}, {"mlp"}},
      {{"compare", "--models", "mlp,gcn", "--no-tune"}, {"mlp", "gcn", "logreg"}},
      {{"compare", "--models", "mlp,gcn", "--budget", "1"}, {"mlp", "gcn", "logreg"}},
      {{"tune", "--models", "mlp,gcn", "--axis", "lr=0.1", "--trials", "1"}, {"mlp", "gcn"}}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Words args = cases[i].first;
    const std::string out = folder / std::to_string(i);
    args.insert(args.end(), small.begin(), small.end());
    args.insert(args.end(), {"--out", out});
    const std::set<std::string> planned = planned_files(plan_of(args), out, cases[i].second);
    const Answer a = run_program(args);
    ASSERT_EQ(a.code, 0) << a.err;
    const std::set<std::string> written = files_below(out);
    for (const std::string& file : planned)  // only the best of a comparison has a final model
      EXPECT_TRUE(written.contains(file) || (args[0] == "compare" && file.find("/final.") != std::string::npos))
          << file;
    for (const std::string& file : written) EXPECT_TRUE(planned.contains(file)) << file;
  }
}

}  // namespace
}  // namespace gcnh::testing
