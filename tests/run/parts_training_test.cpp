// A run whose trainings are over parts of the graph: the outcomes are those of the parts, on however many ranks they
// are. Ranks are threads here; tests/mpi.py has them as processes.
#include "gcnh/run/parts_training.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <fstream>
#include <new>
#include <stdexcept>

#include "gcnh/base/error.h"
#include "gcnh/graph/synthetic.h"
#include "gcnh/io/csv.h"
#include "gcnh/run/final.h"
#include "gcnh/run/messages.h"
#include "gcnh/run/run_folder.h"
#include "gcnh/run/travel.h"
#include "tests/support/program.h"
#include "tests/support/thread_ranks.h"

namespace gcnh::testing {
namespace {

struct PartsSetup {
  std::string model = "gcnh";
  int parts = 4;
  OptionValues options = {};
  std::string engine = "auto";
  int threads = 1;
};

Experiment experiment_in_parts(const PartsSetup& asked) {
  SyntheticOptions graph;
  graph.nodes = 150;
  gcnh::Setup setup;
  setup.model = asked.model;
  setup.parts = asked.parts;
  setup.engine = asked.engine;
  setup.threads = asked.threads;
  setup.options = asked.options;
  setup.options.insert({{"hidden", "4"}, {"epochs", "12"}});
  setup.splits = {1, 0};
  return prepare(setup, make_synthetic(graph));
}

std::string bits_of(RunResult result) {
  for (SplitOutcome& s : result.splits) s.seconds = 0;
  WireWriter write;
  write(result.splits);
  return write.take();
}

std::string refusal_in_parts(const PartsSetup& asked) {
  try {
    experiment_in_parts(asked);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::usage);
    return error.what();
  }
  return "";
}

TEST(PartsRun, OnePartHasTheOutcomeOfTheTape) {
  for (const char* model : {"gcnh", "mlp", "gcn", "gat"}) {
    PartsSetup asked{.model = model, .parts = 1, .options = {{"batch", "50"}}};
    const std::string in_parts = bits_of(run(experiment_in_parts(asked)));
    asked.parts = 0;
    asked.engine = "tape";
    EXPECT_EQ(bits_of(run(experiment_in_parts(asked))), in_parts) << model;
  }
}

TEST(PartsRun, OutcomesDependOnNeitherRanksNorThreads) {
  for (const char* model : {"gcnh", "mlp", "gcn", "gat"}) {
    PartsSetup asked{.model = model, .options = {{"layers", "2"}, {"class_weights", "balanced"}}};
    const std::string alone = bits_of(run(experiment_in_parts(asked)));
    for (int size : {2, 3, 5}) {
      asked.threads = size - 1;
      const ThreadRanks ranks(size);
      EXPECT_EQ(bits_of(run(experiment_in_parts(asked))), alone) << model << " on " << size << " ranks";
    }
  }
}

// Columns are fitted split by split, so every split has features of its own.
TEST(PartsRun, TablesAreCutToo) {
  const TempDir folder;
  std::string nodes = "id,label,x,colour\n", edges = "source,target\n";
  for (int i = 0; i < 60; ++i) {
    nodes += join("n", i, i % 2 ? ",odd," : ",even,", i % 5, i % 3 ? ",red" : ",blue", "\n");
    edges += join("n", i, ",n", (i + 1) % 60, "\n");
  }
  std::ofstream(folder / "nodes.csv") << nodes;
  std::ofstream(folder / "edges.csv") << edges;
  gcnh::Setup setup;
  setup.options = {{"hidden", "4"}, {"epochs", "12"}};
  setup.num_splits = 3;
  setup.parts = 3;
  setup.threads = 1;
  const Experiment e = prepare(setup, read_csv({.nodes = folder / "nodes.csv", .edges = folder / "edges.csv"}));
  const std::string alone = bits_of(run(e));
  const ThreadRanks ranks(2);
  EXPECT_EQ(bits_of(run(e)), alone);
}

TEST(PartsRun, FinalModelsAreTheSame) {
  const Experiment e = experiment_in_parts({});
  const auto make = [&] {
    const FinalModel final = make_final(e, run(e), FinalChoice::automatic);
    return std::pair(final_json(final), final.model.parameters);
  };
  const auto alone = make();
  const ThreadRanks ranks(3);
  EXPECT_EQ(make(), alone);
}

TEST(PartsRun, ADivergedLossEndsItAsWithoutParts) {
  const auto message = [](int parts) {
    try {
      run(experiment_in_parts({.model = "mlp", .parts = parts, .options = {{"lr", "1e30"}}}));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string whole = message(0);
  EXPECT_TRUE(whole.starts_with("split 1: the loss is not finite")) << whole;
  EXPECT_EQ(message(4), whole);
  const Experiment tame = experiment_in_parts({});
  const std::string alone = bits_of(run(tame));
  const ThreadRanks ranks(3);
  EXPECT_EQ(message(4), whole);
  EXPECT_EQ(bits_of(run(tame)), alone) << "ranks are of use after an error";
}

TEST(PartsRun, AStoppedRunGoesOnOnOtherRanks) {
  const Experiment e = experiment_in_parts({.options = {{"epochs", "40"}, {"layers", "2"}}});
  const std::string alone = bits_of(run(e));
  for (int size : {1, 2, 3}) {
    const TempDir folder;
    int epochs = 0;
    const RunObserver counting = {.on_epoch = [&](int, const TrainState&) { ++epochs; },
                                  .should_stop = [&] { return epochs > 55; }};
    {
      const ThreadRanks ranks(size);
      RunFolder kept(folder / "run");
      EXPECT_THROW(run(e, counting, &kept), Error);
    }
    const ThreadRanks ranks(4 - size);
    RunFolder kept(folder / "run", EarlierRun::resume);
    std::vector<int> resumed;
    const RunObserver noting = {.on_resume = [&](int, const TrainState& state) { resumed.push_back(state.epoch()); }};
    EXPECT_EQ(bits_of(run(e, noting, &kept)), alone);
    EXPECT_EQ(resumed.size(), 2u) << "one split was done, one had begun";
  }
}

TEST(PartsRun, ARunOfOtherPartsIsNotContinued) {
  const TempDir folder;
  {
    RunFolder kept(folder / "run");
    run(experiment_in_parts({}), {}, &kept);
  }
  for (int parts : {0, 3}) {
    RunFolder kept(folder / "run", EarlierRun::resume);
    try {
      run(experiment_in_parts({.parts = parts}), {}, &kept);
      ADD_FAILURE() << "was continued in " << parts << " parts";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(join("(parts: 4 there, ", parts, " here)")), std::string::npos)
          << error.what();
    }
  }
}

// Rank 0 where nobody answers: to wait for somebody would be for ever.
struct UnansweredComm : ThroughComm {
  using ThroughComm::ThroughComm;
  std::optional<Message> receive() override {
    ADD_FAILURE() << "waits for ranks that know of nothing";
    throw std::runtime_error("nobody answers");
  }
  Comm& aside() override { return *this; }
};

TEST(PartsRun, AGraphThatCannotBeCutIsAnErrorBeforeOthersHearOfIt) {
  const Experiment e = experiment_in_parts({});
  Dataset apart = *e.dataset;
  apart.pointing_to = apart.adjacency;
  MemoryRanks job(2);
  UnansweredComm rank_0(job.comm(0));
  const CommScope scope(rank_0);
  EXPECT_THROW(parts_stepper(e, apart, {}, Rng(1)), Error);
  EXPECT_EQ(job.messages_from(0), 0u);
}

// One of rank 0's messages finds no memory.
struct ShortOfMemory : ThroughComm {
  ShortOfMemory(Comm& inner, int fails_at) : ThroughComm(inner), left(fails_at) {}
  void send(int to, Bytes bytes) override {
    if (left-- == 0) throw std::bad_alloc();
    ThroughComm::send(to, std::move(bytes));
  }
  int left;
};

TEST(PartsRun, RanksThatCannotBeSentTheirPartsAreOfUseAfterwards) {
  const Experiment e = experiment_in_parts({});
  const std::string alone = bits_of(run(e));
  for (int fails_at : {0, 1}) {
    const ThreadRanks ranks(3);
    {
      ShortOfMemory rank_0(current_comm(), fails_at);
      const CommScope scope(rank_0);
      EXPECT_THROW(run(e), std::bad_alloc);
    }
    EXPECT_EQ(bits_of(run(e)), alone);
  }
}

// Rank 1, which is sent a message, and then asks for another one aside.
struct SentOnce : ThroughComm {
  SentOnce(Comm& inner, std::string bytes) : ThroughComm(inner), message(std::move(bytes)), others(*this) {}
  std::optional<Message> receive() override { return Message{0, std::move(message)}; }
  Comm& aside() override { return others; }

  struct Aside : ThroughComm {
    using ThroughComm::ThroughComm;
    std::optional<Message> receive() override {
      mapped = mallinfo2().hblkhd;
      throw std::runtime_error("has seen enough");
    }
    std::size_t mapped = 0;  // bytes in large blocks
  };
  std::string message;
  Aside others;
};

TEST(PartsRun, AMessageIsGoneWhenItsPartsAreThere) {
  constexpr std::size_t kSize = std::size_t{64} << 20;  // such blocks are mapped one by one
  PartsTask task;
  task.count = 2;
  const std::size_t before = mallinfo2().hblkhd;
  std::string bytes = *message(Say::parts, task);
  bytes.resize(kSize);
  MemoryRanks job(2);
  SentOnce rank_1(job.comm(1), std::move(bytes));
  EXPECT_THROW(serve(rank_1, "gcnh"), std::runtime_error);
  EXPECT_LT(rank_1.others.mapped, before + kSize);
}

TEST(PartsRun, WhatNeedsTheWholeGraphIsRefused) {
  EXPECT_EQ(refusal_in_parts({.model = "h2gcn"}),
            "parts: model 'h2gcn' needs the whole graph; gcnh, mlp, gcn, gat and logreg can be trained in parts");
  for (const char* model : {"gcnh", "gcn", "gat"})
    EXPECT_EQ(refusal_in_parts({.model = model, .options = {{"norm", "batch"}}}),
              join("parts: model '", model, "' needs the whole graph with norm batch; take another norm"));
  EXPECT_EQ(refusal_in_parts({.options = {{"adjacency_rows", "true"}}}),
            "parts: model 'gcnh' needs the whole graph with adjacency_rows; train without them");
  EXPECT_EQ(refusal_in_parts({.engine = "fused"}),
            "engine: the fused step needs the whole graph, not parts; take auto");
  EXPECT_EQ(refusal_in_parts({.parts = -1}), "parts: -1 is below 0");
  EXPECT_EQ(refusal_in_parts({.options = {{"norm", "layer"}}}), "");
}

}  // namespace
}  // namespace gcnh::testing
