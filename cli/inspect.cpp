// gcnh inspect: what kind of graph is this?
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

struct InspectFlags {
  DataFlags data;
  bool json = false;
};

void print_classes(const Dataset& d) {
  std::vector<Index> count(d.num_classes(), 0);
  Index unlabelled = 0;
  for (int label : d.labels) label < 0 ? ++unlabelled : ++count[label];
  std::vector<std::string> shown;
  for (Index k = 0; k < std::min<Index>(d.num_classes(), 20); ++k)
    shown.push_back(fmt::format("{} ({})", d.classes[k], count[k]));
  if (d.num_classes() > 20) shown.push_back("...");
  fmt::print("{}", in_lines(fmt::format("classes            {}:  ", d.num_classes()), shown));
  if (unlabelled > 0) fmt::print("unlabelled         {}, never scored\n", counted(unlabelled, "node"));
}

void print_compatibility(const Dataset& d) {
  if (d.num_classes() > 12) return;
  const Matrix table = class_compatibility(d);
  std::size_t width = 12;
  for (const std::string& name : d.classes) width = std::min<std::size_t>(30, std::max(width, display_width(name)));
  fmt::print("\nwhere the edges of a class lead, in percent\n");
  for (Index i = 0; i < table.rows(); ++i) {
    std::vector<std::string> shares;
    for (Index j = 0; j < table.cols(); ++j) shares.push_back(fmt::format("{:5.1f}", 100 * table(i, j)));
    const std::string name = shorten(in_one_line(d.classes[i]), width);
    fmt::print("{}", in_lines("  " + std::string(width - display_width(name), ' ') + name + "  ", shares));
  }
}

void print_weights(const Dataset& d) {
  if (!d.weighted) return;
  const Weights weights = measure_weights(d);
  fmt::print("weights            min {:.4g}  mean {:.4g}  max {:.4g}\n", weights.min, weights.mean, weights.max);
}

void print_text(const Dataset& d) {
  const Homophily h = measure_homophily(d);
  const Degrees degrees = measure_degrees(d);
  const double cells = std::max(1.0, static_cast<double>(d.num_nodes()) * d.features.cols());
  fmt::print("{}\n", in_one_line(d.name));
  fmt::print("nodes              {}\n", d.num_nodes());
  fmt::print("{}", wrapped("edges              ", fmt::format("{} undirected, repeats merged; {} beside them",
                                                              d.num_edges, counted(d.num_self_loops, "self-loop"))));
  fmt::print("direction          {} of these edges written one way only\n", d.num_one_way);
  print_weights(d);
  fmt::print("features           {}, {} not zero ({:.2f} %), kept {}\n", d.features.cols(), d.features.nonzeros(),
             100 * static_cast<double>(d.features.nonzeros()) / cells, d.features.is_sparse() ? "sparse" : "dense");
  print_classes(d);
  fmt::print("degree             min {}  median {}  mean {:.2f}  max {}  isolated {}\n", degrees.min, degrees.median,
             degrees.mean, degrees.max, degrees.isolated);
  const auto measure = [](const char* name, double value) {
    return std::isnan(value) ? fmt::format("{} -", name) : fmt::format("{} {:.4f}", name, value);
  };
  fmt::print("{}", in_lines("homophily          ",
                            {measure("edge", h.edge), measure("node", h.node),
                             measure("class-insensitive", h.class_insensitive), measure("adjusted", h.adjusted),
                             measure("label informativeness", h.label_informativeness)}));
  if (!d.splits.empty())
    fmt::print("splits             {}; the first: {} train, {} val, {} test\n", d.splits.size(),
               d.splits[0].train.size(), d.splits[0].val.size(), d.splits[0].test.size());
  print_compatibility(d);
}

void inspect(const InspectFlags& flags) {
  const Dataset d = make_dataset(load_tables(flags.data));
  if (flags.json) {
    fmt::print("{}", inspect_json(d, measure_homophily(d)));
  } else {
    print_text(d);
  }
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto flags = std::make_shared<InspectFlags>();
  CLI::App* command = app.add_subcommand("inspect", "size, degrees, homophily in four measures, label informativeness");
  add_data_flags(*command, flags->data);
  add_quiet_flag(*command, flags->data);
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  command->footer("Measured on the graph taken undirected, repeats merged, self-loops and unlabelled ends left out.");
  command->callback([flags] { inspect(*flags); });
}

}  // namespace gcnh::cli
