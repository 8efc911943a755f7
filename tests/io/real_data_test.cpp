// The files of the named datasets, when they are on disk, against counts made with other tools.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gcnh/io/catalog.h"
#include "gcnh/io/npz_graph.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

struct Facts {
  const char* name;
  Index nodes, features;
  std::size_t lines, distinct, loops, undirected;
  Offset nonzeros;
  std::vector<std::size_t> split;
  std::vector<int> class_counts;
};

const Facts kFacts[] = {
    {"cornell", 183, 1703, 298, 298, 3, 277, 15266, {87, 59, 37}, {33, 1, 18, 101, 30}},
    {"texas", 183, 1703, 325, 325, 16, 279, 15266, {87, 59, 37}, {33, 1, 18, 101, 30}},
    {"wisconsin", 251, 1703, 515, 515, 16, 450, 24057, {120, 80, 51}, {10, 70, 118, 32, 21}},
    {"film", 7600, 932, 33391, 30019, 93, 26659, 40977, {3648, 2432, 1520}, {853, 1337, 1630, 1815, 1965}},
    {"chameleon", 2277, 2325, 36101, 36101, 50, 31371, 29157, {1092, 729, 456}, {456, 460, 453, 521, 387}},
    {"squirrel", 5201, 2089, 217073, 217073, 140, 198353, 93477, {2496, 1664, 1041}, {1042, 1040, 1039, 1040, 1040}},
    {"cora", 2708, 1433, 10858, 10556, 0, 5278, 49216, {1192, 796, 497}, {351, 217, 418, 818, 426, 298, 180}},
    {"citeseer", 3327, 3703, 9464, 9228, 124, 4552, 105165, {1586, 1061, 665}, {249, 590, 668, 701, 596, 508}},
    {"cornell-fixed", 183, 1703, 277, 277, 0, 277, 17240, {87, 59, 37}, {38, 16, 30, 82, 17}},
    {"chameleon-filtered", 890, 2325, 8854, 8854, 0, 8854, 9903, {409, 287, 194}, {242, 134, 209, 164, 141}},
    {"chameleon-filtered-directed",
     890,
     2325,
     13584,
     13584,
     50,
     8854,
     9903,
     {409, 287, 194},
     {242, 134, 209, 164, 141}},
    {"chameleon-directed", 2277, 2325, 36101, 36101, 50, 31371, 29157, {1092, 729, 456}, {456, 460, 453, 521, 387}},
    {"squirrel-filtered", 2223, 2089, 46998, 46998, 0, 46998, 32481, {1053, 718, 452}, {756, 516, 397, 321, 233}},
    {"squirrel-filtered-directed",
     2223,
     2089,
     65718,
     65718,
     140,
     46998,
     32481,
     {1053, 718, 452},
     {756, 516, 397, 321, 233}},
    {"squirrel-directed",
     5201,
     2089,
     217073,
     217073,
     140,
     198353,
     93477,
     {2496, 1664, 1041},
     {1042, 1040, 1039, 1040, 1040}},
    {"minesweeper", 10000, 7, 39402, 39402, 0, 39402, 10000, {5000, 2500, 2500}, {8000, 2000}},
};

TEST(RealData, NamedDatasetsHaveTheirPublishedNumbers) {
  SKIP_WITHOUT_DATA(data);
  for (const Facts& facts : kFacts) {
    SCOPED_TRACE(facts.name);
    const Tables t = load_named(facts.name, data);
    EXPECT_EQ(t.name, facts.name);
    EXPECT_EQ(t.num_nodes(), facts.nodes);
    EXPECT_EQ(t.features.cols(), facts.features);
    EXPECT_EQ(t.features.sparse().nnz(), facts.nonzeros);
    EXPECT_EQ(t.edges.size(), facts.lines);
    std::set<std::pair<Index, Index>> distinct, undirected;
    std::size_t loops = 0;
    for (Edge e : t.edges) {
      if (!distinct.insert({e.source, e.target}).second) continue;
      if (e.source == e.target)
        ++loops;
      else
        undirected.insert(std::minmax(e.source, e.target));
    }
    EXPECT_EQ(distinct.size(), facts.distinct);
    EXPECT_EQ(loops, facts.loops);
    EXPECT_EQ(undirected.size(), facts.undirected);
    std::vector<int> counts(t.classes.size());
    for (int label : t.labels)
      if (label >= 0) ++counts[label];
    EXPECT_EQ(counts, facts.class_counts);
    ASSERT_EQ(t.splits.size(), 10u);
    const Split& split = t.splits[0];
    EXPECT_EQ(std::vector<std::size_t>({split.train.size(), split.val.size(), split.test.size()}), facts.split);
  }
}

// Without direction and loops the directed releases are the others, and chameleon-directed is chameleon.
TEST(RealData, DirectedReleasesAreTheSameGraphs) {
  SKIP_WITHOUT_DATA(data);
  using Pairs = std::set<std::pair<Index, Index>>;
  const auto directed = [&](const std::string& name) {
    Pairs out;
    for (Edge e : load_named(name, data).edges) out.insert({e.source, e.target});
    return out;
  };
  const auto undirected = [&](const std::string& name) {
    Pairs out;
    for (auto [u, v] : directed(name))
      if (u != v) out.insert(std::minmax(u, v));
    return out;
  };
  for (const std::string name : {"chameleon", "squirrel"}) {
    EXPECT_EQ(undirected(name + "-filtered"), undirected(name + "-filtered-directed"));
    EXPECT_EQ(directed(name), directed(name + "-directed"));
  }
}

TEST(RealData, FilmRowsArePlacedById) {
  SKIP_WITHOUT_DATA(data);
  const Tables t = load_named("film", data);
  ASSERT_EQ(t.file_order.size(), 7600u);
  EXPECT_EQ(t.file_order[0], 4873);
  EXPECT_EQ(t.labels[4873], 3);
  const auto row = t.features.sparse().row(4873);
  EXPECT_EQ(std::vector<Index>(row.begin(), row.end()), std::vector<Index>({77, 92, 111, 521, 770}));
}

TEST(RealData, CiteseerSplitsFourAndFiveAreSmaller) {
  SKIP_WITHOUT_DATA(data);
  const Tables t = load_named("citeseer", data);
  for (int k : {4, 5}) EXPECT_LE(t.splits[k].train.size(), 1017u);
  for (const Split& split : t.splits)
    for (const auto* nodes : {&split.train, &split.val, &split.test})
      for (Index node : *nodes) EXPECT_GE(t.labels[node], 0);
}

TEST(RealData, SynCoraHasOneSplitAndBothSpellings) {
  SKIP_WITHOUT_DATA(data);
  const Tables t = load_named("syn-cora-h0.20-r1", data);
  EXPECT_EQ(t.name, "syn-cora/h0.20-r1");
  EXPECT_EQ(t.edges.size(), 5936u);
  EXPECT_EQ(t.num_nodes(), 1490);
  EXPECT_EQ(t.features.cols(), 1433);
  ASSERT_EQ(t.splits.size(), 1u);
  EXPECT_EQ(t.splits[0].train.size(), 745u);
  for (const std::string& name : dataset_names()) {
    if (!name.starts_with("syn-cora/")) continue;
    EXPECT_EQ(load_named(name, data).classes.size(), 5u) << name;
  }
}

TEST(RealData, NpzAndTextReleasesAgree) {
  SKIP_WITHOUT_DATA(data);
  const Tables text = load_named("chameleon", data), npz = read_npz_graph(data / "npz" / "chameleon.npz");
  EXPECT_EQ(text.labels, npz.labels);
  EXPECT_EQ(text.features.sparse().offsets, npz.features.sparse().offsets);
  EXPECT_EQ(text.features.sparse().indices, npz.features.sparse().indices);
  ASSERT_EQ(npz.splits.size(), 10u);
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(text.splits[k].train, npz.splits[k].train);
    EXPECT_EQ(text.splits[k].val, npz.splits[k].val);
    EXPECT_EQ(text.splits[k].test, npz.splits[k].test);
  }
}

TEST(RealData, WrittenGraphsReadBack) {
  SKIP_WITHOUT_DATA(data);
  const TempDir dir;
  const Tables t = load_named("syn-cora/h0.50-r2", data);
  write_npz_graph(dir / "g.npz", t);
  const Tables back = read_npz_graph(dir / "g.npz");
  EXPECT_EQ(back.labels, t.labels);
  EXPECT_EQ(back.features.sparse().indices, t.features.sparse().indices);
  EXPECT_EQ(back.splits.at(0).test, t.splits.at(0).test);
  ASSERT_EQ(back.edges.size(), t.edges.size());
  for (std::size_t i = 0; i < t.edges.size(); ++i) EXPECT_EQ(back.edges[i].target, t.edges[i].target);
}

}  // namespace
}  // namespace gcnh
