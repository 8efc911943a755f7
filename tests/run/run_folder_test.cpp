// What --out may replace: nothing without --resume or --force, and never what gcnh did not make.
#include "gcnh/run/run_folder.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "gcnh/io/folder_lock.h"
#include "gcnh/io/safetensors.h"
#include "gcnh/run/model_file.h"
#include "gcnh/run/run_paths.h"
#include "gcnh/run/set_aside.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

namespace fs = std::filesystem;

class OutFolder : public ::testing::Test {
 protected:
  std::vector<std::string> train_into(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = {"train", "--model",  "mlp", "--epochs", "3",     "--splits",
                                     "0,1",   "--hidden", "4",   "--quiet",  "--out", folder_ / out};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  std::vector<std::string> compare_into(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = train_into(out, more);
    args[0] = "compare", args[1] = "--models", args[2] = "mlp,gcn";
    args.push_back("--no-tune");
    return args;
  }
  static void expect_done(const std::vector<std::string>& args) {
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 0) << a.err;
  }
  // The program must refuse, say these words, and leave every file as it is.
  void expect_refused(const std::vector<std::string>& args, const std::vector<std::string>& words, int code = 2) const {
    const std::map<std::string, std::string> before = contents();
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, code) << a.out;
    EXPECT_EQ(std::count(a.err.begin(), a.err.end(), '\n'), 1) << a.err;
    for (const std::string& word : words) EXPECT_NE(a.err.find(word), std::string::npos) << word << ": " << a.err;
    EXPECT_EQ(contents(), before);
  }
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      out[entry.path().string()] = entry.is_regular_file() ? slurp(entry.path()) : "";
    return out;
  }
  std::set<std::string> names(const std::string& in) const {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_ / in)) out.insert(entry.path().filename());
    return out;
  }
  std::string scores(const std::string& run) const {
    const auto j = nlohmann::json::parse(slurp(folder_ / run / "result.json"));
    return j["test_accuracy"].dump() + j["options"].dump();
  }

  TempDir folder_;
};

TEST_F(OutFolder, HoldsTheFilesOfARunAndNoOthers) {
  expect_done(train_into("a"));
  std::set<std::string> expected(RunFolder::file_names().begin(), RunFolder::file_names().end());
  expected.insert("splits");
  for (const char* name : {"search.json", "final.json", "final.safetensors"}) expected.erase(name);  // not asked for
  EXPECT_EQ(names("a"), expected);
}

// A checkpoint as a version wrote it that knew one metric alone.
void make_older(const fs::path& checkpoint) {
  Tensors file = read_safetensors(checkpoint);
  auto run = nlohmann::json::parse(file.metadata["gcnh.run"]),
       split = nlohmann::json::parse(file.metadata["gcnh.split"]);
  run.erase("metric");
  for (const char* key : {"val", "test", "test_classes", "best_metric"}) split.erase(key);
  for (auto& epoch : split["history"]) epoch.erase(4);
  file.metadata["gcnh.run"] = run.dump();
  file.metadata["gcnh.split"] = split.dump();
  write_safetensors(checkpoint, file);
}

TEST_F(OutFolder, CheckpointsOfOlderVersionsAreResumed) {
  expect_done(train_into("a"));
  const auto before = nlohmann::json::parse(slurp(folder_ / "a/result.json"));
  make_older(folder_ / "a/splits/split-0.safetensors");
  expect_done(train_into("a", {"--resume"}));
  auto after = nlohmann::json::parse(slurp(folder_ / "a/result.json"));
  EXPECT_EQ(after["test_accuracy"], before["test_accuracy"]);
  EXPECT_TRUE(before.contains("val") && before.contains("test") && before.contains("classes"));
  EXPECT_FALSE(after.contains("val") || after.contains("test") || after.contains("classes")) << "split 0 has none";
  EXPECT_EQ(after["splits"][1]["test"], before["splits"][1]["test"]);
  expect_refused(train_into("a", {"--resume", "--metric", "mcc"}), {"belongs to another run", "metric"}, 65);
}

TEST_F(OutFolder, AFinishedRunIsReplacedByForceAlone) {
  expect_done(train_into("a"));
  expect_refused(train_into("a"), {"a holds a finished run", "another --out", "--force", "--resume"});
  expect_refused(train_into("a", {"--seed", "2"}), {"holds a finished run"});
  expect_refused(train_into("a", {"--force", "--resume"}), {"give one"});
  const std::string before = scores("a");
  expect_done(train_into("a", {"--resume"}));
  EXPECT_EQ(scores("a"), before);
  auto other = train_into("a", {"--force"});
  other[4] = "5";
  expect_done(other);
  EXPECT_NE(scores("a"), before);
  EXPECT_EQ(names("a/splits"), (std::set<std::string>{"split-0.safetensors", "split-1.safetensors"}));
}

TEST_F(OutFolder, WithoutCheckpointsThereIsNothingToResume) {
  expect_done(train_into("a"));
  fs::remove_all(folder_ / "a/splits");
  expect_refused(train_into("a", {"--resume"}), {"holds a finished run", "--force"});
}

TEST_F(OutFolder, AnUnfinishedRunIsContinuedOrReplaced) {
  expect_done(train_into("a"));
  const std::string before = scores("a");
  fs::remove(folder_ / "a/result.json");  // as a kill would have left it
  expect_refused(train_into("a"), {"a holds an unfinished run", "--resume", "--force", "another --out"});
  for (const std::string& name : RunFolder::file_names()) fs::remove(folder_ / "a" / name);
  expect_refused(train_into("a"), {"a holds an unfinished run"});
  expect_done(train_into("a", {"--resume"}));
  EXPECT_EQ(scores("a"), before);
  fs::remove(folder_ / "a/result.json");
  expect_done(train_into("a", {"--force"}));
  EXPECT_EQ(scores("a"), before);
}

TEST_F(OutFolder, NothingOfOthersIsRemoved) {
  const std::vector<std::string> foreign = {"notes.txt",
                                            "splits/mine.csv",
                                            "splits/deep/er/x",
                                            "splits/split-1.csv",
                                            "splits/split-x.safetensors",
                                            "splits/split-.safetensors",
                                            "splits/split-0.safetensors.bak"};
  for (const std::string& name : foreign) write_text(folder_ / "a" / name, name);
  expect_done(train_into("a"));
  expect_done(train_into("a", {"--force"}));
  for (const std::string& name : foreign) EXPECT_EQ(slurp(folder_ / "a" / name), name);
}

TEST_F(OutFolder, FilesOfOthersUnderOurNamesAreNotReplaced) {
  for (const std::string& name : RunFolder::file_names()) {
    write_text(folder_ / "a" / name, "mine");
    expect_refused(train_into("a"), {"another --out", "--force"});
    expect_refused(train_into("a", {"--resume"}), {"another --out", "--force"});
    fs::remove(folder_ / "a" / name);
  }
  write_text(folder_ / "b/report.html", "mine");
  expect_refused(compare_into("b"), {"b/report.html", "another --out", "--force"});
}

TEST_F(OutFolder, SplitsMustBeAFolder) {
  fs::create_directories(folder_ / "a");
  write_text(folder_ / "elsewhere/split-0.safetensors", "mine");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "a/splits");
  write_text(folder_ / "b/splits", "mine");
  for (const char* out : {"a", "b"})
    for (const char* more : {"--force", "--resume", "--quiet"})
      expect_refused(train_into(out, {more}), {"splits is no folder of a run", "another --out"});
}

TEST_F(OutFolder, WrongFlagsNeitherMakeNorClearIt) {
  auto wrong = train_into("a", {"--force"});
  wrong[6] = "0,99";
  expect_refused(wrong, {"99"});
  EXPECT_FALSE(fs::exists(folder_ / "a"));
  expect_done(train_into("a"));
  expect_refused(wrong, {"99"});
  expect_refused({"train", "--force"}, {"--out"});
}

TEST_F(OutFolder, ForceClearsNothingForARunThatCannotBegin) {
  expect_done(train_into("a"));
  expect_refused(train_into("a", {"--force", "--batch", "0"}), {"batch"});
  expect_refused(train_into("a", {"--force", "--engine", "fused"}), {"fused"});
  expect_refused(train_into("a", {"--force", "--dropout", "2"}), {"dropout"});
  expect_done(compare_into("c"));
  expect_refused(compare_into("c", {"--force", "--engine", "fused"}), {"fused"});
  fs::remove(folder_ / "a" / "map.csv");
  fs::create_directory(folder_ / "a" / "map.csv");
  expect_refused(train_into("a", {"--force"}), {"map.csv is a folder"});
}

TEST_F(OutFolder, ResumingAComparisonReplacesNoPageOfOthers) {
  fs::create_directory(folder_ / "c");
  std::ofstream(folder_ / "c" / "report.html") << "mine";
  expect_refused(compare_into("c", {"--resume"}), {"report.html is there already"});
}

TEST_F(OutFolder, ACheckpointOfAnotherSplitIsRefused) {
  expect_done(train_into("a"));
  fs::copy_file(folder_ / "a/splits/split-0.safetensors", folder_ / "a/splits/split-1.safetensors",
                fs::copy_options::overwrite_existing);
  expect_refused(train_into("a", {"--resume"}), {"split-1.safetensors is of split 0, not of 1"}, 65);
}

TEST_F(OutFolder, ARunThatFailsLeavesTheOneItWasToReplace) {
  expect_done(train_into("a", {"--final"}));
  expect_refused(train_into("a", {"--force", "--lr", "1e30"}), {"the loss is not finite"}, 65);
  expect_done(compare_into("c"));
  fs::rename(folder_ / "c/gcn", folder_ / "c/gcnh");
  fs::create_directory(folder_ / "c/gcn");
  expect_refused(compare_into("c", {"--force", "--lr", "1e30"}), {"the loss is not finite"}, 65);
}

// Where all nodes are trained on, nothing is left to judge an ensemble by, which is found when the splits are trained.
TEST_F(OutFolder, ARunWhoseFinalModelFailsLeavesTheOneItWasToReplace) {
  std::string nodes = "id,label,x\n", edges = "source,target\n";
  for (int i = 0; i < 40; ++i) {
    nodes += join("n", i, i % 2 ? ",a," : ",b,", i % 7, "\n");
    edges += join("n", i, ",n", (i + 1) % 40, "\n");
  }
  write_text(folder_ / "nodes.csv", nodes);
  write_text(folder_ / "edges.csv", edges);
  std::vector<std::string> args = {"train",
                                   "--nodes",
                                   folder_ / "nodes.csv",
                                   "--edges",
                                   folder_ / "edges.csv",
                                   "--model",
                                   "mlp",
                                   "--epochs",
                                   "3",
                                   "--quiet",
                                   "--num-splits",
                                   "2",
                                   "--out",
                                   folder_ / "a"};
  expect_done(args);
  args.insert(args.end(), {"--force", "--ratio", "1/0/0", "--final", "ensemble"});
  expect_refused(args, {"nothing is left to judge an ensemble by"}, 65);
}

TEST_F(OutFolder, AComparisonIsContinuedWithItsOwnAims) {
  expect_done(compare_into("c"));
  expect_refused(compare_into("c", {"--resume", "--level", "0.7"}), {"level: 0.9 there, 0.7 here"}, 65);
}

TEST_F(OutFolder, ARunThatIsKilledLeavesTheOneItWasToReplaceAside) {
  expect_done(train_into("a"));
  const std::string model = slurp(folder_ / "a/model.safetensors");
  auto longer = train_into("a", {"--force", "--checkpoint-seconds", "0"});
  longer[4] = "100000";
  const TempDir output;
  const pid_t child = start_program(longer, output);
  const auto trains = [&] {  // the old run is aside, and the new one has a checkpoint
    return fs::exists(folder_ / "a/before-force/splits/split-0.safetensors") &&
           fs::exists(folder_ / "a/splits/split-0.safetensors");
  };
  while (!trains() && waitpid(child, nullptr, WNOHANG) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGKILL);
  wait_for(child);
  ASSERT_FALSE(fs::exists(folder_ / "a/result.json"));
  ASSERT_TRUE(fs::exists(folder_ / "a/splits/split-0.safetensors"));
  EXPECT_EQ(slurp(folder_ / "a/before-force/model.safetensors"), model);
  expect_refused(train_into("a"), {"a holds an unfinished run", "that it was to replace is in", "a/before-force"});
  expect_refused(train_into("a", {"--force", "--batch", "0"}), {"batch"});
  EXPECT_EQ(run_program(train_into("a", {"--force", "--lr", "1e30"})).code, 65) << "diverges";
  EXPECT_EQ(slurp(folder_ / "a/model.safetensors"), model);
  EXPECT_FALSE(fs::exists(folder_ / "a/before-force"));
}

TEST_F(OutFolder, WhatAnEarlyKillLeftAsideIsTheRunOfTheFolder) {
  expect_done(train_into("a"));
  const auto before = contents();
  fs::create_directory(folder_ / "b");
  fs::rename(folder_ / "a", folder_ / "b/before-force");
  fs::rename(folder_ / "b", folder_ / "a");
  EXPECT_EQ(run_program(train_into("a")).code, 2) << "holds a finished run";
  EXPECT_EQ(contents(), before);
  expect_done(train_into("a", {"--force", "--seed", "2"}));
  EXPECT_FALSE(fs::exists(folder_ / "a/before-force"));
}

// A kill after so many files of a run were moved, the first ones or, on their way back, the last ones.
TEST_F(OutFolder, ARunThatAKillLeftInTwoPlacesIsPutTogetherAgain) {
  expect_done(train_into("a"));
  const auto before = contents();
  const fs::path run = folder_ / "a", aside = run / "before-force";
  const std::vector<fs::path> files = run_files_in(run);
  ASSERT_GE(files.size(), 7u);
  for (std::size_t moved = 0; moved <= files.size(); ++moved) {
    fs::create_directories(aside / "splits");
    write_text(aside / "moving", "");
    for (std::size_t i = 0; i < moved; ++i) fs::rename(run / files[i], aside / files[i]);
    SCOPED_TRACE(moved);
    expect_refused({"report", run.string(), "--out", folder_ / "page.html"},
                   {"a: a program was killed", "before-force"}, 65);
    expect_refused(train_into("a"), {"a holds a finished run"});
    if (moved % 2 == 0) {
      set_aside(run);
      EXPECT_EQ(run_files_in(run), std::vector<fs::path>());
      EXPECT_EQ(run_files_in(aside), files);
      bring_back(run);
    } else {
      EXPECT_EQ(run_program(train_into("a", {"--force", "--lr", "1e30"})).code, 65) << "diverges";
    }
    EXPECT_EQ(contents(), before);
  }
}

TEST_F(OutFolder, AFinalModelIsNotRemovedWithoutAWord) {
  expect_done(train_into("a", {"--final"}));
  expect_refused(train_into("a", {"--resume"}), {"a/final.safetensors", "--final"});
  expect_done(train_into("a", {"--resume", "--final"}));
  expect_done(compare_into("c"));
  expect_refused(compare_into("c", {"--resume", "--final", "none"}), {"/final.safetensors", "--final"});
  expect_done(compare_into("c", {"--resume"}));
}

TEST_F(OutFolder, AComparisonIsReplacedByForceAlone) {
  expect_done(compare_into("c"));
  expect_refused(compare_into("c"), {"c/mlp holds a finished run", "--force", "--resume"});
  fs::remove_all(folder_ / "c/mlp");
  expect_refused(compare_into("c"), {"c/gcn holds a finished run"});
  expect_done(compare_into("c", {"--resume"}));
  const std::string before = scores("c/gcn");
  auto other = compare_into("c", {"--force"});
  other[4] = "5";
  expect_done(other);
  EXPECT_NE(scores("c/gcn"), before);
}

TEST_F(OutFolder, AFinishedRunKeepsItsSplits) {
  expect_done(train_into("a"));
  auto fewer = train_into("a", {"--resume"}), more = fewer;
  fewer[6] = "1";
  expect_refused(fewer, {"a has splits 0,1 ", "--splits", "another --out"});
  more[6] = "2,0,1";
  expect_done(more);
  expect_refused(train_into("a", {"--resume"}), {"a has splits 0,1,2 "});
  fs::remove(folder_ / "a/result.json");  // nothing that could be cut
  expect_done(train_into("a", {"--resume"}));
}

TEST_F(OutFolder, ARunAndAComparisonDoNotShareIt) {
  expect_done(train_into("a"));
  expect_done(compare_into("c"));
  for (const char* more : {"--quiet", "--resume", "--force"}) {
    expect_refused(compare_into("a", {more}), {"a holds a single run", "another --out"});
    expect_refused(train_into("c", {more}), {"c holds a comparison (mlp gcn logreg)", "another --out"});
  }
  write_text(folder_ / "d/mlp/result.json", "mine");
  expect_done(train_into("d"));
}

TEST_F(OutFolder, AComparisonKeepsItsModels) {
  expect_done(compare_into("c"));
  auto fewer = compare_into("c", {"--resume"}), more = fewer, replaced = compare_into("c", {"--force"});
  fewer[2] = replaced[2] = "mlp";
  expect_refused(fewer, {"c also holds gcn", "--models mlp,gcn", "another --out"});
  more[2] = "gcn,gcnh,mlp";
  expect_done(more);
  expect_done(replaced);
  EXPECT_EQ(compared_models(folder_ / "c"), (std::vector<std::string>{"mlp", "logreg"}));
  EXPECT_EQ(fs::path(model_file(folder_ / "c")), fs::path(folder_ / "c/mlp/final.safetensors"));
  for (const char* other : {"gcn", "gcnh"}) EXPECT_FALSE(fs::exists(folder_ / "c" / other)) << other;
}

TEST_F(OutFolder, AnUnfinishedComparisonIsContinuedOrReplaced) {
  expect_done(compare_into("c"));
  fs::remove(folder_ / "c/report.html");
  fs::remove_all(folder_ / "c/gcn");  // as a kill would have left it
  expect_refused(compare_into("c"), {"c holds an unfinished comparison; add --resume to continue it or --force"});
  expect_done(compare_into("c", {"--resume"}));
}

TEST_F(OutFolder, ASecondProgramIsRefused) {
  expect_done(train_into("a"));
  expect_done(compare_into("c"));
  {
    const FolderLock a(folder_ / "a"), c(folder_ / "c");
    for (const char* flag : {"--resume", "--force"}) {
      expect_refused(train_into("a", {flag}), {"another gcnh is writing to", "/a'"}, 74);
      expect_refused(compare_into("c", {flag}), {"another gcnh is writing to", "/c'"}, 74);
    }
  }
  {
    const FolderLock model(folder_ / "c/gcn");
    expect_refused(compare_into("c", {"--force"}), {"another gcnh is writing to", "/c/gcn'"}, 74);
  }
  expect_done(train_into("a", {"--force"}));
  expect_done(compare_into("c", {"--force"}));
}

TEST_F(OutFolder, DamagedCheckpointsAreRefused) {
  expect_done(train_into("a"));
  const fs::path path = folder_ / "a/splits/split-0.safetensors";
  Tensors file = read_safetensors(path);
  for (const char* key : {"gcnh.run", "gcnh.split"}) {
    Tensors deep = file;
    deep.metadata[key] = std::string(200'000, '[') + std::string(200'000, ']');
    write_safetensors(path, deep);
    expect_refused(train_into("a", {"--resume"}), {"split-0.safetensors", key, "nested deeper"}, 65);
  }
}

// The id of a process that is no more.
pid_t dead_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

TEST_F(OutFolder, WhatAKillLeftOfAFileIsRemovedAndNothingElse) {
  const std::string dead = ".tmp-" + std::to_string(dead_process()) + "-0";
  const std::string alive = ".tmp-" + std::to_string(getpid()) + "-0";
  const std::vector<std::string> stale = {"a/result.json" + dead, "a/map.csv" + dead,
                                          "a/splits/split-1.safetensors" + dead};
  const std::vector<std::string> foreign = {"a/notes.txt" + dead,    "a/result.json" + alive, "a/result.json.tmp-mine",
                                            "a/splits/x" + dead,     "a/result.json.tmp-1",   "a/result.json.tmp-7-x",
                                            "a/result.json.tmp--4-0"};
  for (const auto& names : {stale, foreign})
    for (const std::string& name : names) write_text(folder_ / name, "mine");
  fs::create_directory(folder_ / ("a/curves.jsonl" + dead));
  expect_done(train_into("a"));
  for (const std::string& name : stale) EXPECT_FALSE(fs::exists(folder_ / name)) << name;
  for (const std::string& name : foreign) EXPECT_TRUE(fs::exists(folder_ / name)) << name;
  EXPECT_TRUE(fs::is_directory(folder_ / ("a/curves.jsonl" + dead)));
  for (const std::string& name : {"c/report.html" + dead, "c/mlp/data.json" + dead}) write_text(folder_ / name, "");
  expect_done(compare_into("c"));
  EXPECT_FALSE(fs::exists(folder_ / ("c/report.html" + dead)));
  EXPECT_FALSE(fs::exists(folder_ / ("c/mlp/data.json" + dead)));
}

}  // namespace
}  // namespace gcnh::testing
