// gcnh data: the graphs known by name, and files made of data.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

void list(const DataFlags& flags) {
  const auto line = [](const std::string& name, const std::string& summary) {
    fmt::print("{}", wrapped(fmt::format("{:27}  ", name), summary));
  };
  line("synthetic", "built in: 1490 nodes, 5 classes, edge homophily 0.1 (gcnh synth makes others)");
  for (const CatalogEntry& entry : catalog()) line(entry.name, entry.summary);
  line("syn-cora/hH-rR", "36 synthetic graphs with Cora's features, H = 0.00, 0.10 ... 0.90, 0.99, 1.00, R = 1, 2, 3");
  fmt::print("\n{}",
             wrapped("", fmt::format("looked for in {} (--data-dir or GCNH_DATA), as their authors released them:",
                                     data_dir(flags).string())));
  const auto place = [](const std::string& files, const std::string& what, const std::string& where) {
    fmt::print("{}", row(files, what + ": github.com/" + where, 32));
  };
  place("geom-gcn/NAME/out1_*.txt", "cornell to squirrel", "graphdml-uiuc-jlu/geom-gcn");
  place("geom-gcn/splits/NAME_split_*", "the ten splits of all eight graphs", "graphdml-uiuc-jlu/geom-gcn");
  place("geom-gcn/relations/outf_*", "for Geom-GCN, else computed", "graphdml-uiuc-jlu/geom-gcn");
  place("planetoid/ind.NAME.*", "cora, citeseer", "kimiyoung/planetoid");
  place("npz/NAME.npz", "the others; cornell-fixed is cornell.npz, a hyphen is an underscore there",
        "yandex-research/heterophilous-graphs");
  place("syn-cora/hH-rR.npz", "the last ones", "GemsLab/H2GCN");
}

void show(const std::string& name, const DataFlags& flags) {
  DataFlags source = flags;
  source.data = name;
  const Tables tables = load_tables(source);
  for (const CatalogEntry& entry : catalog()) {
    if (entry.name != tables.name) continue;
    fmt::print("{}{}", wrapped("", entry.name + ": " + entry.summary), wrapped("", entry.note));
  }
  std::size_t labelled = 0;
  for (int label : tables.labels) labelled += label >= 0;
  fmt::print("\n{}",
             in_lines("as written   ",
                      {fmt::format("{} ({} labelled)", counted(tables.num_nodes(), "node"), labelled),
                       counted(std::ssize(tables.edges), "edge line"),
                       fmt::format("{} with {} not zero", counted(tables.features.cols(), "feature"),
                                   tables.features.nonzeros()),
                       counted(std::ssize(tables.classes), "class"), counted(std::ssize(tables.splits), "split")}));
  const Dataset d = make_dataset(tables);
  fmt::print("clean view   {}, {} dropped\n", counted(d.num_edges, "undirected edge"),
             counted(d.num_self_loops, "self-loop"));
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* command = app.add_subcommand("data", "the graphs known by name, splits as files, graphs in other forms");
  command->require_subcommand(1);
  auto flags = std::make_shared<DataFlags>();
  auto name = std::make_shared<std::string>();
  CLI::App* list_command = command->add_subcommand("list", "names and where they are looked for");
  CLI::App* show_command = command->add_subcommand("show", "what a graph is, and what to know about its files");
  show_command->add_option("NAME", *name, "a name of gcnh data list")->required();
  for (CLI::App* c : {list_command, show_command})
    c->add_option("--data-dir", flags->data_dir, "where the known graphs are");
  add_data_split(*command);
  add_convert(*command);
  list_command->callback([flags] { list(*flags); });
  show_command->callback([flags, name] { show(*name, *flags); });
}

}  // namespace gcnh::cli
