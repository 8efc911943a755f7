// No command replaces a file that it reads, nor one of somebody else unless told to.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

namespace fs = std::filesystem;

class Outputs : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string nodes = "id,label,x\n", edges = "source,target\n";
    for (int i = 0; i < 40; ++i) {
      nodes += "n" + std::to_string(i) + (i % 2 ? ",a," : ",b,") + std::to_string(i % 2 + i % 3) + "\n";
      edges += "n" + std::to_string(i) + ",n" + std::to_string((i + 1) % 40) + "\n";
    }
    write_text(at("nodes.csv"), nodes);
    write_text(at("edges.csv"), edges);
  }
  std::string at(const std::string& name) const { return folder_ / name; }
  std::vector<std::string> on_data(std::vector<std::string> args, const std::string& nodes = "nodes.csv") const {
    for (const std::string& word : {std::string("--nodes"), at(nodes), std::string("--edges"), at("edges.csv")})
      args.push_back(word);
    return args;
  }
  std::vector<std::string> train_args(const std::string& nodes = "nodes.csv") const {
    return on_data({"train", "--model", "mlp", "--epochs", "2", "--splits", "0", "--quiet", "--out", at("run")}, nodes);
  }
  std::vector<std::string> tune_args(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = on_data({"tune", "--models", "mlp", "--axis", "epochs=2", "--axis", "hidden=4",
                                             "--splits", "0", "--quiet", "--out", at(out)});
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      if (entry.is_regular_file()) out[entry.path().string()] = slurp(entry.path());
    return out;
  }
  // The program must say these words and leave every file as it is.
  void expect_refused(const std::vector<std::string>& args, const std::string& words) const {
    const auto before = contents();
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 2) << a.out << a.err;
    EXPECT_NE(a.err.find(words), std::string::npos) << words << ": " << a.err;
    EXPECT_EQ(contents(), before);
  }
  static void expect_done(const std::vector<std::string>& args) {
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 0) << a.err;
  }

  TempDir folder_;
};

TEST_F(Outputs, AReportReplacesReportsAlone) {
  expect_done(train_args());
  const std::string run = at("run");
  expect_done({"report", run});
  expect_done({"report", run});
  for (const char* file : {"result.json", "predictions.csv"}) {
    expect_refused({"report", run, "--out", run + "/" + file}, "is a file of a run");
    expect_refused({"report", run, "--out", run + "/" + file, "--force"}, "is a file of a run");
  }
  expect_refused({"report", run, "--out", at("nodes.csv")}, "is there already and no report of gcnh; --force");
  write_text(run + "/report.html", "<!DOCTYPE html>\n<html>mine</html>\n");
  expect_refused({"report", run}, "is there already and no report of gcnh; --force");
  expect_done({"report", run, "--force"});
  EXPECT_EQ(slurp(run + "/report.html").find("mine"), std::string::npos);
  expect_done({"report", run, "--out", at("new.html")});
}

TEST_F(Outputs, FiguresAndTablesAreReplacedByForceAlone) {
  expect_done(train_args());
  for (const char* flag : {"--figures", "--tables"}) {
    const std::vector<std::string> args = {"report", at("run"), flag, at("parts")};
    expect_done(args);
    expect_refused(args, "is there already; --force replaces it");
    std::vector<std::string> forced = args;
    forced.push_back("--force");
    expect_done(forced);
    fs::remove_all(at("parts"));
  }
}

TEST_F(Outputs, ASearchReplacesNothingThatItReads) {
  write_text(at("s/mlp.toml"), "lr = [0.01, 0.02]\n");
  expect_refused(tune_args("s", {"--grid", at("s/mlp.toml")}), "mlp.toml' is a file that is read");
  write_text(at("s/mlp.toml"), "lr = 0.02\n");
  expect_refused(tune_args("s", {"--config", at("s/mlp.toml")}), "mlp.toml' is a file that is read");
}

TEST_F(Outputs, ASearchReplacesNothingOfOthers) {
  for (const char* name : {"mlp.toml", "mlp.json", "report.html"}) {
    write_text(folder_ / "s" / name, "mine");
    expect_refused(tune_args("s"), "is there already, and the search would replace it");
    fs::remove(folder_ / "s" / name);
  }
  expect_done(tune_args("s"));
  expect_done(tune_args("s"));
}

TEST_F(Outputs, ASearchKeepsOutOfRunsAndComparisons) {
  expect_done(train_args());
  expect_refused(tune_args("run"), "run holds a run; take another --out");
  fs::create_directory(at("c"));
  fs::rename(at("run"), at("c/mlp"));
  expect_refused(tune_args("c"), "c holds a comparison; take another --out");
}

TEST_F(Outputs, ARunReplacesNothingThatItReads) {
  fs::create_directory(at("run"));
  fs::rename(at("nodes.csv"), at("run/predictions.csv"));
  std::vector<std::string> args = train_args("run/predictions.csv");
  for (const char* flag : {"--force", "--resume"}) {
    args.push_back(flag);
    expect_refused(args, "predictions.csv' is a file that is read");
    args.pop_back();
  }
  fs::create_directory(at("c"));
  for (const char* model : {"mlp", "majority"}) {
    fs::create_directory(folder_ / "c" / model);
    fs::copy_file(at("run/predictions.csv"), folder_ / "c" / model / "predictions.csv");
    expect_refused(on_data({"compare", "--models", "mlp", "--epochs", "2", "--splits", "0", "--no-tune", "--quiet",
                            "--force", "--out", at("c")},
                           std::string("c/") + model + "/predictions.csv"),
                   "predictions.csv' is a file that is read");
  }
}

TEST_F(Outputs, AComparisonReplacesNothingThatItReads) {
  for (const char* name : {"report.html", "journal.jsonl"}) {
    fs::create_directories(at("c"));
    fs::copy_file(at("nodes.csv"), folder_ / "c" / name);
    for (const char* flag : {"--force", "--resume"})
      expect_refused(
          on_data({"compare", "--models", "mlp", "--epochs", "2", "--splits", "0", "--quiet", flag, "--out", at("c")},
                  std::string("c/") + name),
          std::string(name) + "' is a file that is read");
    fs::remove_all(at("c"));
  }
}

TEST_F(Outputs, ASearchReplacesFilesByForceAlone) {
  for (const char* name : {"mlp.toml", "report.html"}) write_text(folder_ / "s" / name, "mine");
  write_text(at("s/other.toml"), "mine");
  expect_refused(tune_args("s"), "or add --force");
  expect_done(tune_args("s", {"--force"}));
  EXPECT_NE(slurp(at("s/mlp.toml")), "mine");
  EXPECT_EQ(slurp(at("s/other.toml")), "mine");
  write_text(at("s/journal.jsonl"), "mine\n");
  const Answer a = run_program(tune_args("s"));
  EXPECT_EQ(a.code, 65) << a.err;
  expect_done(tune_args("s", {"--force"}));
  EXPECT_EQ(slurp(at("s/journal.jsonl.old")), "mine\n");
}

TEST_F(Outputs, PredictionsReplaceNoListOfIds) {
  expect_done(train_args());
  write_text(at("ids"), "n1\n");
  expect_refused(on_data({"predict", "--model", at("run/model.safetensors"), "--only", at("ids"), "--out", at("ids")}),
                 "is a file that is read");
}

TEST_F(Outputs, PredictionsReplaceAFileByForceAlone) {
  expect_done(train_args());
  const std::vector<std::string> args = on_data({"predict", "--model", at("run"), "--quiet", "--out", at("p.csv")});
  std::vector<std::string> forced = args;
  forced.push_back("--force");
  write_text(at("p.csv"), "mine");
  expect_refused(args, "p.csv' is there already; --force replaces it");
  expect_done(forced);
  EXPECT_NE(slurp(at("p.csv")), "mine");
  write_text(at("c.toml"), "force = true\nout = \"" + at("c.toml") + "\"\n");
  expect_refused(on_data({"predict", "--model", at("run"), "--config", at("c.toml")}),
                 "c.toml' is a file that is read");
}

TEST_F(Outputs, NothingTakesThePlaceOfAFileOfARun) {
  expect_done(train_args());
  const std::string run = at("run");
  for (const char* file : {"result.json", "map.csv", "final.safetensors", "splits/split-0.safetensors"}) {
    const std::string path = run + "/" + file;
    const std::string words = std::string(file) + "' is a file of a run";
    expect_refused(on_data({"predict", "--model", run, "--force", "--out", path}), words);
    expect_refused(on_data({"update", "--model", run, "--force", "--out", path}), words);
    expect_refused(on_data({"explain", "n1", "--model", run, "--force", "--svg", path}), words);
    expect_refused(on_data({"data", "split", "--force", "--out", path}), words);
    expect_refused({"report", run, "--force", "--out", path}, words);
    expect_refused({"synth", "--nodes", "100", "--force", "--out", path}, words);
  }
  expect_refused(on_data({"embed", "--model", run, "--force", "--out", run + "/map.csv"}), "is a file of a run");
  expect_done(on_data({"predict", "--model", run, "--quiet", "--out", run + "/answers.csv"}));
}

// Devices and open files are others' as well: renaming a file to /dev/stdout would take it from everybody.
TEST_F(Outputs, LinksToDevicesAndOpenFilesStay) {
  expect_done(train_args());
  fs::create_symlink("/proc/self/fd/1", at("open"));
  fs::create_symlink("open", at("link"));
  fs::create_symlink("/dev/null", at("device"));
  for (const char* name : {"open", "link", "device"}) {
    const std::string words = std::string(name) + "' leads to a device or an open file";
    expect_refused(on_data({"predict", "--model", at("run"), "--force", "--out", at(name)}), words);
    expect_refused(on_data({"update", "--model", at("run"), "--force", "--out", at(name)}), words);
    expect_refused({"report", at("run"), "--force", "--out", at(name)}, words);
    EXPECT_TRUE(fs::is_symlink(at(name)));
  }
  fs::create_symlink("new.csv", at("plain"));
  expect_done(on_data({"predict", "--model", at("run"), "--quiet", "--force", "--out", at("plain")}));
}

TEST_F(Outputs, AMadeGraphReplacesAFileByForceAlone) {
  const std::vector<std::string> args = {"synth", "--nodes", "100", "--out", at("g.npz")};
  std::vector<std::string> forced = args;
  forced.push_back("--force");
  write_text(at("g.npz"), "mine");
  expect_refused(args, "g.npz' is there already; --force replaces it");
  expect_done(forced);
  forced.insert(forced.end(), {"--source", at("g.npz")});
  expect_refused(forced, "g.npz' is a file that is read");
}

// Exit code 74, with the path and the reason.
TEST_F(Outputs, FileTroubleIsNoInternalError) {
  const std::string loop = at("loop"), longest = at(std::string(300, 'x'));
  fs::create_symlink(loop, loop);
  for (const auto& [path, reason] : {std::pair(loop, "symbolic links"), std::pair(longest, "name too long")})
    for (const std::vector<std::string>& args : {on_data({"compare", "--quiet", "--out", path}),
                                                 {"report", path},
                                                 {"inspect", "--data", path},
                                                 {"models", "--data", path}}) {
      const Answer a = run_program(args);
      EXPECT_EQ(a.code, 74) << args[0] << ": " << a.err;
      EXPECT_NE(a.err.find(path), std::string::npos) << args[0] << ": " << a.err;
      EXPECT_NE(a.err.find(reason), std::string::npos) << args[0] << ": " << a.err;
    }
}

}  // namespace
}  // namespace gcnh::testing
