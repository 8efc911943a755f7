// gcnh shard: a graph in parts, a file for each.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"

namespace gcnh::cli {
namespace {

struct ShardFlags {
  DataFlags data;
  int parts = 0;
  int split = 0;
  std::string out;
  bool force = false;
  bool json = false;
};

// Earlier parts are replaced, other files only when asked.
void check_shard_files(const ShardFlags& flags) {
  for (const std::filesystem::path& file : shard_files(flags.out, flags.parts)) {
    check_output(flags.data, file.string());
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
      fail(Status::usage, "'", file.string(), "' is a folder; take another --out");
    if (flags.force || is_shard_file(file) || !std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
      continue;
    fail(Status::usage, "'", file.string(), "' is there already and no part of a graph; --force replaces it");
  }
}

// As it would be trained; the columns of a table become numbers by the training nodes of one split.
Dataset whole_graph(const ShardFlags& flags, std::string& hash) {
  const Experiment e = prepare(data_setup(flags.data), load_tables(flags.data));
  check_splits(*e.dataset, {flags.split});
  hash = e.hash;
  Dataset out = *split_dataset(e, flags.split);
  if (out.columns) out.splits = {e.dataset->splits[flags.split]};
  return out;
}

void print_shards(const ShardedGraph& g, const ShardSummary& s, const std::string& folder) {
  fmt::print("{}\n{} of {}\n", folder, counted(g.num_parts(), "part"), counted(std::ssize(g.part_of), "node"));
  fmt::print("halo       {}, {:.3f} per node; random parts have {}\n", counted(s.halo_rows, "row"), s.halo_per_node,
             s.random_halo_rows);
  fmt::print("largest    {}; the most stored entries are {:.3f} of the mean,\n", counted(s.largest, "node"),
             s.entries_imbalance);
  fmt::print("           the most training nodes {:.3f}\n", s.training_imbalance);
  fmt::print("files      graph.gcnh and {} of {:.1f} MB in all\n", counted(g.num_parts(), "part"),
             static_cast<double>(s.bytes) / 1e6);
}

void shard(const ShardFlags& flags) {
  check_shard_files(flags);
  std::string hash;
  const Dataset graph = whole_graph(flags, hash);
  const ShardedGraph done = write_shards(flags.out, graph, hash, partition(graph, flags.parts), flags.parts);
  const ShardSummary summary = summarize(done, graph);
  if (flags.json) {
    fmt::print("{}", shards_json(done, summary));
  } else {
    print_shards(done, summary, flags.out);
  }
}

}  // namespace

void add_shard(CLI::App& app) {
  auto flags = std::make_shared<ShardFlags>();
  CLI::App* command = app.add_subcommand("shard", "a graph in parts that need little of each other, a file for each");
  add_data_flags(*command, flags->data);
  command->add_option("--parts", flags->parts, "how many")
      ->required()
      ->check(CLI::Range(1, kMostShards));
  command->add_option("--split", flags->split,
                      "of a table with columns: the split whose training nodes make numbers of them, and the only one "
                      "that is kept")
      ->capture_default_str();
  command->add_option("--out", flags->out, "folder for graph.gcnh and part-00000.gcnh ...")->required();
  command->add_flag("--force", flags->force, "replace files of these names that are no parts of a graph");
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  add_quiet_flag(*command, flags->data);
  command->footer(
      "Earlier parts in the folder are replaced. Halo: the rows that travel when every part borrows what it needs.\n"
      "No command trains from the files yet: gcnh train --parts N divides the graph by itself.\n"
      "For example: gcnh shard --data cora --parts 16 --out cora-16");
  command->callback([flags] { shard(*flags); });
}

}  // namespace gcnh::cli
