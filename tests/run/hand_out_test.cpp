// Trainings that are spread over ranks give what one process gives, bit for bit, whatever happens on the way. Ranks are
// threads here; tests/mpi.py has them as processes.
#include "gcnh/run/hand_out.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/graph/synthetic.h"
#include "gcnh/io/csv.h"
#include "gcnh/run/final.h"
#include "gcnh/run/run_folder.h"
#include "gcnh/run/travel.h"
#include "gcnh/study/tune.h"
#include "tests/support/program.h"
#include "tests/support/thread_ranks.h"

namespace gcnh::testing {
using namespace study;
namespace {

using AskedFor = gcnh::Setup;  // GoogleTest has a trap of that name

Experiment spread_experiment(AskedFor setup, const OptionValues& options = {}) {
  SyntheticOptions graph;
  graph.nodes = 150;
  setup.options = options;
  setup.options.insert({{"hidden", "4"}, {"epochs", "12"}});
  setup.threads = 1;
  Experiment out = prepare(setup, make_synthetic(graph));
  out.splits = {2, 0, 1, 4, 3};
  return out;
}

// A table whose columns are fitted split by split.
Experiment table_experiment(const TempDir& folder) {
  std::string nodes = "id,label,x,colour,when\n", edges = "source,target\n";
  for (int i = 0; i < 60; ++i) {
    nodes += join("n", i, i % 2 ? ",odd," : ",even,", i % 7 == 0 ? "" : std::to_string(i % 5), i % 3 ? ",red" : ",blue",
                  ",2024-01-", 10 + i % 19, "\n");
    edges += join("n", i, ",n", (i + 1) % 60, "\n");
  }
  std::ofstream(folder / "nodes.csv") << nodes;
  std::ofstream(folder / "edges.csv") << edges;
  AskedFor setup;
  setup.options = {{"hidden", "4"}, {"epochs", "12"}};
  setup.num_splits = 3;
  setup.threads = 1;
  return prepare(setup, read_csv({.nodes = folder / "nodes.csv", .edges = folder / "edges.csv"}));
}

// All of the outcomes but how long they took.
std::string bits(std::vector<SplitOutcome> splits) {
  for (SplitOutcome& s : splits) s.seconds = 0;
  WireWriter write;
  write(splits);
  return write.take();
}

void expect_same_bits(const Experiment& e) {
  const std::string alone = bits(run(e).splits);
  for (int size : {2, 3}) {
    const ThreadRanks ranks(size);
    EXPECT_EQ(bits(run(e).splits), alone) << size << " ranks";
    for (int r = 1; r < size; ++r) EXPECT_GE(ranks.messages_from(r), 3u) << "hello, ready, and what came of a training";
  }
}

TEST(ThreadRanksRun, GivesTheBitsOfOneProcess) { expect_same_bits(spread_experiment({.view = "paper"})); }
TEST(ThreadRanksRun, SendsWhatIsDerivedFromTheGraph) { expect_same_bits(spread_experiment({.model = "geomgcn"})); }
TEST(ThreadRanksRun, SendsScalingAndAims) {
  Experiment e =
      spread_experiment({.model = "mlp", .scale = "largest"}, {{"class_weights", "balanced"}, {"batch", "20"}});
  e.aims = {.level = 0.8, .costs = Matrix(e.dataset->num_classes(), e.dataset->num_classes(), 1), .metric = {}};
  expect_same_bits(e);
  e.aims = {.level = 0.8, .costs = {}, .metric = Metric::macro_f1};
  expect_same_bits(e);
}
TEST(ThreadRanksRun, SendsColumnsOfTables) {
  const TempDir folder;
  expect_same_bits(table_experiment(folder));
}

TEST(ThreadRanksRun, SendsADatasetOnce) {
  const Experiment e = spread_experiment({});
  WireWriter write;
  write(*e.dataset);
  const std::size_t size = write.take().size();
  ThreadRanks ranks(2);
  run(e);
  const std::size_t first = ranks.bytes_to(1);
  EXPECT_GT(first, size);
  run(e);
  EXPECT_LT(ranks.bytes_to(1) - first, size);
}

TEST(ThreadRanksRun, FinalModelsAreTheSame) {
  const Experiment e = spread_experiment({});
  const auto make = [&] {
    const RunResult result = run(e);
    const FinalModel final = make_final(e, result, FinalChoice::automatic);
    return std::pair(final_json(final), final.model.parameters);
  };
  const auto alone = make();
  const ThreadRanks ranks(3);
  EXPECT_EQ(make(), alone);
}

TEST(ThreadRanksRun, TheErrorIsThatOfTheLowestTraining) {
  const Experiment wild = spread_experiment({.model = "mlp"}, {{"lr", "1e30"}}),
                   tame = spread_experiment({.model = "mlp"});
  const std::string alone = bits(run(tame).splits);
  const ThreadRanks ranks(3);
  for (int i = 0; i < 5; ++i) {
    try {
      run(wild);
      FAIL() << "the loss did not diverge";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::data);
      EXPECT_TRUE(std::string(error.what()).starts_with("split 2: ")) << error.what();
    }
  }
  EXPECT_EQ(bits(run(tame).splits), alone) << "ranks are of use after an error";
}

TEST(ThreadRanksRun, WhatKeepsAnOutcomeMayFail) {
  const Experiment e = spread_experiment({.model = "mlp"});
  const ThreadRanks ranks(2);
  std::vector<Training> trainings;
  for (int split : e.splits) trainings.push_back({e, split});
  const Keep full_disk = [](std::size_t, const SplitOutcome&) { fail(Status::io, "no room"); };
  EXPECT_THROW(run_trainings(trainings, 1, {}, full_disk), Error);
  EXPECT_EQ(run(e).splits.size(), 5u);
}

TEST(ThreadRanksRun, AStoppedRunGoesOnToTheSameBits) {
  Experiment e = spread_experiment({}, {{"epochs", "60"}});
  e.splits = {2, 0, 1, 4, 3, 5, 6, 7, 8, 9};
  const std::string alone = bits(run(e).splits);
  for (int size : {2, 3}) {
    const TempDir folder;
    const auto is_begun = [&] {
      const std::filesystem::directory_iterator files(folder / "run/splits");
      return std::any_of(begin(files), end(files),
                         [](const auto& f) { return f.path().extension() == ".safetensors"; });
    };
    {
      const ThreadRanks ranks(size);
      RunFolder kept(folder / "run");
      kept.checkpoint_seconds = 0;
      EXPECT_THROW(run(e, {.should_stop = is_begun}, &kept), Error);  // each rank had begun two splits at most
      EXPECT_TRUE(is_begun());
    }
    const ThreadRanks ranks(5 - size);
    RunFolder kept(folder / "run", EarlierRun::resume);
    int resumed = 0;
    const auto count = [&](int, const TrainState& state) { resumed += state.epoch() > 0; };
    EXPECT_EQ(bits(run(e, {.on_resume = count}, &kept).splits), alone);
    EXPECT_GE(resumed, 1);
  }
}

TEST(ThreadRanksTune, SearchesFindAndRecordTheSame) {
  Experiment e = spread_experiment({.model = "mlp"});
  const Grid grid = {{"hidden", {"2", "4"}}, {"epochs", {"4", "12"}}, {"lr", {"0.01", "1e30"}}};
  const auto lines = [&](const std::filesystem::path& path) {
    std::vector<std::string> out;
    for (const JournalLine& line : read_journal(path)) out.push_back(line.run + bits({line.record.outcome}));
    std::sort(out.begin(), out.end());
    return out;
  };
  const TempDir folder;
  std::string alone;
  for (int size : {1, 2, 3}) {
    const ThreadRanks ranks(size);
    const std::string path = folder / std::to_string(size);
    Journal journal(path);
    Study study{journal, 2};
    std::size_t told = 0;
    study.observer.on_split = [&](std::size_t, std::size_t) { ++told; };
    const std::string found = tune_json(e, tune(study, e, grid, {}));
    if (size == 1) alone = found;
    EXPECT_EQ(found, alone) << size << " ranks";
    EXPECT_EQ(lines(path), lines(folder / "1"));
    EXPECT_EQ(told, lines(path).size());
  }
}

TEST(ThreadRanksTune, ErrorsNameTheCell) {
  const Experiment e = spread_experiment({.model = "mlp"}, {{"lr", "1e30"}});
  const auto message = [&] {
    Journal journal;
    Study study{journal, 1};
    try {
      run_trials(study, {{e, {}, "lr 1e30"}});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string alone = message();
  EXPECT_NE(alone.find(", lr 1e30: split 2: "), std::string::npos) << alone;
  const ThreadRanks ranks(2);
  EXPECT_EQ(message(), alone);
}

TEST(ThreadRanksStart, OtherArgumentsAreRefused) {
  ThreadRanks ranks(std::vector<std::string>{"gcnh", "gcnh train --seed 2"});
  try {
    ranks.greet();
    FAIL() << "was not refused";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.status(), Status::usage);
    EXPECT_TRUE(text.starts_with("rank 2 on ")) << text;
    EXPECT_NE(text.find("'gcnh train --seed 2'"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace gcnh::testing
