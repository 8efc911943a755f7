// A graph in parts, as files of one folder: graph.gcnh, which says what the parts have in common, and part-00000.gcnh
// and so on, one for each (docs/formats.md). A job reads the parts that it trains and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/graph/part.h"
#include "gcnh/graph/part_sizes.h"

namespace gcnh {

struct ShardFile {
  PartSize size;
  std::uint64_t bytes = 0;        // of the file
  std::uint64_t fingerprint = 0;  // of what is in it
};

// What is known of all nodes without reading a part.
struct ShardedGraph {
  std::string name;
  std::string hash;  // fingerprint of the dataset, as in the results of a run
  Offset num_edges = 0;
  std::vector<std::string> classes, ids, feature_names;  // as in Dataset
  std::vector<int> labels;
  std::vector<Split> splits;
  std::vector<int> part_of;       // of every node
  std::vector<ShardFile> shards;  // one per part

  int num_parts() const { return static_cast<int>(shards.size()); }
};

inline constexpr int kMostShards = 65536;

// What write_shards writes, graph.gcnh first.
std::vector<std::filesystem::path> shard_files(const std::filesystem::path& folder, int parts);
// Whether it begins as a file of this format does, of any version.
bool is_shard_file(const std::filesystem::path& path);

// The folder is made where it is missing; earlier parts in it are replaced, also those that are one too many now.
// graph.gcnh goes first and comes back last, so that a folder that has it is complete.
ShardedGraph write_shards(const std::filesystem::path& folder, const Dataset& dataset, const std::string& hash,
                          const std::vector<int>& part_of, int parts);

// Throws a data error that names file and section for what is cut off, damaged or of another format.
ShardedGraph read_sharded_graph(const std::filesystem::path& folder);
// A part of that graph; also throws for a file that was not written with it.
Part read_shard(const std::filesystem::path& folder, const ShardedGraph& graph, int number);

// How good the parts are.
struct ShardSummary {
  Offset halo_rows = 0, random_halo_rows = 0;  // of these parts; of as many random ones
  double halo_per_node = 0;
  Index largest = 0, most_ghosts = 0;
  double entries_imbalance = 1, training_imbalance = 1;  // the largest share over the mean
  std::uint64_t bytes = 0;                               // of all parts
};
ShardSummary summarize(const ShardedGraph& graph, const Dataset& whole);
std::string shards_json(const ShardedGraph& graph, const ShardSummary& summary);

}  // namespace gcnh
