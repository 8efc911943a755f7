// gcnh synth: a graph of chosen homophily, written as .npz.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"

namespace gcnh::cli {
namespace {

struct SynthFlags {
  OptionFlags options;
  std::string source;
  std::string data_dir;
  std::string out;
  bool force = false;
};

void synth(const SynthFlags& flags) {
  DataFlags data;
  data.data = flags.source;
  data.data_dir = flags.data_dir;
  check_output(data, flags.out);
  check_new(flags.out, flags.force);
  SyntheticOptions options;
  assign(options, flags.options.values());
  Tables tables;
  if (flags.source.empty()) {
    tables = make_synthetic(options);
  } else {
    const Tables source = load_tables(data);
    tables = make_synthetic(options, &source);
  }
  write_npz_graph(flags.out, tables);
  const Dataset d = make_dataset(std::move(tables));
  fmt::print("{}  {}  {}  edge homophily {:.3f}\n", flags.out, counted(d.num_nodes(), "node"),
             counted(d.num_edges, "edge"), measure_homophily(d).edge);
}

}  // namespace

void add_synth(CLI::App& app) {
  auto flags = std::make_shared<SynthFlags>();
  CLI::App* command = app.add_subcommand("synth", "make a graph whose homophily you choose");
  for (const OptionInfo& info : describe<SyntheticOptions>()) flags->options.add(*command, info, "Graph");
  command->add_option("--source", flags->source, "take the features from this graph (for example cora)");
  command->add_option("--data-dir", flags->data_dir, "where the known graphs are");
  command->add_option("--out", flags->out, "the .npz file to write")->required();
  command->add_flag("--force", flags->force, "replace the file");
  command->footer("Then: gcnh train --data FILE.npz");
  command->callback([flags] { synth(*flags); });
}

}  // namespace gcnh::cli
