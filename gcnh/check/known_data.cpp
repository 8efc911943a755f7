// Graphs that papers report on: is this the one its name, size or parts say it is?
#include <algorithm>

#include "gcnh/check/fingerprint.h"
#include "gcnh/check/rules.h"

namespace gcnh {
namespace {

using Part = std::uint64_t Fingerprint::*;

const KnownGraph* find_by(Part part, const Fingerprint& print) {
  for (const KnownGraph& graph : known_graphs())
    if (graph.print.*part != 0 && graph.print.*part == print.*part) return &graph;
  return nullptr;
}

// chameleon_filtered and actor are names of the same graphs.
const KnownGraph* find_by_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  if (name == "actor") name = "film";
  if (name.ends_with("-directed")) name.resize(name.size() - std::string("-directed").size());
  for (const KnownGraph& graph : known_graphs())
    if (graph.name == name) return &graph;
  return nullptr;
}

std::string size_of(const KnownGraph& graph) {
  return join(graph.nodes, " nodes, ", graph.edges, " edges and ", graph.features, " features");
}

std::string size_of(const CheckInput& input) {
  return join(input.tables.num_nodes(), " nodes, ", input.graph().nnz() / 2, " edges and ",
              input.tables.features.cols(), " features");
}

std::vector<Remark> judge_same_graph(const KnownGraph& graph, const Fingerprint& print) {
  if (graph.print.placed != print.placed)
    return complain(join("the edges are those of ", graph.name, ", and so are the rows of features, at other nodes"),
                    "nodes have the features of other nodes", "place the rows by their ids");
  if (graph.print.labels != print.labels)
    return warn(join("edges and features are those of ", graph.name, ", the labels are not"),
                "results do not compare with published ones", "see where the labels come from");
  return in_order(join(graph.name, " as it was released", graph.remark.empty() ? "" : "; " + graph.remark));
}

std::vector<Remark> judge_known_table(const KnownGraph& graph, const CheckInput& input) {
  if (input.graph().nnz() / 2 == graph.edges) return in_order(join("the nodes of ", graph.name, " in another order"));
  return warn(join("the rows of features are those of ", graph.name, ", but there are ", input.graph().nnz() / 2,
                   " edges where it has ", graph.edges),
              "results do not compare with published ones", "`data` " + graph.name + " is the graph as released");
}

std::vector<Remark> judge_known_edges(const KnownGraph& graph, const CheckInput& input) {
  if (input.tables.features.cols() == graph.features)
    return in_order(join("the edges of ", graph.name, " with other features, or the same in another scale"));
  return warn(join("the edges are those of ", graph.name, ", but there are ", input.tables.features.cols(),
                   " features where it has ", graph.features),
              "results do not compare with published ones", "`data` " + graph.name + " is the graph as released");
}

std::vector<Remark> judge_stranger(const CheckInput& input) {
  if (const KnownGraph* named = find_by_name(input.tables.name))
    return warn(join("called ", input.tables.name, ", but it has ", size_of(input), "; ", named->name, " has ",
                     size_of(*named)),
                "results do not compare with published ones", "see which variant it is");
  for (const KnownGraph& graph : known_graphs())
    if (graph.nodes == input.tables.num_nodes() && size_of(graph) == size_of(input))
      return warn(join("of the size of ", graph.name, " (", size_of(graph), "), but with other contents"),
                  "it may be a damaged or changed copy", "`data` " + graph.name + " is the graph as released");
  return in_order("none of the published graphs");
}

bool may_be_known(const CheckInput& input) {
  return std::any_of(known_graphs().begin(), known_graphs().end(),
                     [&](const KnownGraph& graph) { return graph.nodes == input.tables.num_nodes(); });
}

std::vector<Remark> look_for_known_data(const CheckInput& input) {
  if (!may_be_known(input)) return judge_stranger(input);
  const Fingerprint print = fingerprint(input);
  const KnownGraph* table = find_by(&Fingerprint::rows, print);
  const KnownGraph* edges = find_by(&Fingerprint::edges, print);
  if (table && edges && table != edges)
    return complain(join("the node table is that of ", table->name, ", the edges are those of ", edges->name),
                    "features and labels belong to other nodes",
                    edges->remark.empty() ? "`data` " + edges->name + " is the graph as released" : edges->remark);
  if (table && edges) return judge_same_graph(*table, print);
  if (table) return judge_known_table(*table, input);
  if (edges) return judge_known_edges(*edges, input);
  return judge_stranger(input);
}

}  // namespace

std::vector<Rule> known_data_rules() {
  return {{"known-data", "published graphs that are mixed up, changed or of another variant than their name says",
           look_for_known_data, Rule::When::always}};
}

}  // namespace gcnh
