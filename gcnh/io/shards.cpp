#include "gcnh/io/shards.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/json.h"
#include "gcnh/io/part_file.h"
#include "gcnh/io/sections.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr SectionKind kGraphFile{"graph", 1};

fs::path graph_file(const fs::path& folder) { return folder / "graph.gcnh"; }
fs::path part_file(const fs::path& folder, int number) { return folder / fmt::format("part-{:05}.gcnh", number); }

bool is_name_of_shard(const std::string& name) {
  return name == "graph.gcnh" || (name.starts_with("part-") && name.ends_with(".gcnh"));
}

json shard_json(const ShardFile& shard) {
  const auto& [nodes, entries, training, ghosts, lenders, lent] = shard.size;
  return {{"nodes", nodes},     {"entries", entries}, {"training", training}, {"ghosts", ghosts},
          {"lenders", lenders}, {"lent", lent},       {"bytes", shard.bytes}, {"fingerprint", shard.fingerprint}};
}

ShardFile shard_from(const json& j) {
  const PartSize size{j.at("nodes"), j.at("entries"), j.at("training"), j.at("ghosts"), j.at("lenders"), j.at("lent")};
  return {size, j.at("bytes"), j.at("fingerprint")};
}

void write_graph_file(const fs::path& folder, const ShardedGraph& g) {
  json about = {{"name", g.name}, {"hash", g.hash}, {"edges", g.num_edges}, {"shards", json::array()}};
  for (const ShardFile& shard : g.shards) about["shards"].push_back(shard_json(shard));
  std::vector<std::int64_t> split_sizes;  // of train, val and test of one split after the other
  std::vector<Index> split_nodes;
  for (const Split& split : g.splits)
    for (const auto* nodes : {&split.train, &split.val, &split.test}) {
      split_sizes.push_back(std::ssize(*nodes));
      split_nodes.insert(split_nodes.end(), nodes->begin(), nodes->end());
    }
  SectionWriter out(kGraphFile);
  out.text("about", about.dump(-1, ' ', false, json::error_handler_t::replace));
  out.array("part_of", g.part_of);
  out.array("labels", g.labels);
  out.array("split_sizes", split_sizes);
  out.array("split_nodes", split_nodes);
  out.texts("classes", g.classes);
  out.texts("ids", g.ids);
  out.texts("feature_names", g.feature_names);
  out.write(graph_file(folder));
}

std::vector<Split> read_splits(SectionReader& in) {
  const auto sizes = in.array<std::int64_t>("split_sizes");
  const auto nodes = in.array<Index>("split_nodes");
  require(sizes.size() % 3 == 0, in.path(), ": section 'split_sizes' has ", sizes.size(),
          " numbers, not three per split");
  std::vector<Split> out(sizes.size() / 3);
  auto at = nodes.begin();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    require(sizes[i] >= 0 && sizes[i] <= nodes.end() - at, in.path(),
            ": section 'split_sizes' asks for too many nodes");
    Split& split = out[i / 3];
    (i % 3 == 0 ? split.train : i % 3 == 1 ? split.val : split.test).assign(at, at + sizes[i]);
    at += sizes[i];
  }
  require(at == nodes.end(), in.path(), ": section 'split_nodes' has ", nodes.end() - at, " more than 'split_sizes'");
  return out;
}

// What the sections say of each other.
void check_graph(const ShardedGraph& g, const std::string& path) {
  const auto check = [&](bool holds, const char* what) { require(holds, path, ": ", what, " cannot be"); };
  const auto within = [](int x, int low, std::int64_t end) { return x >= low && x < end; };
  const std::size_t nodes = g.part_of.size();
  check(std::all_of(g.part_of.begin(), g.part_of.end(), [&](int p) { return within(p, 0, g.num_parts()); }),
        "its parts of nodes");
  check(g.labels.size() == nodes &&
            std::all_of(g.labels.begin(), g.labels.end(), [&](int k) { return within(k, -1, std::ssize(g.classes)); }),
        "its labels");
  check(g.ids.empty() || g.ids.size() == nodes, "its number of ids");
  for (const Split& split : g.splits)
    for (const auto* list : {&split.train, &split.val, &split.test})
      check(std::all_of(list->begin(), list->end(), [&](Index u) { return within(u, 0, std::ssize(g.part_of)); }),
            "its splits");
}

// What an earlier graph of more parts has left, and programs that were killed.
void remove_further_parts(const fs::path& folder, int parts) {
  remove_leftovers(folder, is_name_of_shard);
  for (int p = parts; p < kMostShards && is_shard_file(part_file(folder, p)); ++p) fs::remove(part_file(folder, p));
}

}  // namespace

std::vector<fs::path> shard_files(const fs::path& folder, int parts) {
  std::vector<fs::path> out{graph_file(folder)};
  for (int p = 0; p < parts; ++p) out.push_back(part_file(folder, p));
  return out;
}

bool is_shard_file(const fs::path& path) { return begins_as(path, kGraphFile) || begins_as(path, kPartFile); }

ShardedGraph write_shards(const fs::path& folder, const Dataset& d, const std::string& hash,
                          const std::vector<int>& part_of, int parts) {
  require(parts <= kMostShards, "parts ", parts, "; allowed: 1..", kMostShards);
  ShardedGraph out{d.name, hash, d.num_edges, d.classes, d.ids, d.feature_names, d.labels, d.splits, part_of, {}};
  const std::vector<PartSize> sizes = measure_parts(d.adjacency, loads_of(d), part_of, parts);
  const std::vector<Part> pieces = cut(d, part_of, parts);  // before anything is removed, as it may throw
  make_folders(folder);
  fs::remove(graph_file(folder));
  for (const Part& part : pieces) {
    const fs::path file = part_file(folder, part.number);
    const std::uint64_t fingerprint = write_part(file, part);
    out.shards.push_back({sizes[part.number], fs::file_size(file), fingerprint});
  }
  remove_further_parts(folder, parts);
  write_graph_file(folder, out);
  return out;
}

ShardedGraph read_sharded_graph(const fs::path& folder) {
  SectionReader in(graph_file(folder), kGraphFile);
  ShardedGraph out;
  try {
    const json about = parse_json<json>(in.text("about"), in.path());
    about.at("name").get_to(out.name);
    about.at("hash").get_to(out.hash);
    about.at("edges").get_to(out.num_edges);
    for (const json& shard : about.at("shards")) out.shards.push_back(shard_from(shard));
  } catch (const json::exception& problem) {
    fail(Status::data, in.path(), ": section 'about': ", problem.what());
  }
  out.part_of = in.array<int>("part_of");
  out.labels = in.array<int>("labels");
  out.splits = read_splits(in);
  out.classes = in.texts("classes");
  out.ids = in.texts("ids");
  out.feature_names = in.texts("feature_names");
  in.finish();
  check_graph(out, in.path());
  return out;
}

Part read_shard(const fs::path& folder, const ShardedGraph& graph, int number) {
  if (number < 0 || number >= graph.num_parts())
    fail(Status::usage, "no part ", number, " in a graph of ", counted(graph.num_parts(), "part"));
  const ShardFile& expected = graph.shards[static_cast<std::size_t>(number)];
  const fs::path file = part_file(folder, number);
  std::uint64_t fingerprint = 0;
  Part out = read_part(file, fingerprint);
  require(fingerprint == expected.fingerprint, file.string(),
          ": it was not written together with graph.gcnh; run gcnh ", "shard again, or copy the whole folder");
  require(out.number == number && out.count == graph.num_parts(), file.string(), ": section 'about': part ", out.number,
          " of ", out.count, ", not ", number, " of ", graph.num_parts());
  require(std::all_of(out.ids.begin(), out.ids.end(), [&](Index u) { return u < std::ssize(graph.part_of); }),
          file.string(), ": section 'ids': a node that the graph does not have");
  return out;
}

}  // namespace gcnh
