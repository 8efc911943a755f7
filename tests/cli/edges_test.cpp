// Weights and direction of edges, and splits in files, as flags.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gcnh/base/error.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

class EdgeFlags : public ::testing::Test {
 protected:
  EdgeFlags() {
    std::string nodes = "id,label,x,y,first,second\n", edges = "source,target,w\n";
    for (int i = 0; i < 30; ++i) {
      const auto set = [](int k) { return k % 3 == 0 ? ",val" : k % 5 == 0 ? ",test" : ",train"; };
      nodes += join("n", i, i % 2 ? ",a," : ",b,", i % 5, ".5,", i * 7 % 11, ".5", set(i), set(i + 1), "\n");
      edges += join("n", i, ",n", (i * 7 + 1) % 30, ",", 1 + i % 3, "\n");
    }
    write_text(nodes_, nodes);
    write_text(edges_, edges);
  }
  Answer run(std::vector<std::string> args) const {
    args.insert(args.end(), {"--nodes", nodes_, "--edges", edges_, "--ignore", "first,second", "--quiet"});
    return run_program(args);
  }
  nlohmann::json train(std::vector<std::string> more) const {
    more.insert(more.begin(), {"train", "--epochs", "4", "--json"});
    const Answer a = run(more);
    EXPECT_EQ(a.code, 0) << a.err;
    return a.code == 0 ? nlohmann::json::parse(a.out) : nlohmann::json();
  }
  std::vector<double> losses(std::vector<std::string> more) const {
    const nlohmann::json result = train(std::move(more));
    std::vector<double> out;
    for (const auto& split : result["splits"]) out.push_back(split["val_loss"]);
    return out;
  }
  void expect_refused(const std::vector<std::string>& args, int code, const std::string& words) const {
    const Answer a = run(args);
    EXPECT_EQ(a.code, code) << a.err;
    EXPECT_NE(a.err.find(words), std::string::npos) << a.err;
  }
  TempDir folder_;
  std::string nodes_ = folder_ / "nodes.csv", edges_ = folder_ / "edges.csv";
};

TEST_F(EdgeFlags, DirectionIsToldAndChangesTheModel) {
  EXPECT_EQ(train({})["data"]["direction"], "both");
  EXPECT_EQ(train({"--directed"})["data"]["direction"], "in");
  EXPECT_EQ(losses({"--directed"}), losses({"--direction", "in"}));
  EXPECT_EQ(losses({}), losses({"--direction", "both"}));
  EXPECT_NE(losses({"--direction", "out"}), losses({"--direction", "in"}));
  EXPECT_NE(losses({"--direction", "out"}), losses({}));
  expect_refused({"train", "--direction", "up"}, 2, "--direction: unknown value 'up'; allowed: both out in separate");
  expect_refused({"compare", "--directed", "--models", "mlp,h2gcn"}, 2, "model 'h2gcn' takes every edge both ways");
  EXPECT_NE(run({"train", "--directed", "--epochs", "1"}).out.find("direction in)"), std::string::npos);
}

TEST_F(EdgeFlags, DirectionAndScaleAreTakenWhereverDataIsRead) {
  train({"--directed", "--splits", "0", "--out", folder_ / "run"});
  const std::string model = folder_ / "run";
  const std::vector<std::vector<std::string>> commands = {
      {"check"},
      {"inspect"},
      {"data", "split", "--out", folder_ / "s.csv", "--force"},
      {"data", "convert", "--to", folder_ / "g.npz", "--force"},
      {"predict", "--model", model},
      {"eval", "--model", model},
      {"embed", "--model", model, "--out", folder_ / "e.csv", "--force"},
      {"update", "--model", model},
      {"explain", "--model", model, "n1"}};
  for (const std::vector<std::string>& command : commands) {
    SCOPED_TRACE(command[0]);
    const bool has_model = command.size() > 1 && command[1] == "--model";
    const Answer plain = run(command);
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), command.begin(), command.end());
      return more;
    };
    const Answer directed = run(with({"--directed", "--scale", "auto"}));
    EXPECT_EQ(directed.code, plain.code) << directed.err;
    expect_refused(with({"--direction", "up"}), 2, "--direction: unknown value 'up'; allowed: both out in separate");
    if (!has_model) continue;
    EXPECT_EQ(directed.out, plain.out);
    expect_refused(with({"--direction", "both"}), 2, "--direction: the model was trained with direction in");
  }
}

TEST_F(EdgeFlags, PredictionTakesTheDirectionOfTheModel) {
  for (const char* direction : {"both", "out", "in"})
    train({"--direction", direction, "--splits", "0", "--out", folder_ / direction});
  const auto predict = [&](const char* direction) {
    const Answer a = run({"predict", "--model", folder_ / direction / "model.safetensors"});
    EXPECT_EQ(a.code, 0) << a.err;
    return a.out;
  };
  EXPECT_NE(predict("out"), predict("in"));
  EXPECT_NE(predict("out"), predict("both"));
}

TEST_F(EdgeFlags, WeightsAreToldAndPartOfTheContract) {
  EXPECT_EQ(train({})["data"]["weighted"], false);
  EXPECT_EQ(train({"--weight", "w", "--out", folder_ / "run"})["data"]["weighted"], true);
  EXPECT_NE(losses({"--weight", "w"}), losses({}));
  const std::string model = folder_ / "run" / "model.safetensors";
  EXPECT_EQ(run({"predict", "--model", model, "--weight", "w"}).code, 0);
  expect_refused({"predict", "--model", model}, 65, "was trained on edges with weights; --weight names their column");
  train({"--out", folder_ / "plain"});
  expect_refused({"predict", "--model", folder_ / "plain" / "model.safetensors", "--weight", "w"}, 65,
                 "was trained on edges without weights; leave --weight out");
  const Answer text = run({"inspect", "--weight", "w"});
  EXPECT_NE(text.out.find("weights            min 1  mean 2"), std::string::npos) << text.out;
  EXPECT_EQ(nlohmann::json::parse(run({"inspect", "--weight", "w", "--json"}).out)["weights"]["max"], 3);
  expect_refused({"train", "--weight", "source"}, 65, "holds node ids; --weight names another");
  const Answer known = run_program({"train", "--weight", "w"});
  EXPECT_EQ(known.code, 2);
  EXPECT_NE(known.err.find("--weight names a column of your own tables"), std::string::npos) << known.err;
}

TEST_F(EdgeFlags, WithoutEdgesNoWeightsAreNeeded) {
  train({"--weight", "w", "--splits", "0", "--out", folder_ / "run"});
  const std::string model = folder_ / "run" / "model.safetensors";
  write_text(edges_, "source,target,w\n");
  const Answer with = run({"predict", "--model", model, "--weight", "w"});
  const Answer without = run({"predict", "--model", model});
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_EQ(without.out, with.out);
}

TEST_F(EdgeFlags, AModelThatDoesNotReadWeightsSaysSo) {
  const std::vector<std::string> args = {"train",    "--nodes",  nodes_,     "--edges",      edges_,
                                         "--weight", "w",        "--ignore", "first,second", "--epochs",
                                         "1",        "--splits", "0",        "--model"};
  const auto notes = [&](const char* model) {
    std::vector<std::string> with = args;
    with.push_back(model);
    return run_program(with).err;
  };
  EXPECT_EQ(notes("gat"), "note: gat does not read edge weights\n");
  EXPECT_EQ(notes("gcn"), "");
  EXPECT_EQ(notes("mlp"), "");
  std::vector<std::string> max = args;
  max.insert(max.end(), {"gcnh", "--aggregation", "max"});
  EXPECT_EQ(run_program(max).err, "note: gcnh does not read edge weights with these options\n");
  EXPECT_EQ(losses({"--weight", "w", "--aggregation", "max"}), losses({"--aggregation", "max"}));
}

TEST_F(EdgeFlags, SplitColumnsAreSplits) {
  const nlohmann::json result = train({"--split-column", "first,second"});
  EXPECT_EQ(result["splits"].size(), 2u);
  EXPECT_EQ(losses({"--split-column", "first"})[0], result["splits"][0]["val_loss"]);
  EXPECT_NE(losses({"--split-column", "second,first"}), losses({"--split-column", "first,second"}));
  EXPECT_EQ(losses({"--split-column", "first,second", "--splits", "1"})[0], result["splits"][1]["val_loss"]);
}

TEST_F(EdgeFlags, SplitsAreWrittenAndReadAgain) {
  const std::string file = folder_ / "s.csv";
  Answer a = run({"data", "split", "--num-splits", "3", "--ratio", "50/25/25", "--out", file});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out, file + ": 3 splits of 30 nodes; the first: 15 train, 8 val, 7 test\n");
  EXPECT_EQ(losses({"--split-file", file}), losses({"--num-splits", "3", "--ratio", "50/25/25"}));
  expect_refused({"data", "split", "--split-column", "second", "--out", file}, 2, "is there already; --force");
  a = run({"data", "split", "--split-column", "second", "--out", file, "--force"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(losses({"--split-file", file}), losses({"--split-column", "second"}));
  expect_refused({"train", "--split-file", file, "--num-splits", "3"}, 2, "brings 1 split of its own");
  expect_refused({"train", "--split-file", file, "--split-column", "first"}, 2, "--split-file or --split-column");
  expect_refused({"data", "split", "--out", nodes_}, 2, "is a file that is read; name another one");
  expect_refused({"data", "split"}, 2, "--out");
  write_text(file, "id,s\nn1,train\nn31,val\n");
  expect_refused({"train", "--split-file", file}, 65, "s.csv:3: node 'n31' is not in nodes");
}

TEST_F(EdgeFlags, SplitsOfAKnownGraph) {
  const std::string file = folder_ / "s.csv";
  EXPECT_EQ(run_program({"data", "split", "--data", "synthetic", "--out", file}).code, 0);
  const auto results = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"train", "--epochs", "2", "--splits", "0,7", "--quiet", "--json"});
    const nlohmann::json all = nlohmann::json::parse(run_program(more).out);
    return std::pair(all["val_accuracy"], all["test_accuracy"]);
  };
  EXPECT_EQ(results({"--split-file", file}), results({}));
  EXPECT_EQ(run_program({"data", "split", "--num-splits", "9", "--out", file, "--force"}).code, 0);
  EXPECT_NE(results({"--split-file", file}), results({}));
}

}  // namespace
}  // namespace gcnh::testing
