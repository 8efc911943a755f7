// A training over parts of a graph: that of the plain tape, up to rounding, and the same bits on any number of ranks
// and threads. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gcnh/base/error.h"
#include "gcnh/models/model.h"
#include "gcnh/train/make_stepper.h"
#include "gcnh/train/parts_stepper.h"
#include "tests/support/memory_ranks.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {

struct PartsCase {
  std::string model;
  OptionValues options;
  std::size_t batch = 0;  // training nodes per step; 0: all
  std::vector<Real> class_weights = {};
};

struct PartsResult {
  std::vector<double> losses;
  std::vector<Matrix> parameters;
  Matrix logp;
  std::int64_t rows = 0;  // that came from other parts

  bool operator==(const PartsResult& other) const {
    return losses == other.losses && parameters == other.parameters && logp == other.logp;
  }
};

inline std::string title_of(const PartsCase& c) {
  std::string out = c.model + " batch " + std::to_string(c.batch);
  for (const auto& [name, value] : c.options) out += " " + name + " " + value;
  return out;
}

inline std::vector<PartsCase> parts_cases() {
  std::vector<PartsCase> out;
  for (const char* aggregation : {"sum", "mean", "max", "symmetric"})
    for (const char* layers : {"1", "2", "3"})
      out.push_back({"gcnh",
                     {{"aggregation", aggregation}, {"layers", layers}, {"hidden", "5"}, {"dropout", "0.3"}},
                     layers[0] == '2' ? 4u : 0u});
  out.push_back({"gcnh",
                 {{"layers", "2"}, {"hidden", "16"}, {"beta", "pointwise"}, {"encoders", "shared"}},
                 0,
                 {1, Real(0.5), 2}});
  out.push_back({"gcnh",
                 {{"layers", "2"},
                  {"hidden", "8"},
                  {"hops", "2"},
                  {"messages", "linear"},
                  {"norm", "layer"},
                  {"jump", "concat"},
                  {"residual", "linear"}},
                 5});
  out.push_back({"gcnh",
                 {{"layers", "3"},
                  {"hidden", "4"},
                  {"mixing", "concat"},
                  {"norm", "l2"},
                  {"jump", "max"},
                  {"aggregation", "mean"}}});
  for (const char* layers : {"1", "2", "3"}) {
    out.push_back({"gcn", {{"layers", layers}, {"hidden", "7"}}, layers[0] == '3' ? 6u : 0u});
    out.push_back({"mlp", {{"layers", layers}, {"hidden", "7"}}, layers[0] == '2' ? 3u : 0u});
    out.push_back(
        {"gat",
         {{"layers", layers}, {"hidden", "3"}, {"heads", "2"}, {"attention", layers[0] == '1' ? "softmax" : "exp"}},
         layers[0] == '3' ? 7u : 0u});
  }
  out.push_back(
      {"gcn", {{"layers", "2"}, {"hidden", "6"}, {"norm", "layer"}, {"residual", "linear"}, {"jump", "concat"}}});
  out.push_back({"gat", {{"layers", "2"}, {"hidden", "3"}, {"heads", "8"}, {"jump", "max"}, {"residual", "add"}}});
  out.push_back({"logreg", {{"dropout", "0.4"}}});
  return out;
}

// Two of three nodes are for training.
inline Dataset parts_dataset(std::uint64_t seed, Index nodes = 30) {
  const GraphShape shape{.nodes = nodes, .directed = seed % 3 == 1, .weights = seed % 2 == 0};
  Dataset d = random_dataset(shape, 9, 3, Rng(seed), seed % 4 != 3);
  std::erase_if(d.splits[0].train, [](Index u) { return u % 3 == 0; });
  return d;
}

// Parts at random, the last of them without training nodes or empty.
inline std::vector<int> random_parts(const Dataset& d, int parts, std::uint64_t seed) {
  std::vector<int> out;
  for (Index u = 0; u < d.num_nodes(); ++u) {
    const auto drawn =
        static_cast<int>(Rng(seed).fork(3).below(static_cast<std::uint64_t>(parts), static_cast<std::uint64_t>(u)));
    out.push_back(u % 3 == 0 || drawn + 1 < parts ? drawn : 0);
  }
  return out;
}

// Ten steps, a few of them after an evaluation, and the answers in the end.
inline PartsResult take_steps(Stepper& stepper, const Dataset& d, const PartsCase& c, int steps = 10) {
  PartsResult out;
  std::vector<Index> nodes = d.splits[0].train;
  for (int i = 0; i < steps; ++i) {
    std::vector<Index> batch = nodes;
    if (c.batch > 0) {
      shuffle(batch, Rng(5).fork(static_cast<std::uint64_t>(i)));
      batch.resize(std::min(c.batch, batch.size()));
    }
    if (i % 3 == 2) stepper.log_probabilities(batch);
    out.losses.push_back(stepper.step(batch, Rng(7).fork(static_cast<std::uint64_t>(i))));
  }
  std::vector<Index> all = all_nodes(d);
  std::reverse(all.begin(), all.end());
  out.logp = stepper.log_probabilities(all);
  for (const Param& p : stepper.model().params()) out.parameters.push_back(p.value);
  return out;
}

inline StepOptions step_options(const PartsCase& c) { return {0.01, 0.005, c.batch == 0, c.class_weights}; }

inline PartsResult train_plainly(const Dataset& d, const PartsCase& c) {
  const auto model = find_model_type(c.model).make(d, c.options, Rng(3));
  return take_steps(*make_stepper("tape", *model, step_options(c)), d, c);
}

inline std::unique_ptr<PartsWorker> make_worker(PartTeam& team, const Dataset& d, const PartsCase& c,
                                                const std::vector<int>& part_of_node, int threads) {
  std::vector<Part> parts = cut(d, part_of_node, team.parts());
  parts = {std::make_move_iterator(parts.begin() + team.begin()), std::make_move_iterator(parts.begin() + team.end())};
  const auto make = [&](const Dataset& part) { return find_model_type(c.model).make(part, c.options, Rng(3)); };
  return std::make_unique<PartsWorker>(team, std::move(parts), make, c.class_weights, threads);
}

// A job of so many ranks, of which the others are threads; body(stepper) is rank 0's.
template <class Body>
void with_parts(const Dataset& d, const PartsCase& c, const std::vector<int>& part_of_node, int parts, int ranks,
                int threads, const Body& body) {
  MemoryRanks job(ranks);
  std::vector<std::thread> others;
  for (int r = 1; r < ranks; ++r)
    others.emplace_back([&, r] {
      PartTeam team(job.comm(r), 1, parts, threads);
      follow(team, [&] { return make_worker(team, d, c, part_of_node, threads); });
    });
  try {
    auto team = std::make_unique<PartTeam>(job.comm(0), 1, parts, threads);
    auto worker = make_worker(*team, d, c, part_of_node, threads);
    PartsStepper stepper(std::move(team), std::move(worker), d.labels, step_options(c));
    body(stepper);
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
  }
  for (std::thread& other : others) other.join();
}

inline PartsResult train_in_parts(const Dataset& d, const PartsCase& c, const std::vector<int>& part_of_node, int parts,
                                  int ranks = 1, int threads = 1) {
  PartsResult out;
  with_parts(d, c, part_of_node, parts, ranks, threads, [&](PartsStepper& stepper) {
    out = take_steps(stepper, d, c);
    out.rows = stepper.worker().rows_received();
  });
  return out;
}

TEST(PartsTraining, OnePartHasTheBitsOfTheTape) {
  for (const PartsCase& c : parts_cases()) {
    SCOPED_TRACE(title_of(c));
    for (std::uint64_t seed : {0, 1, 3}) {
      const Dataset d = parts_dataset(seed);
      const std::vector<int> one(static_cast<std::size_t>(d.num_nodes()), 0);
      EXPECT_TRUE(train_in_parts(d, c, one, 1) == train_plainly(d, c)) << "graph " << seed;
    }
  }
}

inline double difference(std::span<const Real> a, std::span<const Real> b) {
  double square = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    square += (x - y) * (x - y);
    size += y * y;
  }
  return std::sqrt(square / size);
}

TEST(PartsTraining, PartsComputeWhatTheWholeComputes) {
  constexpr double kTolerance = sizeof(Real) == 8 ? 1e-10 : 1e-5;
  std::uint64_t seed = 0;
  for (const PartsCase& c : parts_cases()) {
    SCOPED_TRACE(title_of(c));
    for (int parts : {2, 3, 5, 8, 35}) {
      const Dataset d = parts_dataset(++seed);
      const PartsResult whole = train_plainly(d, c), found = train_in_parts(d, c, random_parts(d, parts, seed), parts);
      for (std::size_t i = 0; i < whole.losses.size(); ++i)
        EXPECT_NEAR(found.losses[i], whole.losses[i], kTolerance * whole.losses[i]) << parts << " parts, step " << i;
      EXPECT_LE(difference(found.logp.values(), whole.logp.values()), 10 * kTolerance);
    }
  }
}

TEST(PartsTraining, BitsDependOnNeitherRanksNorThreads) {
  std::uint64_t seed = 100;
  for (const PartsCase& c : parts_cases()) {
    SCOPED_TRACE(title_of(c));
    for (int parts : {2, 5, 8}) {
      const Dataset d = parts_dataset(++seed);
      const std::vector<int> part_of_node = random_parts(d, parts, seed);
      const PartsResult alone = train_in_parts(d, c, part_of_node, parts);
      for (const auto& [ranks, threads] : {std::pair(1, 2), {1, 4}, {2, 1}, {3, 2}})
        EXPECT_TRUE(train_in_parts(d, c, part_of_node, parts, ranks, threads) == alone)
            << parts << " parts, " << ranks << " ranks, " << threads << " threads";
    }
  }
}

// A rank that fails ends the training of all with its error, whoever waits for whom.
TEST(PartsTraining, TheErrorOfAnyPartIsThrownOnRank0) {
  for (int broken = 0; broken < 5; ++broken) {
    for (const auto& [ranks, threads] : {std::pair(1, 1), {1, 3}, {3, 1}, {5, 2}}) {
      MemoryRanks job(ranks);
      const auto wait_for_another = [&](PartTeam& team, int part) {
        if (part == broken) fail(Status::data, "part ", part, " is broken");
        team.receive((part + 1) % 5, part);
      };
      std::vector<std::thread> others;
      for (int r = 1; r < ranks; ++r)
        others.emplace_back([&, r, threads = threads] {  // clang 14 does not capture a binding
          PartTeam team(job.comm(r), 1, 5, threads);
          try {
            team.run([&](int part) { wait_for_another(team, part); });
          } catch (...) {
            team.report(std::current_exception());
          }
          EXPECT_FALSE(team.next_order());
        });
      try {
        PartTeam team(job.comm(0), 1, 5, threads);
        team.run([&](int part) { wait_for_another(team, part); });
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.what(), join("part ", broken, " is broken"));
        EXPECT_EQ(error.status(), Status::data);
      }
      for (std::thread& other : others) other.join();
    }
  }
}

// With H ghosts in all parts: a layer beyond the first borrows H rows, and H gradients come back.
TEST(PartsTraining, RowsAreBorrowedFromTheSecondLayerOn) {
  const Dataset d = parts_dataset(2);
  const std::vector<int> part_of_node = random_parts(d, 5, 2);
  std::int64_t ghosts = 0;
  for (const Part& part : cut(d, part_of_node, 5)) ghosts += part.num_ghosts();
  ASSERT_GT(ghosts, 0);
  const int passes = 10 + 10 + 3 + 1;  // forward, backward, evaluations
  for (const char* aggregation : {"sum", "mean", "max"})
    for (int layers : {1, 2, 3}) {
      const PartsCase c{"gcnh", {{"aggregation", aggregation}, {"layers", std::to_string(layers)}, {"hidden", "4"}}};
      EXPECT_EQ(train_in_parts(d, c, part_of_node, 5).rows, passes * (layers - 1) * ghosts);
    }
  const auto rows_of = [&](const char* model, const char* layers) {
    return train_in_parts(d, {model, {{"layers", layers}}}, part_of_node, 5).rows;
  };
  EXPECT_EQ(rows_of("mlp", "3"), 0);
  EXPECT_EQ(rows_of("gcn", "1"), 0);
  EXPECT_EQ(rows_of("gcn", "3"), passes * 2 * ghosts);
  EXPECT_EQ(rows_of("gat", "1"), 0);
  EXPECT_EQ(rows_of("gat", "3"), passes * 2 * ghosts);
}

}  // namespace gcnh::testing
