#include "gcnh/graph/attachment.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace gcnh {
namespace {

struct Growth {
  std::span<const int> labels;
  double h;
  std::vector<double> w;  // by steps around the circle of classes; w[0] = 0
  Rng rng;
  std::uint64_t draws = 0;
  std::vector<Edge> edges = {};
  double num_within = 0;  // edges within a class
  std::vector<Index> degree = std::vector<Index>(labels.size());
  // Every node max(deg, 1) times, class by class: a uniform draw from a class is a draw by degree, in constant time.
  std::vector<std::vector<Index>> tickets = std::vector<std::vector<Index>>(w.size());
};

std::vector<double> distance_weights(int num_classes) {
  std::vector<double> w(num_classes);
  for (int d = 1; d < num_classes; ++d) w[d] = std::exp2(-std::min(d, num_classes - d));
  const double sum = std::accumulate(w.begin(), w.end(), 0.0);
  for (double& weight : w) weight /= sum;
  return w;
}

// The h that the next link is drawn with. Left alone, a class that happens to grow early stays ahead and shifts the
// share of edges within classes by up to 0.03; steering against the surplus or lack so far keeps the share at h.
double steered_homophily(const Growth& g) {
  constexpr double kMemory = 100;  // links
  const double lack = g.h * static_cast<double>(g.edges.size()) - g.num_within;
  return std::clamp(g.h + lack / kMemory, 0.0, 1.0);
}

// The class of the next link of a node of class c, or none when no node is left that may be linked.
std::optional<int> draw_class(Growth& g, int c, const std::vector<Index>& taken) {
  const int num_classes = static_cast<int>(g.w.size());
  const double h = steered_homophily(g);
  std::vector<double> weight(num_classes);
  for (int k = 0; k < num_classes; ++k) {
    auto left = static_cast<Offset>(g.tickets[k].size());
    for (Index v : taken) left -= g.labels[v] == k ? std::max<Index>(1, g.degree[v]) : 0;
    weight[k] = static_cast<double>(left) * (k == c ? h : (1 - h) * g.w[(k - c + num_classes) % num_classes]);
  }
  double at = std::accumulate(weight.begin(), weight.end(), 0.0) * g.rng.uniform(g.draws++);
  std::optional<int> drawn;
  for (int k = 0; k < num_classes && at >= 0; ++k) {
    if (weight[k] == 0) continue;
    drawn = k;
    at -= weight[k];
  }
  return drawn;
}

Index draw_node(Growth& g, int k, const std::vector<Index>& taken) {
  while (true) {
    const Index v = g.tickets[k][g.rng.below(g.tickets[k].size(), g.draws++)];
    if (std::find(taken.begin(), taken.end(), v) == taken.end()) return v;
  }
}

void add_edge(Growth& g, Index u, Index v) {
  g.edges.push_back({u, v});
  g.num_within += g.labels[u] == g.labels[v] ? 1 : 0;
  for (Index end : {u, v}) {
    if (++g.degree[end] > 1) g.tickets[g.labels[end]].push_back(end);
  }
}

// Links u until its degree is m. `taken`: the nodes it may not link to, itself and its neighbours.
void link(Growth& g, Index u, int m, std::vector<Index> taken) {
  while (g.degree[u] < m) {
    const std::optional<int> k = draw_class(g, g.labels[u], taken);
    if (!k) return;
    taken.push_back(draw_node(g, *k, taken));
    add_edge(g, u, taken.back());
  }
}

std::vector<Index> itself_and_neighbours(const std::vector<Edge>& edges, Index u) {
  std::vector<Index> out = {u};
  for (const auto& [source, target] : edges) {
    if (source == u || target == u) out.push_back(source == u ? target : source);
  }
  return out;
}

}  // namespace

std::vector<Edge> attach_nodes(std::span<const int> labels, int num_classes, double h, int m, const Rng& rng) {
  Growth g{labels, h, distance_weights(num_classes), rng};
  const auto num_nodes = static_cast<Index>(labels.size());
  for (Index u = 0; u < num_nodes; ++u) {
    g.tickets[labels[u]].push_back(u);
    if (u >= num_classes) link(g, u, m, {u});
  }
  for (Index u = 0; u < num_nodes; ++u) {
    if (g.degree[u] < m) link(g, u, m, itself_and_neighbours(g.edges, u));
  }
  return std::move(g.edges);
}

}  // namespace gcnh
