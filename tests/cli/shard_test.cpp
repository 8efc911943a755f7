// gcnh shard: a graph in parts, a file for each.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gcnh/io/shards.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

namespace fs = std::filesystem;

class ShardCommand : public ::testing::Test {
 protected:
  Answer shard(std::vector<std::string> more) const {
    more.insert(more.begin(), {"shard", "--out", folder_.string()});
    return run_program(more);
  }
  nlohmann::json sharded(std::vector<std::string> more) const {
    more.push_back("--json");
    const Answer a = shard(more);
    EXPECT_EQ(a.code, 0) << a.err;
    return nlohmann::json::parse(a.out);
  }

  TempDir dir_;
  fs::path folder_ = dir_ / "parts";
};

TEST_F(ShardCommand, WritesPartsThatCanBeRead) {
  const nlohmann::json told = sharded({"--parts", "8"});
  EXPECT_EQ(told["nodes"], 1490);
  EXPECT_EQ(told["parts"], 8);
  EXPECT_LT(told["halo_rows"], told["random_halo_rows"]);
  const ShardedGraph g = read_sharded_graph(folder_);
  ASSERT_EQ(g.num_parts(), 8);
  EXPECT_EQ(g.splits.size(), 10u);
  EXPECT_EQ(told["hash"], g.hash);
  Index own = 0, ghosts = 0;
  for (int p = 0; p < 8; ++p) {
    const Part part = read_shard(folder_, g, p);
    own += part.num_own;
    ghosts += part.num_ghosts();
    EXPECT_EQ(told["shards"][p]["nodes"], part.num_own);
  }
  EXPECT_EQ(own, 1490);
  EXPECT_EQ(told["halo_rows"], ghosts);
  const Answer text = shard({"--parts", "8"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("8 parts of 1490 nodes"), std::string::npos) << text.out;
}

TEST_F(ShardCommand, GivesTheSameFilesAgain) {
  sharded({"--parts", "5"});
  const std::string before = slurp(folder_ / "graph.gcnh");
  sharded({"--parts", "3"});
  EXPECT_FALSE(fs::exists(folder_ / "part-00004.gcnh"));
  sharded({"--parts", "5"});
  EXPECT_EQ(slurp(folder_ / "graph.gcnh"), before);
}

TEST_F(ShardCommand, ReplacesPartsAlone) {
  fs::create_directories(folder_);
  write_text(folder_ / "part-00001.gcnh", "mine");
  const Answer refused = shard({"--parts", "2"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("part-00001.gcnh' is there already and no part of a graph; --force"), std::string::npos)
      << refused.err;
  EXPECT_FALSE(fs::exists(folder_ / "graph.gcnh"));
  EXPECT_EQ(slurp(folder_ / "part-00001.gcnh"), "mine");
  EXPECT_EQ(shard({"--parts", "2", "--force"}).code, 0);
  EXPECT_EQ(read_sharded_graph(folder_).num_parts(), 2);
}

TEST_F(ShardCommand, FitsColumnsOfTablesToOneSplit) {
  std::string nodes = "id,label,job\n", edges = "source,target\n";
  for (int i = 0; i < 40; ++i) {
    nodes += "n" + std::to_string(i) + (i % 2 ? ",a,cook\n" : ",b,baker\n");
    edges += "n" + std::to_string(i) + ",n" + std::to_string((i + 1) % 40) + "\n";
  }
  write_text(dir_ / "nodes.csv", nodes);
  write_text(dir_ / "edges.csv", edges);
  const std::vector<std::string> data = {"--nodes", dir_ / "nodes.csv", "--edges", dir_ / "edges.csv", "--quiet"};
  std::vector<std::string> args = {"--parts", "2", "--split", "3"};
  args.insert(args.end(), data.begin(), data.end());
  sharded(args);
  const ShardedGraph g = read_sharded_graph(folder_);
  EXPECT_EQ(g.splits.size(), 1u);
  EXPECT_EQ(g.ids[7], "n7");
  EXPECT_EQ(read_shard(folder_, g, 0).dataset.features.cols(), std::ssize(g.feature_names));
  args[3] = "10";
  const Answer refused = shard(args);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("10 is outside 0..9"), std::string::npos) << refused.err;
}

TEST_F(ShardCommand, RefusesWhatCannotBe) {
  EXPECT_EQ(shard({"--parts", "0"}).code, 2);
  EXPECT_EQ(shard({}).code, 2);
  const Answer apart = shard({"--parts", "2", "--direction", "separate"});
  EXPECT_EQ(apart.code, 2);
  EXPECT_NE(apart.err.find("cannot be kept apart"), std::string::npos) << apart.err;
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(ShardCommand, KeepsAnEarlierGraphWhereItRefuses) {
  sharded({"--parts", "2"});
  const std::string kept = slurp(folder_ / "graph.gcnh");
  EXPECT_EQ(shard({"--parts", "2", "--direction", "separate"}).code, 2);
  ASSERT_TRUE(fs::exists(folder_ / "graph.gcnh"));
  EXPECT_EQ(slurp(folder_ / "graph.gcnh"), kept);
}

TEST_F(ShardCommand, LooksAtAllNamesBeforeItReplacesAny) {
  sharded({"--parts", "3"});
  fs::remove(folder_ / "part-00002.gcnh");
  fs::create_directory(folder_ / "part-00002.gcnh");
  const std::string kept = slurp(folder_ / "graph.gcnh");
  const Answer a = shard({"--parts", "3", "--force"});
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("part-00002.gcnh' is a folder"), std::string::npos) << a.err;
  EXPECT_EQ(slurp(folder_ / "graph.gcnh"), kept);
}

}  // namespace
}  // namespace gcnh::testing
