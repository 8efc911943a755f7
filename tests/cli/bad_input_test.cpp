// Bad input gets one line on stderr that names the place, the value and what is allowed, and the exit code of its kind.
#include <gtest/gtest.h>

#include <algorithm>

#include "gcnh/base/error.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

void expect_error(const std::vector<std::string>& args, int code, const std::vector<std::string>& words) {
  const Answer a = run_program(args);
  std::string title;
  for (const std::string& arg : args) title += arg + " ";
  SCOPED_TRACE(title + "\n" + a.err);
  EXPECT_EQ(a.code, code);
  EXPECT_EQ(a.out, "");
  EXPECT_EQ(std::count(a.err.begin(), a.err.end(), '\n'), 1) << "one line";
  for (const std::string& word : words) EXPECT_NE(a.err.find(word), std::string::npos) << word;
}

TEST(BadUsage, NamesWhatWasMeant) {
  expect_error({"train", "--model", "gcnn"}, 2, {"gcnn", "models: gcnh mlp gcn", "did you mean 'gcn"});
  expect_error({"train", "--epoch", "3"}, 2, {"--epoch", "did you mean '--epochs'"});
  expect_error({"trian"}, 2, {"trian", "did you mean 'train'"});
  expect_error({"train", "--epochs", "ten"}, 2, {"epochs", "ten", "whole number"});
  expect_error({"train", "--aggregation", "avg"}, 2, {"aggregation", "avg", "sum mean max"});
  expect_error({"train", "--model", "mlp", "--aggregation", "sum"}, 2, {"mlp", "--aggregation", "--hidden"});
  expect_error({"train", "--beta", "1.5"}, 2, {"beta", "1.5", "0..1"});
  expect_error({"train", "--dropout", "1"}, 2, {"dropout"});
  expect_error({"train", "--layers", "0"}, 2, {"layers", "below 1"});
  expect_error({"train", "--batch", "-3"}, 2, {"batch", "below 1"});
  expect_error({"train", "--splits", "0,99"}, 2, {"99", "0..9"});
  expect_error({"train", "--splits", "3,1,3"}, 2, {"splits", "3 is listed twice"});
  expect_error({"compare", "--models", "mlp,gcn,mlp"}, 2, {"--models", "'mlp' is listed twice"});
  expect_error({"compare", "--heads", "4"}, 2,
               {"none of the models gcnh, gcn, mlp has an option --heads; their options: "});
  expect_error({"train", "--epochs", "0"}, 2, {"epochs", "below 1"});
  expect_error({"train", "--lr", "0"}, 2, {"lr", "not above 0"});
  expect_error({"train", "--weight-decay", "-1"}, 2, {"--weight-decay: -1 is below 0"});
  expect_error({"train", "--patience", "-1"}, 2, {"--patience: -1 is below 0; 0 trains all epochs"});
  expect_error({"train", "--threads", "-1"}, 2, {"--threads", "-1", "0 to 4096"});
  expect_error({"tune", "--trials", "-1", "--out", "never-made"}, 2, {"--trials", "below 0"});
  expect_error({}, 2, {"no command", "train compare tune", "--help"});
  expect_error({"inspect", "--data", "/dev/null"}, 2,
               {"/dev/null: a graph is a file or a folder", "--nodes or --edges"});
  expect_error({"data", "lst"}, 2, {"unknown command 'lst'; commands: list show", "did you mean 'list'?"});
  expect_error({"data"}, 2, {"no command; commands: list show split convert; gcnh data --help"});
  expect_error({"train", "--view", "papr"}, 2, {"papr", "clean paper"});
  expect_error({"train", "--select", "f1"}, 2, {"select", "accuracy loss"});
  expect_error({"train", "--batch", "ful"}, 2,
               {"--batch: 'ful' is neither a whole number nor one of: full; did you mean 'full'?"});
  expect_error({"tune", "--method", "random", "--out", "never-made"}, 2, {"--method: random needs --trials"});
  expect_error({"tune", "--method", "guess", "--out", "never-made"}, 2, {"--method", "grid random halving"});
  expect_error({"train", "--recipe", "paper"}, 2, {"recipe", "synthetic"});
  expect_error({"train", "--engine", "fused", "--model", "gcn"}, 2, {"engine"});
  expect_error({"train", "--nodes", "n.csv"}, 2, {"--edges"});
  expect_error({"train", "--ratio", "50/50"}, 2, {"--ratio", "48/32/20"});
  expect_error({"inspect", "--data", "texs"}, 2, {"texs", "did you mean 'texas'"});
}

TEST(BadUsage, ListsOptionsOfSeveralModelsOnce) {
  const std::string message = run_program({"compare", "--heads", "4"}).err;
  EXPECT_NE(message.find(" --hidden"), std::string::npos) << message;
  EXPECT_EQ(message.find(" --hidden"), message.rfind(" --hidden")) << message;
}

TEST(BadFiles, MissingOnesAreFileTrouble) {
  expect_error({"inspect", "--data", "texas", "--data-dir", "/nonexistent-folder"}, 74,
               {"/nonexistent-folder", "GCNH_DATA"});
  expect_error({"inspect", "--data", "missing.npz"}, 74, {"missing.npz"});
  expect_error({"inspect", "--nodes", "no.csv", "--edges", "no.csv"}, 74, {"no.csv"});
  expect_error({"predict", "--model", "no.safetensors"}, 74, {"no.safetensors"});
  expect_error({"train", "--epochs", "1", "--splits", "0", "--out", "/proc/nowhere"}, 74, {"/proc/nowhere"});
}

// A valid pair of tables with one thing changed.
class BadCsv : public ::testing::Test {
 protected:
  void expect(const std::string& nodes, const std::string& edges, const std::vector<std::string>& words) {
    write_text(folder_ / "nodes.csv", nodes);
    write_text(folder_ / "edges.csv", edges);
    expect_error({"train", "--nodes", folder_ / "nodes.csv", "--edges", folder_ / "edges.csv"}, 65, words);
  }
  TempDir folder_;
};

TEST_F(BadCsv, NamesFileLineAndValue) {
  const std::string edges = "source,target\na,b\n";
  expect("id,label,x\na,1,2\na,2,3\n", edges, {"nodes.csv:3", "'a'", "line 2"});
  std::string nearly = "id,label,x\n";
  for (int i = 0; i < 30; ++i) nearly += join(i, ",1,", i == 17 ? "abc" : "0.5", "\n");
  expect(nearly, edges, {"nodes.csv:19", "'x'", "'abc' is not a number; numbers are written like 1234.5; --missing"});
  expect("id,label,x\na,1,2\nb,2\n", edges, {"nodes.csv:3", "2", "3"});
  expect("id,lable,x\na,1,2\n", edges, {"nodes.csv", "'label'", "did you mean 'lable'"});
  expect("id,label,x\na,,2\nb,,1\n", edges, {"nodes.csv", "label"});
  expect("id,label,x\na,1,2\nb,2,3\n", "source,target\na,z\n", {"edges.csv:2", "'z'", "nodes.csv"});
  expect("id,label,x\na,1,2\nb,2,3\n", "source,target\na\n", {"edges.csv:2"});
  expect("", edges, {"nodes.csv"});
  expect("id,label,x\na,caf\xE9,2\nb,2,3\n", edges, {"nodes.csv:2", "not UTF-8"});
  expect("id,label,x\na,1,2\nb,2,3\n", "from,to\na,b\n", {"edges.csv", "'source'", "from to", "--src"});
  expect("id,label\na,1\nb,2\n", edges, {"no features"});
  expect("id,label,x\na,1,2\nb,1,3\n", edges, {"single class"});
}

TEST_F(BadCsv, RandomSplitsOfDataThatBringsItsOwn) {
  write_text(folder_ / "nodes.csv", "id,label,x,set\na,1,2,train\nb,2,3,val\nc,1,0,test\n");
  write_text(folder_ / "edges.csv", "source,target\na,b\n");
  const std::vector<std::string> args = {
      "train",          "--nodes", folder_ / "nodes.csv", "--edges", folder_ / "edges.csv",
      "--split-column", "set",     "--num-splits",        "3"};
  expect_error(args, 2, {"'nodes' brings 1 split of its own;", "--num-splits"});
}

TEST_F(BadCsv, TooFewNodesForASplit) { expect("id,label,x\na,1,2\nb,2,3\n", "source,target\na,b\n", {"split"}); }

class BadGeomGcn : public ::testing::Test {
 protected:
  void expect(const std::string& nodes, const std::string& edges, const std::vector<std::string>& words) {
    write_text(folder_ / "out1_node_feature_label.txt", nodes);
    write_text(folder_ / "out1_graph_edges.txt", edges);
    expect_error({"inspect", "--data", folder_.path()}, 65, words);
  }
  TempDir folder_;
};

TEST_F(BadGeomGcn, NamesFileLineAndValue) {
  const std::string good = "node_id\tfeature\tlabel\n0\t1,0\t0\n1\t0,1\t1\n", edges = "0\t1\n";
  expect(good, "0\t7\n", {"out1_graph_edges.txt:1", "7", "0..1"});
  expect(good, "0\tx\n", {"out1_graph_edges.txt:1", "x"});
  expect(good, "", {"out1_graph_edges.txt: no edges"});
  expect(good, "node_id\tnode_id\n", {"out1_graph_edges.txt: no edges"});
  expect("node_id\tfeature\tlabel\n0\t1,0\t0\n1\t0\t1\n", edges, {"out1_node_feature_label.txt:3"});
  expect("node_id\tfeature\tlabel\n0\t1,0\n", edges, {"out1_node_feature_label.txt:2"});
  expect("node_id\tfeature\tlabel\n0\t1,0\t0\n0\t1,0\t0\n", edges, {"out1_node_feature_label.txt:3", "0"});
  expect("node_id\tfeature\tlabel\n0\t1,nan\t0\n", edges, {"out1_node_feature_label.txt:2", "nan"});
}

TEST(BadModelFile, IsRefused) {
  const TempDir folder;
  write_text(folder / "m.safetensors", "not a model");
  expect_error({"predict", "--model", folder / "m.safetensors"}, 65, {"m.safetensors"});
}

TEST(BadRun, NothingIsLeftBehind) {
  const TempDir folder;
  const std::string out = folder / "run";
  expect_error({"train", "--epochs", "x", "--out", out}, 2, {});
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(BadRun, ALossThatIsNotFiniteStopsIt) {
  expect_error({"train", "--lr", "1e30", "--splits", "0", "--epochs", "50", "--quiet"}, 65, {"not finite", "lr"});
}

}  // namespace
}  // namespace gcnh::testing
