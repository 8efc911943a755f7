// Drift of the graph: where new nodes stand in it, beside those of training.
// Nodes of training are compared with themselves, by the edges between them; new nodes with them. A newcomer to a graph
// that grows has fewer neighbours than those who have been there for long: every edge comes with one of its ends, so on
// average a node came with half of the neighbours that it has. Where a graph becomes known bit by bit, later nodes have
// more, in proportion to the nodes that are known. What lies between the two is no drift.
#include <algorithm>
#include <cmath>
#include <map>

#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/homophily.h"
#include "gcnh/run/drift_rules.h"

namespace gcnh {
namespace {

// Nodes by their degree.
struct Degree {
  std::vector<double> values = {}, up_to = {};  // ascending, and the nodes of at most that degree
  double nodes = 0, sum = 0;

  double mean() const { return share(sum, nodes); }
  double at_most(double degree) const {  // share of the nodes
    const auto end = std::upper_bound(values.begin(), values.end(), degree);
    return end == values.begin() ? 0 : up_to[static_cast<std::size_t>(end - values.begin()) - 1] / nodes;
  }
};

Degree distribution(const std::map<double, double>& counts) {
  Degree out;
  for (const auto& [degree, nodes] : counts) {
    out.nodes += nodes;
    out.sum += degree * nodes;
    out.values.push_back(degree);
    out.up_to.push_back(out.nodes);
  }
  return out;
}

Degree distribution(const Csr& graph, const std::vector<Index>& nodes) {
  std::map<double, double> counts;
  for (Index u : nodes) counts[static_cast<double>(graph.row(u).size())] += 1;
  return distribution(counts);
}

// By the neighbours that training had, too.
Degree among_known(const DriftData& x, const Csr& graph) {
  std::map<double, double> counts;
  for (Index u = 0; u < graph.rows; ++u) {
    if (x.is_fresh[u]) continue;
    const auto row = graph.row(u);
    counts[static_cast<double>(std::count_if(row.begin(), row.end(), [&](Index v) { return !x.is_fresh[v]; }))] += 1;
  }
  return distribution(counts);
}

// The largest distance between the shares of nodes of at most some degree (Kolmogorov and Smirnov).
double distance(const Degree& a, const Degree& b) {
  double out = a.nodes > 0 && b.nodes > 0 ? 0 : kNoNumber;
  for (const Degree* each : {&a, &b})
    for (double degree : each->values) out = std::max(out, std::abs(a.at_most(degree) - b.at_most(degree)));
  return out;
}

// The same for nodes that may have as few as half the neighbours of the others, and as many as `growth` times theirs,
// beyond what chance gives in 19 of 20 cases.
double distance_of_new(const Degree& fresh, const Degree& then, double growth, double& margin) {
  margin = 1.36 * std::sqrt(1 / fresh.nodes + 1 / then.nodes);
  double out = 0;
  for (double degree : fresh.values)  // fewer than half
    out = std::max(out, fresh.at_most(degree) - then.at_most(2 * degree + 1));
  for (double degree : then.values)  // more, rounded up
    out = std::max(out, then.at_most(degree) - fresh.at_most(std::ceil(growth * degree)));
  return out - margin;
}

DriftRule degrees(const DriftData& x) {
  const Csr graph = simple_graph(x.now.adjacency);
  const Degree then = distribution({x.run.data.degree_counts.begin(), x.run.data.degree_counts.end()});
  const Degree fresh = distribution(graph, x.fresh);
  DriftRule out{
      "degrees", "mean degree; the distance of the distributions counts", then.mean(), fresh.mean(), kNoNumber, 0.2};
  if (!x.knows_fresh) {  // then these are all nodes
    out.drift = distance(then, fresh);
    return judged(out);
  }
  const Degree known = among_known(x, graph);
  double of_new = kNoNumber;
  if (x.fresh.size() >= kFewestPlaced && then.nodes > 0)
    of_new = distance_of_new(fresh, then, 1 + fresh.nodes / then.nodes, out.margin);
  const double of_known = distance(then, known);
  if (std::isnan(of_new) || of_known > std::max(of_new, out.limit)) {
    out.about = "mean degree of the nodes of training, among themselves; the distance of the distributions counts";
    out.now = known.mean();
    out.drift = of_known;
    out.margin = kNoNumber;
    if (!x.fresh.empty() && of_known <= out.limit) out.obstacle = too_few(x.fresh.size(), "new nodes", kFewestPlaced);
    return judged(out);
  }
  out.about = "mean degree of new nodes; the distance of the distributions counts, beyond chance and growth";
  out.drift = of_new;
  return judged(out);
}

// Two standard errors of the difference between shares of so many nodes.
double margin_of(double a, double nodes_a, double b, double nodes_b) {
  const double all = (a * nodes_a + b * nodes_b) / (nodes_a + nodes_b);
  return 2 * std::sqrt(std::max(0.0, all * (1 - all)) * (1 / nodes_a + 1 / nodes_b));
}

// As the status of an answer says (node_status).
DriftRule isolated(const DriftData& x) {
  DriftRule out{"isolated", "share of new nodes that hear from nobody, beside that of the others", 0, 0, 0, 0.1};
  double alone[2] = {}, nodes[2] = {};
  for (Index u = 0; u < x.now.num_nodes(); ++u) {
    const auto row = x.now.adjacency.row(u);
    nodes[x.is_fresh[u]] += 1;
    alone[x.is_fresh[u]] += std::all_of(row.begin(), row.end(), [&](Index v) { return v == u; });
  }
  out.then = share(alone[0], nodes[0]);
  out.now = share(alone[1], nodes[1]);
  out.obstacle = !x.knows_fresh ? kNotListed : too_few(x.fresh.size(), "new nodes", kFewestPlaced);
  if (nodes[0] > 0 && nodes[1] > 0) out.margin = margin_of(out.then, nodes[0], out.now, nodes[1]);
  out.drift = out.now - out.then - out.margin;
  return judged(out);
}

// Edges whose ends both have a label, and how many of them join nodes of one class. The nodes are those that have such
// edges: the edges of a node are too much alike to count one by one.
struct Joined {
  double edges = 0, same = 0, nodes = 0;
  double within() const { return share(same, edges); }
};

struct JoinedEdges {
  Joined all = {};
  std::vector<Joined> of_class = {};  // edges with an end in it
};

// Edges between nodes of training, or those with a new end.
JoinedEdges join_classes(const DriftData& x, const Csr& graph, bool fresh) {
  const std::vector<int>& labels = x.now.labels;
  JoinedEdges out;
  out.of_class.resize(x.now.classes.size());
  for (Index u = 0; u < graph.rows; ++u) {
    if (labels[u] < 0) continue;
    std::vector<int> met;
    for (Index v : graph.row(u)) {
      if (labels[v] < 0 || (x.is_fresh[u] || x.is_fresh[v]) != fresh) continue;
      met.push_back(labels[v]);
      if (v < u) continue;  // the other end counts the edge
      const bool same = labels[u] == labels[v];
      for (Joined* to : {&out.all, &out.of_class[labels[u]], same ? nullptr : &out.of_class[labels[v]]}) {
        if (!to) continue;
        to->edges += 1;
        to->same += same;
      }
    }
    if (met.empty() || x.is_fresh[u] != fresh) continue;
    met.push_back(labels[u]);
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    out.all.nodes += 1;
    for (int k : met) out.of_class[k].nodes += 1;
  }
  return out;
}

DriftRule compare(const Joined& then, const Joined& now, const std::string& about) {
  const double margin = margin_of(then.within(), then.nodes, now.within(), now.nodes);
  return judged({"homophily", about, then.within(), now.within(), std::abs(now.within() - then.within()) - margin, 0.1,
                 "", margin});
}

// Of a rare class's edges all may have changed without any trace in those of the whole graph.
DriftRule homophily_of_new(const DriftData& x, const JoinedEdges& then, const JoinedEdges& now) {
  DriftRule out = compare(then.all, now.all, "share of the labelled edges of new nodes within a class");
  for (std::size_t k = 0; k < then.of_class.size(); ++k) {
    const Joined &a = then.of_class[k], &b = now.of_class[k];
    if (std::min(a.nodes, b.nodes) < static_cast<double>(kFewestOfClass)) continue;
    const DriftRule one =
        compare(a, b, "share of the edges of '" + x.now.classes[k] + "' within it, of those of new nodes");
    if (one.train_again() && one.drift > out.drift) out = one;
  }
  return out;
}

DriftRule homophily(const DriftData& x) {
  double before = kNoNumber;
  for (const auto& [name, value] : x.run.data.homophily)
    if (name == "edge") before = value;
  DriftRule out{"homophily", "share of labelled edges within a class", before, kNoNumber, kNoNumber, 0.1};
  if (!x.knows_fresh) {
    out.now = measure_homophily(x.now).edge;
    out.drift = std::abs(out.now - before);
    return judged(out);
  }
  const Csr graph = simple_graph(x.now.adjacency);
  JoinedEdges known = join_classes(x, graph, false);
  const JoinedEdges fresh = join_classes(x, graph, true);
  if (known.all.edges == 0 && !std::isnan(before)) known.all = {1, before, labels_then(x)};  // today's table lacks them
  out.now = known.all.within();
  out.drift = std::abs(out.now - before);
  if (x.fresh.empty() || out.drift > out.limit) {
    out.about = "share of labelled edges within a class, between nodes of training";
    return judged(out);
  }
  if (fresh.all.nodes >= static_cast<double>(kFewestPlaced) && known.all.edges > 0)
    return homophily_of_new(x, known, fresh);
  out.now = fresh.all.within();
  out.drift = kNoNumber;
  out.obstacle = too_few(static_cast<std::size_t>(fresh.all.nodes), "new nodes with labelled edges", kFewestPlaced);
  return judged(out);
}

}  // namespace

std::vector<DriftRule> graph_rules(const DriftData& x) { return {degrees(x), isolated(x), homophily(x)}; }

}  // namespace gcnh
