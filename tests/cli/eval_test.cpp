// gcnh eval: the scores of a model file on labelled data, and what it was trained on.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

// 60 nodes in a ring, classes a and b by turns, which `spend` tells apart for all but every tenth. The last six have no
// label.
class Eval : public ::testing::Test {
 protected:
  void SetUp() override {
    write_tables("a", "b");
    const Answer a = run({"train", "--model", "mlp", "--epochs", "80", "--splits", "0", "--quiet", "--out", run_});
    ASSERT_EQ(a.code, 0) << a.err;
  }
  void write_tables(const std::string& first, const std::string& second) {
    std::ostringstream nodes, edges;
    nodes << "id,label,spend\n";
    edges << "source,target\n";
    for (int i = 0; i < 60; ++i) {
      const bool is_first = i % 2 == 0, odd_one = i % 10 == 0;
      nodes << "n" << i << ','
            << (i >= 54    ? ""
                : is_first ? first
                           : second)
            << ',' << (is_first != odd_one ? 90 + i % 9 : 10 + i % 11) << "\n";
      edges << "n" << i << ",n" << (i + 1) % 60 << "\n";
    }
    write_text(folder_ / "nodes.csv", nodes.str());
    write_text(folder_ / "edges.csv", edges.str());
  }
  Answer run(std::vector<std::string> args) const {
    for (const std::string& word : {std::string("--nodes"), (folder_ / "nodes.csv").string(), std::string("--edges"),
                                    (folder_ / "edges.csv").string()})
      args.push_back(word);
    return run_program(args);
  }
  json scores(const std::vector<std::string>& more = {}, const std::string& model = "") const {
    std::vector<std::string> args = {"eval", "--json", "--quiet", "--model", model.empty() ? run_ : model};
    args.insert(args.end(), more.begin(), more.end());
    const Answer a = run(args);
    EXPECT_EQ(a.code, 0) << a.err;
    return json::parse(a.out);
  }
  // The test nodes of the run, from its map.
  std::string test_nodes() const {
    std::istringstream map(slurp(run_ + "/map.csv"));
    std::string out;
    for (std::string line; std::getline(map, line);)
      if (line.find(",test,") != std::string::npos) out += line.substr(0, line.find(',')) + "\n";
    return out;
  }

  TempDir folder_;
  const std::string run_ = folder_ / "run";
};

TEST_F(Eval, ScoresTheTestNodesAsTheRunDid) {
  write_text(folder_ / "held_out", test_nodes());
  const json found = scores({"--only", folder_ / "held_out"}), result = json::parse(slurp(run_ + "/result.json"));
  EXPECT_EQ(found["metrics"], result["splits"][0]["test"]);
  EXPECT_EQ(found["trained"], 0);
  EXPECT_EQ(found["validated"], 0);
  EXPECT_EQ(found["classes"][0]["support"].get<double>(), result["classes"][0]["support"]["mean"].get<double>());
  EXPECT_EQ(found["classes"][1]["recall"], result["classes"][1]["recall"]["mean"]);
}

TEST_F(Eval, TellsWhichNodesFlatterTheModel) {
  const json all = scores();
  EXPECT_EQ(all["nodes"], 54);
  EXPECT_EQ(all["unlabelled"], 6);
  EXPECT_GT(all["trained"].get<int>(), 20);
  EXPECT_GT(all["validated"].get<int>(), 10);
  EXPECT_EQ(all["unknown"], 0);
  int sum = 0;
  for (const json& row : all["confusion"])
    for (const json& count : row) sum += count.get<int>();
  EXPECT_EQ(sum, 54);
  std::filesystem::copy_file(run_ + "/model.safetensors", folder_ / "alone.safetensors");
  const json alone = scores({}, folder_ / "alone.safetensors");
  EXPECT_TRUE(alone["trained"].is_null() && alone["validated"].is_null());
  EXPECT_EQ(alone["unknown"], 54);
  EXPECT_EQ(alone["metrics"], all["metrics"]);
  const Answer text = run({"eval", "--model", folder_ / "alone.safetensors"});
  for (const char* part : {"54 nodes scored", "6 without a label", "nothing tells", "\naccuracy ", "\nclass ", "\na "})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
}

TEST_F(Eval, ClassesGoByTheirNames) {
  const json before = scores();
  write_tables("b", "a");  // the other way round, so the data numbers them differently
  const json after = scores();
  EXPECT_NEAR(after["metrics"]["accuracy"].get<double>(), 1 - before["metrics"]["accuracy"].get<double>(), 1e-12);
  write_tables("a", "c");
  const json strange = scores();
  EXPECT_EQ(strange["nodes"], 27);
  EXPECT_EQ(strange["unlabelled"], 33);
  EXPECT_TRUE(strange["metrics"]["roc_auc"].is_null()) << "a single class";
  const Answer text = run({"eval", "--model", run_});
  EXPECT_NE(text.err.find("27 nodes of classes that the model does not know: c"), std::string::npos);
  EXPECT_NE(text.out.find("ROC-AUC                  -\n"), std::string::npos) << "nothing is not a percentage";
}

TEST_F(Eval, NewNodesAreKnownToBeNew) {
  const json before = scores();
  std::ostringstream nodes, edges;
  nodes << slurp(folder_ / "nodes.csv");
  edges << slurp(folder_ / "edges.csv");
  for (int i = 0; i < 5; ++i) {
    nodes << "fresh" << i << (i % 2 == 0 ? ",a," : ",b,") << 40 + i << "\n";
    edges << "fresh" << i << ",n" << i << "\n";
  }
  write_text(folder_ / "nodes.csv", nodes.str());
  write_text(folder_ / "edges.csv", edges.str());
  const json grown = scores();
  EXPECT_EQ(grown["nodes"], 59);
  EXPECT_EQ(grown["trained"], before["trained"]);
  EXPECT_EQ(grown["new"], 5);
  EXPECT_EQ(grown["unknown"], 0);
  const json alone = scores({"--only", "fresh0,fresh1"});
  EXPECT_EQ(alone["trained"], 0);
  EXPECT_EQ(alone["new"], 2);
  const std::string text = run({"eval", "--model", run_, "--quiet", "--only", "fresh0"}).out;
  EXPECT_NE(text.find("new to the model"), std::string::npos) << text;
}

// The file of a final model has them, wherever it is.
TEST_F(Eval, AFinalModelAloneKnowsWhichNodesAreNew) {
  ASSERT_EQ(
      run({"train", "--epochs", "5", "--num-splits", "2", "--final", "refit", "--quiet", "--out", folder_ / "f"}).code,
      0);
  const std::string moved = folder_ / "moved.safetensors";
  std::filesystem::copy_file(folder_ / "f/final.safetensors", moved);
  EXPECT_TRUE(scores({}, moved)["trained"].is_null()) << "which of them were trained on is not known";
  write_text(folder_ / "nodes.csv", slurp(folder_ / "nodes.csv") + "fresh,a,50\n");
  EXPECT_EQ(scores({}, moved)["new"], 1);
  const std::string text = run({"eval", "--model", moved, "--quiet", "--only", "fresh"}).out;
  EXPECT_NE(text.find("all of them are new to the model"), std::string::npos) << text;
}

// Its features are scaled by all labels, those of the map by a split's, so that only ids tell who is who.
TEST_F(Eval, AFinalModelRecognisesItsNodesInAGraphThatChanged) {
  const std::string nodes = slurp(folder_ / "nodes.csv"), edges = slurp(folder_ / "edges.csv");
  for (const char* kind : {"refit", "ensemble"}) {
    const std::string final = folder_ / kind, moved = folder_ / (std::string(kind) + ".safetensors");
    write_text(folder_ / "nodes.csv", nodes);
    write_text(folder_ / "edges.csv", edges);
    ASSERT_EQ(run({"train", "--epochs", "5", "--num-splits", "8", "--final", kind, "--quiet", "--out", final}).code, 0);
    std::filesystem::copy_file(final + "/final.safetensors", moved);
    write_text(folder_ / "edges.csv", edges.substr(0, edges.rfind('n', edges.rfind(','))));
    EXPECT_EQ(scores({}, final)["trained"], 54) << kind << ": an edge less";
    write_text(folder_ / "nodes.csv", nodes + "fresh,a,50\n");
    const json grown = scores({}, final), alone = scores({}, moved);
    EXPECT_EQ(grown["trained"], 54) << kind;
    EXPECT_EQ(grown["new"], 1) << kind;
    EXPECT_EQ(grown["unknown"], 0) << kind;
    EXPECT_EQ(scores({"--only", "n1,n2,fresh"}, final)["trained"], 2) << kind;
    EXPECT_TRUE(alone["trained"].is_null() && alone["validated"].is_null()) << kind;
    EXPECT_EQ(alone["new"], 1) << kind;
    EXPECT_EQ(alone["unknown"], 54) << kind;
    const std::string text = run({"eval", "--model", final, "--quiet"}).out;
    EXPECT_NE(text.find("flattering"), std::string::npos) << text;
    EXPECT_NE(text.find("is new to it"), std::string::npos) << text;
    EXPECT_NE(run({"eval", "--model", moved, "--quiet"}).out.find("nothing tells"), std::string::npos) << kind;
  }
}

// Where every node had a label, the file alone tells that each was trained on.
TEST_F(Eval, AFinalModelOfLabelledNodesAloneKnowsThatItWasTrainedOnThem) {
  std::istringstream lines(slurp(folder_ / "nodes.csv"));
  std::string labelled;
  for (std::string line; std::getline(lines, line);)
    labelled += line.insert(line.find(",,") == std::string::npos ? 0 : line.find(",,") + 1,
                            line.find(",,") == std::string::npos ? "" : "a") +
                "\n";
  write_text(folder_ / "nodes.csv", labelled);
  ASSERT_EQ(
      run({"train", "--epochs", "5", "--num-splits", "2", "--final", "refit", "--quiet", "--out", folder_ / "f"}).code,
      0);
  const std::string moved = folder_ / "moved.safetensors";
  std::filesystem::copy_file(folder_ / "f/final.safetensors", moved);
  write_text(folder_ / "nodes.csv", labelled + "fresh,a,50\n");
  const json found = scores({}, moved);
  EXPECT_EQ(found["trained"], 60);
  EXPECT_EQ(found["new"], 1);
}

TEST_F(Eval, EqualIdsOfAnotherGraphAreOtherNodes) {
  std::ostringstream nodes, edges;
  nodes << "id,label,spend\n";
  edges << "source,target\n";
  for (int i = 0; i < 60; ++i) {
    nodes << "n" << i << (i % 3 == 0 ? ",a," : ",b,") << 30 + i * 7 % 31 << "\n";
    edges << "n" << i << ",n" << (i + 7) % 60 << "\n";
  }
  write_text(folder_ / "nodes.csv", nodes.str());
  write_text(folder_ / "edges.csv", edges.str());
  const json other = scores();
  EXPECT_EQ(other["trained"], 0);
  EXPECT_EQ(other["validated"], 0);
  EXPECT_EQ(other["new"], 60);
  EXPECT_EQ(other["unknown"], 0);
}

TEST_F(Eval, AFolderThatLostItsDataTellsLess) {
  std::filesystem::remove(run_ + "/data.json");
  write_text(folder_ / "nodes.csv", slurp(folder_ / "nodes.csv") + "fresh,a,50\n");
  const json found = scores();
  EXPECT_EQ(found["new"], 0);
  EXPECT_EQ(found["unknown"], 1) << "the map may be a sample";
  write_text(run_ + "/data.json", "{");
  const Answer broken = run({"eval", "--model", run_});
  EXPECT_EQ(broken.code, 65);
  EXPECT_NE(broken.err.find("data.json: not of a run"), std::string::npos) << broken.err;
}

TEST_F(Eval, NamesOfClassesStayInTheirLines) {
  write_tables("\"a\nz\"", "\"b\tc\"");
  const std::string other = folder_ / "other";
  const Answer trained = run({"train", "--model", "mlp", "--epochs", "2", "--splits", "0", "--quiet", "--out", other});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Answer a = run({"eval", "--model", other, "--quiet"});
  EXPECT_NE(a.out.find("\na?z    "), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("\nb?c    "), std::string::npos) << a.out;
  const Answer inspected = run({"inspect", "--quiet"});
  EXPECT_NE(inspected.out.find("2:  a?z (27)  b?c (27)"), std::string::npos) << inspected.out;
}

TEST_F(Eval, NamesOfClassesDoNotSteerTheTerminal) {
  write_tables("a\x1b[31m", "b");
  const std::string other = folder_ / "other";
  const Answer trained = run({"train", "--model", "mlp", "--epochs", "2", "--splits", "0", "--quiet", "--out", other});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Answer a = run({"eval", "--model", other, "--quiet"});
  EXPECT_EQ(a.out.find('\x1b'), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("\na?[31m  "), std::string::npos) << a.out;
}

TEST_F(Eval, RefusesWhatCannotBeScored) {
  const Answer missing = run({"eval", "--model", folder_ / "run", "--only", "n3,nobody"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("node 'nobody' is not in"), std::string::npos) << missing.err;
  for (const char* command : {"eval", "predict"}) {
    const Answer twice = run({command, "--model", folder_ / "run/model.safetensors", "--only", "n3,n4,n3"});
    EXPECT_EQ(twice.code, 2);
    EXPECT_NE(twice.err.find("--only: node 'n3' is given twice"), std::string::npos) << twice.err;
  }
  const Answer unlabelled = run({"eval", "--model", folder_ / "run", "--only", "n55,n56"});
  EXPECT_EQ(unlabelled.code, 65);
  EXPECT_NE(unlabelled.err.find("none of the 2 nodes has a label that the model knows (a b)"), std::string::npos)
      << unlabelled.err;
  const Answer folder = run({"eval", "--model", folder_.path()});
  EXPECT_EQ(folder.code, 74);
  EXPECT_NE(folder.err.find("without model.safetensors"), std::string::npos) << folder.err;
}

}  // namespace
}  // namespace gcnh::testing
