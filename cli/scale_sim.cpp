// gcnh scale-sim: what a training would take on many ranks, from real parts and a model of the network.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"

namespace gcnh::cli {
namespace {

struct ScaleSimFlags {
  DataFlags data;
  std::string shape;
  std::vector<int> parts = {2, 4, 8, 16};
  OptionFlags options;
  bool json = false;
};

std::shared_ptr<const Dataset> simulated_graph(const ScaleSimFlags& flags) {
  if (!flags.shape.empty()) return std::make_shared<Dataset>(make_dataset(make_shape(named_shape(flags.shape))));
  const Experiment e = prepare(data_setup(flags.data), load_tables(flags.data));
  if (!e.dataset->columns) return e.dataset;
  Dataset d = *split_dataset(e, 0);
  d.splits = {e.dataset->splits[0]};
  return std::make_shared<Dataset>(std::move(d));
}

void print_inputs(const Dataset& d, const ScaleOptions& o) {
  fmt::print("{}  {}  {}\n", d.name, counted(d.num_nodes(), "node"), counted(d.num_edges, "edge"));
  fmt::print("gcnh       {} of {}, full batch, one core per rank\n", counted(o.layers, "layer"), o.hidden);
  fmt::print("network    {} us a message, {} GB/s a rank, {:.0f} % of the halo behind computing\n", o.alpha, o.beta,
             100 * o.overlap);
  fmt::print("measured   parts, halo and compute (of {} a row); the rest is predicted\n\n",
             counted(o.timed_parts, "part"));
  fmt::print("{:>5}  {:>9}  {:>9}  {:>10}  {:>7}  {:>7}  {:>9}  {:>10}\n", "ranks", "halo/node", "imbalance",
             "compute ms", "halo ms", "sum ms", "step ms", "efficiency");
}

void print_point(const ScalePoint& p) {
  fmt::print("{:>5}  {:>9.3f}  {:>9.3f}  {:>10.3f}  {:>7.3f}  {:>7.3f}  {:>9.3f}  {:>10.3f}\n", p.parts,
             p.halo_per_node, p.imbalance, 1e3 * p.compute, 1e3 * p.halo, 1e3 * p.sum, 1e3 * p.step, p.efficiency);
}

void scale_sim(const ScaleSimFlags& flags) {
  ScaleOptions options;
  assign(options, flags.options.values());
  const std::shared_ptr<const Dataset> d = simulated_graph(flags);
  if (flags.json) {
    fmt::print("{}", scale_json(*d, options, forecast_scale(*d, options, flags.parts)));
    return;
  }
  print_inputs(*d, options);
  forecast_scale(*d, options, flags.parts, print_point);
}

}  // namespace

void add_scale_sim(CLI::App& app) {
  auto flags = std::make_shared<ScaleSimFlags>();
  CLI::App* command = app.add_subcommand("scale-sim", "predict what a training takes on many ranks");
  add_data_flags(*command, flags->data);
  CLI::Option* shape = command->add_option("--shape", flags->shape, "a generated graph instead: arxiv | products");
  for (const char* data : {"--data", "--nodes", "--edges", "--sqlite", "--split-file", "--direction", "--directed"})
    shape->excludes(data);
  take_list(command->add_option("--parts-list", flags->parts, "numbers of ranks, each with one part"))
      ->check(CLI::Range(1, kMostShards))
      ->capture_default_str();
  for (const OptionInfo& info : describe<ScaleOptions>()) flags->options.add(*command, info, "Model");
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  add_quiet_flag(*command, flags->data);
  command->footer(
      "Parts are real and the work of the largest is timed here, on one core; the network is a model, and so is the "
      "sum.\n"
      "For example: gcnh scale-sim --shape arxiv --parts-list 2,16");
  command->callback([flags] { scale_sim(*flags); });
}

}  // namespace gcnh::cli
