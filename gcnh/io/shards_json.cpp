#include <algorithm>
#include <nlohmann/json.hpp>

#include "gcnh/io/shards.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

constexpr std::uint64_t kComparisonSeed = 1;  // of the random parts

std::vector<PartSize> sizes_of(const ShardedGraph& g) {
  std::vector<PartSize> out;
  for (const ShardFile& shard : g.shards) out.push_back(shard.size);
  return out;
}

}  // namespace

ShardSummary summarize(const ShardedGraph& g, const Dataset& whole) {
  const std::vector<PartSize> sizes = sizes_of(g);
  const int parts = g.num_parts();
  const std::vector<int> chance = random_partition(whole.num_nodes(), parts, kComparisonSeed);
  ShardSummary out;
  out.halo_rows = halo_rows(sizes);
  out.random_halo_rows = halo_rows(measure_parts(whole.adjacency, loads_of(whole), chance, parts));
  out.halo_per_node = static_cast<double>(out.halo_rows) / std::max<Index>(1, whole.num_nodes());
  out.entries_imbalance = imbalance(sizes, &PartSize::entries);
  out.training_imbalance = imbalance(sizes, &PartSize::training);
  for (const ShardFile& shard : g.shards) {
    out.largest = std::max(out.largest, shard.size.nodes);
    out.most_ghosts = std::max(out.most_ghosts, shard.size.ghosts);
    out.bytes += shard.bytes;
  }
  return out;
}

std::string shards_json(const ShardedGraph& g, const ShardSummary& s) {
  json out = {{"name", g.name},
              {"hash", g.hash},
              {"nodes", g.part_of.size()},
              {"edges", g.num_edges},
              {"parts", g.num_parts()},
              {"halo_rows", s.halo_rows},
              {"halo_per_node", s.halo_per_node},
              {"random_halo_rows", s.random_halo_rows},
              {"largest_part", s.largest},
              {"most_ghosts", s.most_ghosts},
              {"imbalance", {{"entries", s.entries_imbalance}, {"training", s.training_imbalance}}},
              {"bytes", s.bytes},
              {"shards", json::array()}};
  for (const ShardFile& shard : g.shards) {
    const auto& [nodes, entries, training, ghosts, lenders, lent] = shard.size;
    out["shards"].push_back({{"nodes", nodes},
                             {"entries", entries},
                             {"training", training},
                             {"ghosts", ghosts},
                             {"lenders", lenders},
                             {"lent", lent},
                             {"bytes", shard.bytes}});
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh
