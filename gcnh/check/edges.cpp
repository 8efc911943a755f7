// Edges: are there any, whom do they leave out, and are they written once, twice or one way?
#include <algorithm>

#include "gcnh/check/rules.h"

namespace gcnh {
namespace {

constexpr double kFewEdges = 0.1;      // edges per node
constexpr double kManyIsolated = 0.1;  // share of the nodes
constexpr double kManyRepeats = 0.01;  // share of the lines
constexpr double kManyLoops = 0.01;    // share of the nodes or the edges, whichever are fewer
constexpr double kSomeReturn = 0.05;   // from this share of answered edges on, a direction is meant ...
constexpr double kMostReturn = 0.9;    // ... up to this one, above which nearly all are written both ways

Offset num_edges(const CheckInput& input) { return input.graph().nnz() / 2; }

std::vector<Remark> look_for_no_edges(const CheckInput& input) {
  const Offset edges = num_edges(input), lines = std::ssize(input.tables.edges);
  if (edges > 0) return in_order(join(counted(edges, "edge"), " between different nodes"));
  return complain(
      lines == 0 ? "there are no edges" : join("none of ", lines, " edges leads from a node to another one"),
      "every model sees the nodes alone", "look at the file of the edges");
}

std::vector<Remark> look_for_few_edges(const CheckInput& input) {
  const Offset edges = num_edges(input);
  const double per_node = share_of(static_cast<double>(edges), input.tables.num_nodes());
  if (edges == 0 || per_node >= kFewEdges) return {};
  return warn(join(counted(edges, "edge"), " for ", counted(input.tables.num_nodes(), "node")),
              "so few tell a model next to nothing", "see whether part of the edges is missing");
}

std::vector<Remark> look_for_isolated(const CheckInput& input) {
  const Csr& graph = input.graph();
  Offset isolated = 0;
  Index example = -1;
  for (Index u = 0; u < graph.rows; ++u) {
    if (!graph.row(u).empty()) continue;
    ++isolated;
    if (example < 0) example = u;
  }
  if (num_edges(input) == 0) return {};  // said already
  if (isolated == 0) return in_order("every node has a neighbour");
  const double share = share_of(static_cast<double>(isolated), graph.rows);
  const std::string found = join(counted(isolated, "node"), " without a neighbour (", in_percent(share),
                                 "), for example ", input.id(example));
  if (share < kManyIsolated) return in_order(found);
  return warn(found, "the graph says nothing about them",
              "see whether their edges are missing, or other ids are meant");
}

// Edges whose opposite is written, too, among those between different nodes.
double share_of_answered(const Csr& counts) {
  const Csr back = transpose(counts);
  Offset all = 0, answered = 0;
  for (Index u = 0; u < counts.rows; ++u) {
    for (Index v : counts.row(u)) {
      if (v == u) continue;
      const auto row = back.row(u);
      ++all;
      answered += std::binary_search(row.begin(), row.end(), v);
    }
  }
  return share_of(static_cast<double>(answered), static_cast<double>(all));
}

std::vector<Remark> look_for_one_way(const CheckInput& input) {
  if (num_edges(input) == 0) return {};
  const double share = share_of_answered(input.edge_counts());
  if (share > kMostReturn) return in_order("edges are written both ways");
  if (input.keeps_direction) return in_order("edges have a direction, which is kept");
  if (share < kSomeReturn)
    return in_order(
        "edges are written once, and models take them both ways; if they have a direction, try `direction` in (targets "
        "hear sources) and `direction` out");
  return warn(join("edges have a direction: ", in_percent(share), " are written both ways, the others one way"),
              "the clean view takes all of them both ways, and direction changes results",
              "`direction` in or out keeps it, in models that read it");
}

std::vector<Remark> look_for_repeats(const CheckInput& input) {
  const Csr& counts = input.edge_counts();
  const Offset lines = std::ssize(input.tables.edges), repeats = lines - counts.nnz();
  if (repeats == 0) return in_order("no edge is written twice the same way");
  Offset most = 0;
  Index source = 0;
  for (Index u = 0; u < counts.rows; ++u)
    for (Offset e = counts.offsets[u]; e < counts.offsets[u + 1]; ++e)
      if (counts.value(e) > counts.value(most)) most = e, source = u;
  const std::string found =
      join(repeats, " of ", counted(lines, "edge"), " repeat an earlier one (", counts.nnz(), " distinct); from ",
           input.id(source), " to ", input.id(counts.indices[most]), " there are ", counts.value(most));
  if (share_of(static_cast<double>(repeats), static_cast<double>(lines)) < kManyRepeats) return in_order(found);
  if (!input.tables.edge_weights.empty())
    return warn(found, "their weights are added up; code that takes each once trains on another graph",
                "see whether the sum is meant");
  return warn(found, "the clean view takes each once; code that adds them up trains on another graph",
              "if the number of times means something, make it a column");
}

std::vector<Remark> look_for_loops(const CheckInput& input) {
  const Csr& counts = input.edge_counts();
  Offset loops = 0;
  Index example = -1;
  for (Index u = 0; u < counts.rows; ++u) {
    const auto row = counts.row(u);
    if (!std::binary_search(row.begin(), row.end(), u)) continue;
    ++loops;
    if (example < 0) example = u;
  }
  if (loops == 0) return in_order("no edge leads from a node to itself");
  const std::string found = join(counted(loops, "edge"), loops == 1 ? " leads" : " lead",
                                 " from a node to itself, for example at ", input.id(example));
  const auto all = static_cast<double>(std::min<Offset>(counts.rows, counts.nnz()));
  if (share_of(static_cast<double>(loops), all) < kManyLoops) return in_order(found + "; the clean view drops them");
  return warn(found, "a node would be its own neighbour, and count twice in models that add it anyway",
              "the clean view drops them, the code of papers often kept them: say which was done");
}

}  // namespace

std::vector<Rule> edge_rules() {
  return {
      {"no-edges", "a graph without a single edge between two nodes", look_for_no_edges, Rule::When::small},
      {"few-edges", "fewer edges than one for ten nodes", look_for_few_edges},
      {"isolated", "many nodes without a neighbour", look_for_isolated, Rule::When::small},
      {"one-way", "edges with a direction, which is lost when they are taken both ways", look_for_one_way},
      {"duplicate-edges", "edges that are written several times", look_for_repeats},
      {"self-loops", "edges from a node to itself", look_for_loops},
  };
}

}  // namespace gcnh
