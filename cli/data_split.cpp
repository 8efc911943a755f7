// gcnh data split: train, validation and test nodes as a table.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"

namespace gcnh::cli {
namespace {

struct SplitFlags {
  DataFlags data;
  std::string out;
  bool force = false;
};

void split(const SplitFlags& flags) {
  check_output(flags.data, flags.out);
  check_new(flags.out, flags.force);
  Dataset d = make_dataset(load_tables(flags.data));
  if (d.splits.empty() || flags.data.asks_for_splits) {
    Setup setup;
    std::tie(setup.train_share, setup.val_share) = split_shares(flags.data);
    setup.num_splits = flags.data.num_splits;
    d.splits = random_splits(setup, d);
  }
  for (std::size_t s = 0; s < d.splits.size(); ++s) check_split(d.splits[s], d.labels, static_cast<int>(s));
  write_atomically(flags.out, splits_csv(d.splits, d.num_nodes(), d.ids));
  const Split& first = d.splits[0];
  fmt::print("{}: {} of {}; the first: {} train, {} val, {} test\n", flags.out, counted(std::ssize(d.splits), "split"),
             counted(d.num_nodes(), "node"), first.train.size(), first.val.size(), first.test.size());
}

}  // namespace

void add_data_split(CLI::App& data) {
  auto flags = std::make_shared<SplitFlags>();
  CLI::App* command = data.add_subcommand("split", "train, val or test for every node, as a table for --split-file");
  add_data_flags(*command, flags->data);
  add_quiet_flag(*command, flags->data);
  command->add_option("--out", flags->out, "CSV file: the ids, and a column per split")->required();
  command->add_flag("--force", flags->force, "replace the file");
  command->footer(
      "Random splits are those that train draws. Data that brings splits is written with these, unless --ratio or\n"
      "--num-splits asks for others.");
  command->callback([flags] { split(*flags); });
}

}  // namespace gcnh::cli
