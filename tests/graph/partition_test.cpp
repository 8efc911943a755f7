#include "gcnh/graph/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/large_graphs.h"
#include "gcnh/graph/metis_partition.h"
#include "gcnh/graph/part_sizes.h"
#include "tests/graph/graph_tools.h"

namespace gcnh::testing {
namespace {

Loads unit_loads(Index nodes) { return {std::vector<Index>(nodes, 1), std::vector<Index>(nodes)}; }

Csr cycle(Index nodes) {
  std::vector<Edge> edges;
  for (Index u = 0; u < nodes; ++u) edges.push_back({u, (u + 1) % nodes});
  return simple_graph(adjacency_matrix(nodes, edges));
}

// Every node receives from node 0 and gives to it.
Csr one_hub(Index nodes) {
  std::vector<Edge> edges;
  for (Index u = 1; u < nodes; ++u) edges.push_back({0, u});
  return simple_graph(adjacency_matrix(nodes, edges));
}

void expect_parts(const std::vector<int>& part_of, Index nodes, int parts, const std::string& what) {
  ASSERT_EQ(part_of.size(), static_cast<std::size_t>(nodes)) << what;
  EXPECT_TRUE(std::all_of(part_of.begin(), part_of.end(), [&](int p) { return p >= 0 && p < parts; })) << what;
}

// H, word by word.
Offset halo_by_definition(const Csr& a, const std::vector<int>& part_of) {
  std::set<std::pair<Index, int>> sent;  // node, the other part that receives from it
  for (Index u = 0; u < a.rows; ++u)
    for (const Index v : a.row(u))
      if (part_of[v] != part_of[u]) sent.insert({v, part_of[u]});
  return static_cast<Offset>(sent.size());
}

TEST(Partition, GivesEveryNodeAPartWhateverTheGraph) {
  const std::vector<std::pair<std::string, Csr>> graphs = {{"no nodes", Csr{}},
                                                           {"no edges", adjacency_matrix(2000, {})},
                                                           {"ring", cycle(2000)},
                                                           {"star", one_hub(2000)},
                                                           {"one node", adjacency_matrix(1, {})}};
  ::testing::internal::CaptureStdout();
  for (const auto& [name, a] : graphs) {
    for (const int parts : {1, 2, 3, 7, 16, 62, 3000}) {
      Loads loads = unit_loads(a.rows);
      expect_parts(partition(a, loads, parts), a.rows, parts, join(name, " METIS ", parts));
      expect_parts(partition(a, loads, parts, 0), a.rows, parts, join(name, " stream ", parts));
      for (Index u = 0; u < a.rows; ++u) {
        loads.entries[u] += static_cast<Index>(a.row(u).size());
        loads.training[u] = u < 10;
      }
      expect_parts(partition(a, loads, parts), a.rows, parts, join(name, " loaded METIS ", parts));
    }
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "") << "METIS prints where it has too few nodes";
}

TEST(Partition, IsAsGoodOnRandomGraphsWithADirection) {
  for (int seed = 0; seed < 60; ++seed) {
    const Rng rng(seed);
    const Index nodes = 1 + static_cast<Index>(rng.below(600, 0));
    const auto edges = static_cast<int>(rng.below(4 * nodes, 1));
    const View view{.direction = static_cast<View::Direction>(seed % 4), .self_loops = View::SelfLoops::keep};
    const Dataset d = make_dataset(random_tables(nodes, edges, 3, rng), view);
    const int parts = 1 + static_cast<int>(rng.below(20, 2));
    expect_parts(partition(d, parts), nodes, parts, join("seed ", seed));
    EXPECT_EQ(partition(d, parts), partition(d, parts)) << "seed " << seed;
    expect_parts(partition(d.adjacency, loads_of(d), parts, 0), nodes, parts, join("streamed, seed ", seed));
  }
}

TEST(Partition, CutsARingIntoArcs) {
  const Csr a = cycle(1024);
  const Loads loads = unit_loads(1024);
  const auto by_metis = measure_parts(a, loads, partition(a, loads, 8), 8);
  EXPECT_LE(halo_rows(by_metis), 4 * 8);  // arcs without detours have two ghosts each
  EXPECT_LE(imbalance(by_metis, &PartSize::entries), 1.1);
  const auto by_stream = measure_parts(a, loads, partition(a, loads, 8, 0), 8);
  EXPECT_LE(halo_rows(by_stream), 4 * 8);
  EXPECT_LE(imbalance(by_stream, &PartSize::entries), 1.1);
}

TEST(Partition, GraphsBeyondMetisAreStreamed) {
  const Csr a = cycle(256);
  const Loads loads = unit_loads(256);
  EXPECT_EQ(partition(a, loads, 4, a.nnz() - 1), stream_partition(a, loads, 4));
  EXPECT_EQ(partition(a, loads, 4, a.nnz()), metis_partition(a, loads, 4));
}

TEST(Partition, BalancesWorkAndTrainingNodesAndBeatsChance) {
  ShapeOptions options;
  options.nodes = 5000;
  options.edges = 40000;
  options.classes = 40;
  options.words = 8;
  options.train = 0.1;
  const Dataset d = make_dataset(make_shape(options));
  const Loads loads = loads_of(d);
  const int parts = 8;
  const auto metis = measure_parts(d.adjacency, loads, partition(d, parts), parts);
  const auto streamed = measure_parts(d.adjacency, loads, stream_partition(d.adjacency, loads, parts), parts);
  const auto chance = measure_parts(d.adjacency, loads, random_partition(d.num_nodes(), parts, 1), parts);
  EXPECT_LE(imbalance(metis, &PartSize::entries), 1.15);
  EXPECT_LE(imbalance(metis, &PartSize::training), 1.15);
  EXPECT_LE(imbalance(streamed, &PartSize::entries), 1.3);
  EXPECT_LT(halo_rows(metis), halo_rows(chance) / 2);
  EXPECT_LT(halo_rows(streamed), halo_rows(chance));
}

TEST(Partition, RefusesNoParts) {
  EXPECT_EQ(error_text([] { partition(cycle(8), unit_loads(8), 0); }), "2: parts 0; allowed: at least 1");
}

TEST(Loads, CountEntriesOfRowsAndFeaturesAndTheSplitsOfTraining) {
  Tables t = tables_of({{0, 1}, {1, 2}}, {0, 1, 0, 1}, 2);
  t.splits = {{{0, 1}, {2}, {3}}, {{1}, {2}, {3}}};
  const Loads sparse = loads_of(make_dataset(t));
  EXPECT_EQ(sparse.entries, (std::vector<Index>{3, 4, 3, 2}));
  EXPECT_EQ(sparse.training, (std::vector<Index>{1, 2, 0, 0}));
  t.features = Features(Matrix(4, 5));
  EXPECT_EQ(loads_of(make_dataset(t)).entries, (std::vector<Index>{7, 8, 7, 6}));
}

TEST(PartSizes, CountWhatPartsReceiveFromEachOther) {
  // 0 receives from 1, 2 and 3; 1 from 3; 4 from nobody.
  const Csr a = adjacency_matrix(5, std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {3, 2}});
  const Loads loads{{4, 2, 1, 2, 1}, {1, 0, 0, 1, 0}};
  const auto parts = measure_parts(a, loads, std::vector<int>{0, 0, 1, 2, 2}, 4);
  EXPECT_EQ(parts[0].nodes, 2);
  EXPECT_EQ(parts[0].ghosts, 2);  // 2 and 3, which both of its nodes receive from
  EXPECT_EQ(parts[0].lenders, 2);
  EXPECT_EQ(parts[0].entries, 6);
  EXPECT_EQ(parts[1].ghosts, 0);
  EXPECT_EQ(parts[0].lent, 0);
  EXPECT_EQ(parts[1].lent, 2);  // node 2, to both others
  EXPECT_EQ(parts[2].lent, 1);
  EXPECT_EQ(parts[2].ghosts, 1);
  EXPECT_EQ(parts[2].training, 1);
  EXPECT_EQ(parts[3].nodes, 0);
  EXPECT_EQ(halo_rows(parts), 3);
  EXPECT_DOUBLE_EQ(imbalance(parts, &PartSize::entries), 6 * 4 / 10.0);
}

TEST(PartSizes, HaloRowsAreThoseOfTheDefinition) {
  for (int seed = 0; seed < 30; ++seed) {
    const Rng rng(seed);
    const Dataset d = make_dataset(random_tables(80, 200, 2, rng), {.direction = View::Direction::out});
    const std::vector<int> part_of = random_partition(80, 1 + seed % 9, seed);
    EXPECT_EQ(halo_rows(measure_parts(d.adjacency, loads_of(d), part_of, 1 + seed % 9)),
              halo_by_definition(d.adjacency, part_of));
  }
}

TEST(Partition, RefusesManyMorePartsThanNodes) {
  Dataset few;
  few.adjacency = cycle(10);
  few.features = Features(Matrix(10, 1));
  EXPECT_EQ(partition(few, 64).size(), 10u);
  try {
    partition(few, 65);
    ADD_FAILURE() << "10 nodes were divided among 65 parts";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::usage);
    EXPECT_STREQ(error.what(), "parts: 65 of 10 nodes; take at most 64");
  }
}

}  // namespace
}  // namespace gcnh::testing
