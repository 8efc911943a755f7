// GCNH carried on, from the outside: training, resuming, predicting on this graph and on another, explaining.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/people.h"

namespace gcnh::testing {
namespace {

const std::vector<std::string> kApart = {"--direction", "separate", "--hops", "2",
                                         "--messages",  "linear",   "--norm", "l2"};
const std::vector<std::string> kRows = {"--directed", "--adjacency-rows", "true", "--mixing", "concat", "--own",
                                        "false"};
const std::vector<std::string> kBatch = {"--norm", "batch", "--layers", "2", "--residual", "add"};

Answer predict_people(const TempDir& trained, const std::string& run, const TempDir& on,
                      const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"predict", "--model", trained / run};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(people_command(words, on));
}

TEST(Channels, DirectionsApartCarryOverToAGrownGraph) {
  const TempDir folder, grown, lonely;
  write_people(folder, 60);
  train_people(folder, "run", kApart);
  write_people(grown, 75);
  const Answer here = predict_people(folder, "run", folder), there = predict_people(folder, "run", grown);
  EXPECT_EQ(here.code, 0) << here.err;
  EXPECT_EQ(there.code, 0) << there.err;
  EXPECT_EQ(std::count(there.out.begin(), there.out.end(), '\n'), 76);
  write_people(lonely, 30);
  write_text(lonely / "follows.csv", "a,b\n");
  EXPECT_EQ(predict_people(folder, "run", lonely).code, 0) << "without edges no direction has any";
  EXPECT_EQ(predict_people(folder, "run", folder, {"--direction", "separate"}).out, here.out);
  const Answer other = predict_people(folder, "run", folder, {"--direction", "out"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("trained with direction separate"), std::string::npos) << other.err;
}

// Running moments are kept with the model: what it says of people does not depend on who else is asked about.
TEST(Channels, RunningMomentsComeWithTheModel) {
  const TempDir folder, fewer;
  write_people(folder, 60);
  for (const std::string model : {"gcnh", "gcn", "gat"}) {
    std::vector<std::string> options = kBatch;
    options.insert(options.end(), {"--model", model});
    train_people(folder, model, options);
    const std::string whole = predict_people(folder, model, folder).out;
    write_people(fewer, 60);
    std::string nodes = slurp(fewer / "users.csv") + "u_999,,99,Rome,2020-01-11\n";  // nobody's friend
    write_text(fewer / "users.csv", nodes);
    const std::string more = predict_people(folder, model, fewer).out;
    EXPECT_TRUE(more.starts_with(whole)) << model;
    EXPECT_GT(more.size(), whole.size());
  }
}

TEST(Channels, TurnedEdgesAreOtherNeighbours) {
  const TempDir folder, turned;
  write_people(folder, 60);
  train_people(folder, "run", kApart);
  write_people(turned, 60);
  std::string edges = slurp(turned / "follows.csv");
  edges.replace(0, 3, "b,a");
  write_text(turned / "follows.csv", edges);
  EXPECT_NE(predict_people(folder, "run", turned).out, predict_people(folder, "run", folder).out);
}

TEST(Channels, AdjacencyRowsBindAModelToItsGraph) {
  const TempDir folder, grown, changed;
  write_people(folder, 60);
  train_people(folder, "run", kRows);
  const Answer here = predict_people(folder, "run", folder);
  EXPECT_EQ(here.code, 0) << here.err;
  write_people(grown, 75);
  write_people(changed, 60);
  write_text(changed / "follows.csv", slurp(changed / "follows.csv") + "u_3,u_40\n");
  for (const TempDir* other : {&grown, &changed}) {
    const Answer a = predict_people(folder, "run", *other);
    EXPECT_EQ(a.code, 65);
    EXPECT_NE(a.err.find("not the graph that the model was trained on"), std::string::npos) << a.err;
  }
}

TEST(Channels, KilledRunsEndWithTheSameBits) {
  for (const auto& options : {kApart, kRows, kBatch}) {
    const TempDir folder;
    write_people(folder, 200);
    const auto train_to = [&](const std::string& out, bool resume) {
      std::vector<std::string> words = {"train", "--epochs", "150",       "--num-splits",
                                        "2",     "--batch",  "30",        "--checkpoint-seconds",
                                        "0",     "--out",    folder / out};
      words.insert(words.end(), options.begin(), options.end());
      if (resume) words.push_back("--resume");
      return people_command(words, folder);
    };
    ASSERT_EQ(run_program(train_to("whole", false)).code, 0);
    run_and_signal(train_to("broken", false), SIGKILL, 60);
    run_and_signal(train_to("broken", true), SIGKILL, 80);
    const Answer a = run_program(train_to("broken", true));
    ASSERT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(slurp(folder / "whole" / "model.safetensors"), slurp(folder / "broken" / "model.safetensors"));
  }
}

TEST(Channels, ExplanationsOfThemAreThoseOfGradients) {
  const TempDir folder;
  write_people(folder, 60);
  train_people(folder, "apart", kApart);
  train_people(folder, "rows", kRows);
  for (const char* run : {"apart", "rows"}) {
    const Answer a = run_program(people_command({"explain", "u_7", "--model", folder / run, "--json"}, folder));
    ASSERT_EQ(a.code, 0) << a.err;
    const auto node = nlohmann::json::parse(a.out).at("nodes").at(0);
    EXPECT_FALSE(node.at("exact").get<bool>()) << run;
  }
}

TEST(Channels, ModelsThatDoNotKeepDirectionsApartSaySo) {
  const Answer a = run_program({"train", "--model", "gcn", "--direction", "separate"});
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("does not keep the directions of edges apart"), std::string::npos) << a.err;
  EXPECT_NE(a.err.find("gcnh"), std::string::npos) << a.err;
  const Answer fused = run_program({"train", "--engine", "fused", "--messages", "linear", "--epochs", "1"});
  EXPECT_EQ(fused.code, 2);
  EXPECT_NE(fused.err.find("--engine: the fused step"), std::string::npos) << fused.err;
}

}  // namespace
}  // namespace gcnh::testing
