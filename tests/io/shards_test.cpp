#include "gcnh/io/shards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "gcnh/graph/partition.h"
#include "gcnh/io/file.h"
#include "gcnh/io/part_file.h"
#include "tests/io/io_tools.h"
#include "tests/support/random_graph.h"
#include "tests/support/temp_dir.h"

namespace gcnh::testing {
namespace {

namespace fs = std::filesystem;

void expect_same_matrix(const Csr& a, const Csr& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.indices, b.indices);
  EXPECT_EQ(a.values, b.values);
}

void expect_same_part(const Part& a, const Part& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.num_own, b.num_own);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.feature_entries, b.feature_entries);
  EXPECT_EQ(a.looped_entries, b.looped_entries);
  ASSERT_EQ(a.neighbours.size(), b.neighbours.size());
  for (std::size_t i = 0; i < a.neighbours.size(); ++i) {
    EXPECT_EQ(a.neighbours[i].part, b.neighbours[i].part);
    EXPECT_EQ(a.neighbours[i].lent, b.neighbours[i].lent);
    EXPECT_EQ(a.neighbours[i].begin, b.neighbours[i].begin);
    EXPECT_EQ(a.neighbours[i].end, b.neighbours[i].end);
  }
  EXPECT_EQ(a.dataset.name, b.dataset.name);
  EXPECT_EQ(a.dataset.weighted, b.dataset.weighted);
  EXPECT_EQ(a.dataset.classes, b.dataset.classes);
  EXPECT_EQ(a.dataset.labels, b.dataset.labels);
  EXPECT_EQ(a.dataset.whole_sums.rows, b.dataset.whole_sums.rows);
  EXPECT_EQ(a.dataset.whole_sums.columns, b.dataset.whole_sums.columns);
  expect_same_matrix(a.dataset.adjacency, b.dataset.adjacency);
  ASSERT_EQ(a.dataset.features.is_sparse(), b.dataset.features.is_sparse());
  if (a.dataset.features.is_sparse()) {
    expect_same_matrix(a.dataset.features.sparse(), b.dataset.features.sparse());
  } else {
    EXPECT_EQ(a.dataset.features.dense(), b.dataset.features.dense());
  }
}

Dataset sharded_example(std::uint64_t seed, bool dense) {
  const GraphShape shape{.nodes = 60, .directed = seed % 2 == 1, .weights = seed % 3 == 0};
  Dataset d = random_dataset(shape, 7, 3, Rng(seed));
  if (dense) d.features = Features(filled(d.features.sparse()));
  d.ids.clear();
  for (Index u = 0; u < d.num_nodes(); ++u) d.ids.push_back("node " + std::to_string(u));
  d.splits = {{{0, 1, 2}, {3, 4}, {5}}, {{6}, {}, {0, 1}}};
  return d;
}

// The file of a graph again, with other splits.
void replace_splits(const fs::path& file, const std::vector<std::int64_t>& sizes, const std::vector<Index>& nodes) {
  constexpr SectionKind kind{"graph", 1};
  SectionReader in(file, kind);
  SectionWriter out(kind);
  out.text("about", in.text("about"));
  const auto part_of = in.array<int>("part_of"), labels = in.array<int>("labels");
  in.array<std::int64_t>("split_sizes");
  in.array<Index>("split_nodes");
  out.array("part_of", part_of);
  out.array("labels", labels);
  out.array("split_sizes", sizes);
  out.array("split_nodes", nodes);
  for (const char* name : {"classes", "ids", "feature_names"}) out.texts(name, in.texts(name));
  out.write(file);
}

class ShardsTest : public ::testing::Test {
 protected:
  ShardedGraph write(const Dataset& d, int parts) const {
    return write_shards(folder_, d, "0123456789abcdef", partition(d, parts), parts);
  }

  TempDir dir_;
  fs::path folder_ = dir_ / "new" / "shards";
};

TEST_F(ShardsTest, HoldThePartsBitForBit) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Dataset d = sharded_example(seed, seed >= 3);
    for (const int parts : {1, seed == 0 ? 62 : 4}) {
      write(d, parts);
      const std::vector<Part> expected = cut(d, partition(d, parts), parts);
      const ShardedGraph g = read_sharded_graph(folder_);
      ASSERT_EQ(g.num_parts(), parts);
      for (int p = 0; p < parts; ++p) expect_same_part(read_shard(folder_, g, p), expected[p]);
    }
  }
}

TEST_F(ShardsTest, TheGraphFileSaysWhatPartsHaveInCommon) {
  const Dataset d = sharded_example(1, false);
  const ShardedGraph written = write(d, 5);
  const ShardedGraph g = read_sharded_graph(folder_);
  EXPECT_EQ(g.name, d.name);
  EXPECT_EQ(g.hash, "0123456789abcdef");
  EXPECT_EQ(g.num_edges, d.num_edges);
  EXPECT_EQ(g.classes, d.classes);
  EXPECT_EQ(g.ids, d.ids);
  EXPECT_EQ(g.feature_names, d.feature_names);
  EXPECT_EQ(g.labels, d.labels);
  EXPECT_EQ(g.part_of, partition(d, 5));
  ASSERT_EQ(g.splits.size(), 2u);
  for (int s = 0; s < 2; ++s) {
    EXPECT_EQ(g.splits[s].train, d.splits[s].train);
    EXPECT_EQ(g.splits[s].val, d.splits[s].val);
    EXPECT_EQ(g.splits[s].test, d.splits[s].test);
  }
  for (int p = 0; p < 5; ++p) {
    const Part part = read_shard(folder_, g, p);
    EXPECT_EQ(g.shards[p].size.nodes, part.num_own);
    EXPECT_EQ(g.shards[p].size.ghosts, part.num_ghosts());
    EXPECT_EQ(g.shards[p].bytes, written.shards[p].bytes);
    EXPECT_EQ(g.shards[p].bytes, fs::file_size(shard_files(folder_, 5)[p + 1]));
  }
}

TEST_F(ShardsTest, FewerPartsLeaveNoneBehind) {
  const Dataset d = sharded_example(2, false);
  write(d, 9);
  write_text(folder_ / "mine.txt", "kept");
  write(d, 2);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"graph.gcnh", "mine.txt", "part-00000.gcnh", "part-00001.gcnh"}));
}

TEST_F(ShardsTest, RefuseDamageAndStrangers) {
  const Dataset d = sharded_example(3, true);
  const ShardedGraph g = write(d, 3);
  const fs::path part = shard_files(folder_, 3)[2];
  const std::string bytes = read_file(part);
  EXPECT_TRUE(is_shard_file(part));
  write_text(part, bytes.substr(0, bytes.size() - 1));
  EXPECT_ERROR(read_shard(folder_, g, 1), "part-00001.gcnh: cut off in section 'lent'");
  std::string damaged = bytes;
  damaged.back() ^= 4;
  write_text(part, damaged);
  EXPECT_ERROR(read_shard(folder_, g, 1), "part-00001.gcnh: section 'lent' is damaged");
  damaged = bytes;
  damaged[16] = 2;
  write_text(part, damaged);
  EXPECT_ERROR(read_shard(folder_, g, 1), "part-00001.gcnh: format 2; this gcnh reads format 1");
  write(sharded_example(4, true), 3);
  EXPECT_ERROR(read_shard(folder_, g, 1), "was not written together with graph.gcnh");
  write_text(folder_ / "graph.gcnh", "not ours");
  EXPECT_FALSE(is_shard_file(folder_ / "graph.gcnh"));
  EXPECT_ERROR(read_sharded_graph(folder_), "graph.gcnh: not a file of `gcnh shard`");
}

// Checksums are right where somebody else wrote the file; what it says may still be wrong.
TEST_F(ShardsTest, RefuseNumbersThatLeadNowhere) {
  const Dataset d = sharded_example(2, false);
  const fs::path file = dir_ / "p.gcnh";
  const auto error_with = [&](const std::function<void(Part&)>& change) {
    Part part = cut(d, partition(d, 3), 3)[1];
    change(part);
    std::uint64_t fingerprint = write_part(file, part);
    return error_of([&] { read_part(file, fingerprint); });
  };
  EXPECT_EQ(error_with([](Part&) {}), "");
  const std::vector<std::pair<std::string, std::function<void(Part&)>>> wrong = {
      {"about", [](Part& p) { p.number = 3; }},
      {"about", [](Part& p) { p.num_own = p.dataset.num_nodes() + 1; }},
      {"ids", [](Part& p) { p.ids.pop_back(); }},
      {"ids", [](Part& p) { p.ids[0] = -1; }},
      {"labels", [](Part& p) { p.dataset.labels[0] = 3; }},
      {"adjacency.indices", [](Part& p) { p.dataset.adjacency.indices[0] = p.dataset.num_nodes(); }},
      {"adjacency.indices", [](Part& p) { p.dataset.adjacency.indices[0] = -1; }},
      {"adjacency.offsets", [](Part& p) { p.dataset.adjacency.offsets[1] = 1000; }},
      {"adjacency.values", [](Part& p) { p.dataset.adjacency.values = {1}; }},
      {"features.indices", [](Part& p) { p.dataset.features.sparse().indices[0] = 7; }},
      {"whole_sums.rows", [](Part& p) { p.dataset.whole_sums.rows.clear(); }},
      {"feature_entries", [](Part& p) { p.feature_entries.clear(); }},
      {"feature_entries", [](Part& p) { p.feature_entries[1] = -1; }},
      {"looped_entries", [](Part& p) { p.looped_entries.push_back(0); }},
      {"looped_entries", [](Part& p) { p.looped_entries[1] = -1; }},
      {"neighbours", [](Part& p) { p.neighbours[0].part = 3; }},
      {"ghosts_end", [](Part& p) { p.neighbours.back().end -= 1; }},
      {"lent", [](Part& p) { p.neighbours[0].lent.push_back(p.num_own); }}};
  for (const auto& [section, change] : wrong)
    EXPECT_PRED2(contains, error_with(change), "p.gcnh: section '" + section + "': ");
}

TEST_F(ShardsTest, RefusePartsThatTheGraphDoesNotHave) {
  const Dataset d = sharded_example(2, false);
  ShardedGraph g = write(d, 3);
  for (const int number : {-1, 3}) {
    EXPECT_ERROR(read_shard(folder_, g, number), "no part " + std::to_string(number) + " in a graph of 3 parts");
    EXPECT_EQ(status_of([&] { read_shard(folder_, g, number); }), Status::usage);
  }
  const auto error_with = [&](const std::function<void(Part&)>& change) {
    Part part = cut(d, partition(d, 3), 3)[1];
    change(part);
    g.shards[1].fingerprint = write_part(shard_files(folder_, 3)[2], part);
    return error_of([&] { read_shard(folder_, g, 1); });
  };
  EXPECT_EQ(error_with([](Part&) {}), "");
  EXPECT_PRED2(contains, error_with([](Part& p) { p.ids[0] = 60; }), "part-00001.gcnh: section 'ids': ");
  EXPECT_PRED2(contains, error_with([](Part& p) { p.number = 2; }), "section 'about': part 2 of 3, not 1 of 3");
  EXPECT_PRED2(contains, error_with([](Part& p) { p.count = 4; }), "section 'about': part 1 of 4, not 1 of 3");
}

TEST_F(ShardsTest, RefuseSplitsThatDoNotAddUp) {
  write(sharded_example(2, false), 3);
  const fs::path file = folder_ / "graph.gcnh";
  const std::string bytes = read_file(file);
  const auto error_with = [&](const std::vector<std::int64_t>& sizes, const std::vector<Index>& nodes) {
    write_text(file, bytes);
    replace_splits(file, sizes, nodes);
    return error_of([&] { read_sharded_graph(folder_); });
  };
  EXPECT_EQ(error_with({2, 1, 1}, {0, 1, 2, 3}), "");
  EXPECT_EQ(error_with({}, {}), "");
  EXPECT_PRED2(contains, error_with({2, 1, 1, 0}, {0, 1, 2, 3}), "graph.gcnh: section 'split_sizes' has 4 numbers");
  EXPECT_PRED2(contains, error_with({2, 1}, {0, 1, 2}), "graph.gcnh: section 'split_sizes' has 2 numbers");
  EXPECT_PRED2(contains, error_with({2, 1, 1}, {0, 1, 2, 3, 4}), "graph.gcnh: section 'split_nodes' has 1 more");
  EXPECT_PRED2(contains, error_with({2, 1, 2}, {0, 1, 2, 3}), "graph.gcnh: section 'split_sizes' asks for too many");
}

TEST_F(ShardsTest, AreSummedUpAgainstChance) {
  const Dataset d = sharded_example(5, false);
  const ShardedGraph g = write(d, 4);
  const ShardSummary s = summarize(g, d);
  EXPECT_EQ(s.halo_rows, halo_rows(measure_parts(d.adjacency, loads_of(d), partition(d, 4), 4)));
  EXPECT_DOUBLE_EQ(s.halo_per_node, static_cast<double>(s.halo_rows) / 60);
  EXPECT_GT(s.random_halo_rows, 0);
  EXPECT_GE(s.largest, 15);
  EXPECT_NE(shards_json(g, s).find("\"halo_rows\": " + std::to_string(s.halo_rows)), std::string::npos);
}

}  // namespace
}  // namespace gcnh::testing
