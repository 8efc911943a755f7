// A run that is interrupted or killed continues to the same bits.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gcnh/io/safetensors.h"
#include "gcnh/models/model.h"
#include "gcnh/run/experiment.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

std::vector<std::string> args_for(const std::string& model, const std::string& out) {
  std::vector<std::string> args = {"train",
                                   "--model",
                                   model,
                                   "--epochs",
                                   "20",
                                   "--splits",
                                   "0,1",
                                   "--batch",
                                   "200",
                                   "--quiet",
                                   "--checkpoint-seconds",
                                   "0",
                                   "--threads",
                                   "2",
                                   "--out",
                                   out};
  if (has_option(model, "hidden")) args.insert(args.end(), {"--hidden", "16"});
  return args;
}

std::vector<std::string> resumed(std::vector<std::string> args) {
  args.push_back("--resume");
  return args;
}

TEST(Resume, KilledRunsEndWithTheSameBits) {
  for (const ModelType& type : model_types()) {
    SCOPED_TRACE(type.name);
    const TempDir folder;
    const std::string whole = folder / "whole", broken = folder / "broken";
    ASSERT_EQ(run_program(args_for(type.name, whole)).code, 0);
    run_and_signal(args_for(type.name, broken), SIGKILL, 60);
    for (int milliseconds : {40, 90, 150}) run_and_signal(resumed(args_for(type.name, broken)), SIGKILL, milliseconds);
    const Answer a = run_program(resumed(args_for(type.name, broken)));
    ASSERT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(slurp(folder / "whole" / "model.safetensors"), slurp(folder / "broken" / "model.safetensors"));
    EXPECT_EQ(slurp(folder / "whole" / "curves.jsonl"), slurp(folder / "broken" / "curves.jsonl"));
  }
}

TEST(Resume, CtrlCLeavesAResumableRun) {
  const TempDir folder;
  const std::string broken = folder / "broken";
  std::vector<std::string> long_run = args_for("gcnh", broken);
  const auto epochs = std::find(long_run.begin(), long_run.end(), "--epochs") + 1;
  *epochs = "3000";
  const std::filesystem::path checkpoint = folder / "broken" / "splits" / "split-0.safetensors";
  EXPECT_EQ(signal_once_written(long_run, SIGINT, checkpoint).code, 130);
  const Answer refused = run_program(long_run);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--resume"), std::string::npos) << refused.err;

  EXPECT_EQ(signal_once_written(resumed(long_run), SIGINT, checkpoint).code, 130);
  const Answer other = run_program(resumed(args_for("gcnh", broken)));
  EXPECT_EQ(other.code, 65) << "another number of epochs is another run";
  EXPECT_NE(other.err.find("epochs"), std::string::npos) << other.err;
}

TEST(Resume, AnInterruptedComparisonNamesTheFolderThatWasGiven) {
  const TempDir folder, output;
  const std::string out = folder / "c";
  const pid_t child = start_program(
      {"compare", "--models", "mlp,gcn", "--epochs", "10000000", "--hidden", "4", "--quiet", "--no-tune", "--out", out},
      output);
  while (!std::filesystem::exists(folder / "c/mlp/splits")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 130);
  const std::string error = slurp(output / "stderr");
  EXPECT_NE(error.find("continues in " + out + "\n"), std::string::npos) << error;
}

TEST(Resume, SecondsAreThoseOfAllTraining) {
  const TempDir folder;
  std::vector<std::string> args = args_for("mlp", folder / "run");
  *(std::find(args.begin(), args.end(), "--threads") + 1) = "1";
  ASSERT_EQ(run_program(args).code, 0);
  ASSERT_EQ(run_program(resumed(args)).code, 0);
  const auto result = nlohmann::json::parse(slurp(folder / "run" / "result.json"));
  double sum = 0;
  for (const auto& split : result["splits"]) sum += split["seconds"].get<double>();
  EXPECT_GE(result["seconds"].get<double>(), sum);
}

class ResumedTable : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string nodes = "id,label,x\n", edges = "source,target\n";
    for (int i = 0; i < 40; ++i) {
      nodes += std::to_string(i) + (i % 2 ? ",odd," : ",even,") + std::to_string(i % 3) + "\n";
      edges += std::to_string(i) + "," + std::to_string((i + 1) % 40) + "\n";
    }
    write_text(folder_ / "nodes.csv", nodes);
    write_text(folder_ / "edges.csv", edges);
  }
  std::vector<std::string> args(const std::string& model, const std::string& num_splits,
                                const std::string& scale = "auto") const {
    return {"train",
            "--nodes",
            folder_ / "nodes.csv",
            "--edges",
            folder_ / "edges.csv",
            "--model",
            model,
            "--epochs",
            "3",
            "--num-splits",
            num_splits,
            "--scale",
            scale,
            "--quiet",
            "--out",
            folder_ / "run"};
  }

  TempDir folder_;
};

TEST_F(ResumedTable, SaysFirstWhatMattersMost) {
  const Answer first = run_program(args("gcnh", "2"));
  ASSERT_EQ(first.code, 0) << first.err;
  const std::string model = run_program(resumed(args("mlp", "3"))).err;
  EXPECT_NE(model.find(R"(another run (model: "gcnh" there, "mlp" here))"), std::string::npos) << model;
  const std::string splits = run_program(resumed(args("gcnh", "4"))).err;
  EXPECT_NE(
      splits.find("(data: the tables, the view, the scaling, the number or the shares of the splits have changed"),
      std::string::npos)
      << splits;
}

TEST_F(ResumedTable, AnotherScaleOfItsColumnsIsAnotherRun) {
  ASSERT_EQ(run_program(args("mlp", "2")).code, 0);
  for (const char* scale : {"rows", "none", "largest"}) {
    const Answer a = run_program(resumed(args("mlp", "2", scale)));
    EXPECT_EQ(a.code, 65) << a.err;
    EXPECT_NE(a.err.find(std::string(R"(another run (scale: "auto" there, ")") + scale + "\" here)"), std::string::npos)
        << a.err;
  }
  EXPECT_EQ(run_program(resumed(args("mlp", "2"))).code, 0);
}

// Older versions did not write the scale of columns down.
TEST_F(ResumedTable, AnOlderRunIsContinuedWithTheScaleThatIsGiven) {
  ASSERT_EQ(run_program(args("mlp", "2", "largest")).code, 0);
  const std::string model = slurp(folder_ / "run/model.safetensors");
  for (const char* name : {"split-0.safetensors", "split-1.safetensors"}) {
    Tensors file = read_safetensors(folder_ / "run/splits" / name);
    auto run = nlohmann::json::parse(file.metadata["gcnh.run"]);
    EXPECT_EQ(run.erase("scale"), 1u);
    file.metadata["gcnh.run"] = run.dump();
    write_safetensors(folder_ / "run/splits" / name, file);
  }
  const Answer a = run_program(resumed(args("mlp", "2", "largest")));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(slurp(folder_ / "run/model.safetensors"), model);
}

TEST_F(ResumedTable, OtherAimsOfDecisionsAreAnotherRun) {
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> out = args("mlp", "2");
    out.insert(out.end(), more.begin(), more.end());
    return out;
  };
  const std::string costs = folder_ / "costs.csv";
  const auto write_costs = [&](const std::string& missed) {
    write_text(costs, "truth,even,odd\neven,0,1\nodd," + missed + ",0\n");
  };
  write_costs("5");
  const auto expect_refused = [&](const std::vector<std::string>& more, const std::string& words) {
    const Answer a = run_program(resumed(with(more)));
    EXPECT_EQ(a.code, 65) << words;
    EXPECT_NE(a.err.find("another run (" + words + ")"), std::string::npos) << words << ": " << a.err;
  };
  ASSERT_EQ(run_program(with({})).code, 0);
  expect_refused({"--level", "0.7"}, "level: 0.9 there, 0.7 here");
  expect_refused({"--decide", "mcc"}, R"(decide: "none" there, "mcc" here)");
  expect_refused({"--costs", costs}, "costs: none there, a table here");
  EXPECT_EQ(run_program(resumed(with({}))).code, 0);
  ASSERT_EQ(run_program(with({"--costs", costs, "--force"})).code, 0);
  expect_refused({}, "costs: a table there, none here");
  EXPECT_EQ(run_program(resumed(with({"--costs", costs}))).code, 0);
  write_costs("6");
  expect_refused({"--costs", costs}, "costs: a table there, another one here");
}

// Older versions did not write down what decisions aim at: it is taken for the default.
TEST_F(ResumedTable, AnOlderRunIsContinuedWithTheAimsOfTheDefault) {
  ASSERT_EQ(run_program(args("mlp", "2")).code, 0);
  const std::string model = slurp(folder_ / "run/model.safetensors");
  for (const char* name : {"split-0.safetensors", "split-1.safetensors"}) {
    Tensors file = read_safetensors(folder_ / "run/splits" / name);
    auto run = nlohmann::json::parse(file.metadata["gcnh.run"]);
    for (const char* key : {"level", "decide", "costs"}) EXPECT_EQ(run.erase(key), 1u) << key;
    file.metadata["gcnh.run"] = run.dump();
    write_safetensors(folder_ / "run/splits" / name, file);
  }
  std::vector<std::string> other = resumed(args("mlp", "2"));
  other.insert(other.end(), {"--level", "0.7"});
  EXPECT_EQ(run_program(other).code, 65);
  const Answer a = run_program(resumed(args("mlp", "2")));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(slurp(folder_ / "run/model.safetensors"), model);
}

TEST(Resume, NeedsAFolder) {
  const Answer a = run_program({"train", "--resume"});
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("--out"), std::string::npos);
}

}  // namespace
}  // namespace gcnh::testing
