#include "gcnh/explain/flip.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace gcnh {
namespace {

int largest(const std::vector<double>& values) {
  return static_cast<int>(std::max_element(values.begin(), values.end()) - values.begin());
}

// Neighbours in the order in which removing them favours class b over class a. Of a sum that is by their share of the
// margin, w_v d_v with d_v = message_a - message_b. A mean is below 0 when
//   g (W - sum of removed w) + T - sum of removed w d < 0,   g = base_a - base_b, W and T over all neighbours
// so there it is by w_v (d_v + g).
std::vector<std::size_t> removal_order(const NeighbourSum& sum, int a, int b) {
  std::vector<double> gain;
  for (std::size_t v = 0; v < sum.neighbours.size(); ++v) {
    const double g = sum.is_mean ? sum.base[a] - sum.base[b] : 0;
    gain.push_back(sum.weights[v] * (sum.messages[v][a] - sum.messages[v][b] + g));
  }
  std::vector<std::size_t> order(gain.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t v, std::size_t w) { return gain[v] > gain[w]; });
  return order;
}

// What the model says on the graph without some edges.
class Trials {
 public:
  Trials(const Dataset& dataset, const ExplainerOn& model, Index node, bool undirected)
      : whole_(dataset), changed_(dataset), model_(model), node_(node), undirected_(undirected) {}

  Explainer& without(const std::vector<Index>& neighbours) {
    explainer_.reset();
    changed_.adjacency = without_edges(whole_.adjacency, node_, neighbours, undirected_);
    if (whole_.keeps_apart()) changed_.pointing_to = without_edges(whole_.pointing_to, node_, neighbours, undirected_);
    explainer_ = model_(changed_);
    ++count;
    return *explainer_;
  }
  int answer(const std::vector<Index>& neighbours) { return largest(without(neighbours).logits(node_)); }
  const Csr& graph() const { return changed_.adjacency; }
  int count = 0;

 private:
  const Dataset& whole_;
  Dataset changed_;
  const ExplainerOn& model_;
  Index node_;
  bool undirected_;
  std::unique_ptr<Explainer> explainer_;
};

// How far class a is ahead of class b once the first neighbours of the order are gone, by how many are.
std::vector<double> margins(const NeighbourSum& sum, int a, int b, const std::vector<std::size_t>& order) {
  std::vector<double> out(order.size() + 1);
  double total = 0, weight = sum.epsilon;
  for (std::size_t left = 0;; ++left) {
    const double joined = sum.is_mean && left > 0 ? total / weight : total;
    out[order.size() - left] = sum.base[a] - sum.base[b] + joined;
    if (left == order.size()) return out;
    const std::size_t v = order[order.size() - 1 - left];
    total += sum.weights[v] * (sum.messages[v][a] - sum.messages[v][b]);
    weight += sum.weights[v];
  }
}

// Of equal logits the first class is the answer.
bool is_overtaken(double margin, int by, int answer) { return margin < 0 || (margin == 0 && by < answer); }

int answer_of(const NeighbourSum& sum) {
  std::vector<std::size_t> all(sum.neighbours.size());
  std::iota(all.begin(), all.end(), 0);
  int out = 0;
  for (int k = 1; k < static_cast<int>(sum.base.size()); ++k)
    if (is_overtaken(margins(sum, out, k, all)[0], k, out)) out = k;
  return out;
}

// Where rounding decides, a set that should do may not, and one edge more is tried.
void search_exactly(const NeighbourSum& sum, Trials& trials, Flip& out) {
  out.is_exact = true;
  std::vector<Removal> removals = fewest_removals(sum);
  while (!removals.empty()) {
    Removal& least = *std::min_element(removals.begin(), removals.end(),
                                       [](const Removal& a, const Removal& b) { return a.count < b.count; });
    std::vector<Index> neighbours;
    for (std::size_t i = 0; i < least.count; ++i) neighbours.push_back(sum.neighbours[least.order[i]]);
    out.after = trials.answer(neighbours);
    if (out.after != out.before) {
      out.neighbours = neighbours;
      return;
    }
    if (++least.count > least.order.size()) removals.erase(removals.begin() + (&least - removals.data()));
  }
}

// The neighbour that speaks most for the answer and against the next best class.
Index strongest(Explainer& explainer, Index node, const Csr& graph) {
  std::vector<double> logits = explainer.logits(node);
  const int best = largest(logits);
  logits[best] = -std::numeric_limits<double>::infinity();
  const std::vector<int> classes = {best, largest(logits)};
  const Explanation parts = explainer.explain(node, classes);
  const std::span<const Index> row = graph.row(node);
  Index out = -1;
  double most = 0;
  for (std::size_t s = 0; s < parts.sources.size(); ++s) {
    const Index v = parts.sources[s].node;
    if (v == node || !std::binary_search(row.begin(), row.end(), v)) continue;
    const double lead = parts.part_of(s, 0) - parts.part_of(s, 1);
    if (out >= 0 && lead <= most) continue;
    out = v;
    most = lead;
  }
  return out;
}

// The list without the last of those that it does as well without.
std::optional<std::vector<Index>> one_less(Trials& trials, const std::vector<Index>& removed, int before) {
  for (std::size_t i = removed.size(); removed.size() > 1 && i-- > 0;) {
    std::vector<Index> fewer;
    for (std::size_t j = 0; j < removed.size(); ++j)
      if (j != i) fewer.push_back(removed[j]);
    if (trials.answer(fewer) != before) return fewer;
  }
  return std::nullopt;
}

void search_greedily(Trials& trials, Index node, int most, Flip& out) {
  std::vector<Index> removed;
  for (int step = 0; step < most; ++step) {
    const Index v = strongest(trials.without(removed), node, trials.graph());
    if (v < 0) return;
    removed.push_back(v);
    out.after = trials.answer(removed);
    if (out.after != out.before) break;
  }
  if (out.after == out.before) return;
  while (std::optional<std::vector<Index>> fewer = one_less(trials, removed, out.before)) removed = *fewer;
  out.after = trials.answer(removed);
  out.neighbours = removed;
}

}  // namespace

std::vector<Removal> fewest_removals(const NeighbourSum& sum) {
  std::vector<Removal> out;
  const int answer = answer_of(sum);
  for (int k = 0; k < static_cast<int>(sum.base.size()); ++k) {
    if (k == answer) continue;
    Removal removal{removal_order(sum, answer, k)};
    const std::vector<double> margin = margins(sum, answer, k, removal.order);
    for (std::size_t count = 1; count < margin.size() && removal.count == 0; ++count)
      if (is_overtaken(margin[count], k, answer)) removal.count = count;
    if (removal.count > 0) out.push_back(std::move(removal));
  }
  std::stable_sort(out.begin(), out.end(), [](const Removal& a, const Removal& b) { return a.count < b.count; });
  return out;
}

Csr without_edges(const Csr& adjacency, Index node, const std::vector<Index>& neighbours, bool undirected) {
  const auto listed = [&](Index v) { return std::find(neighbours.begin(), neighbours.end(), v) != neighbours.end(); };
  const auto is_removed = [&](Index u, Index v) {
    return (u == node && listed(v)) || (undirected && v == node && listed(u));
  };
  Csr out{adjacency.rows, adjacency.cols, {0}, {}, {}};
  for (Index u = 0; u < adjacency.rows; ++u) {
    for (Offset e = adjacency.offsets[u]; e < adjacency.offsets[u + 1]; ++e) {
      if (is_removed(u, adjacency.indices[e])) continue;
      out.indices.push_back(adjacency.indices[e]);
      if (!adjacency.values.empty()) out.values.push_back(adjacency.values[e]);
    }
    out.offsets.push_back(std::ssize(out.indices));
  }
  return out;
}

Flip find_flip(const Dataset& dataset, const ExplainerOn& model, Index node, bool undirected, int most) {
  check_nodes(dataset, std::span(&node, 1));
  Flip out;
  Trials trials(dataset, model, node, undirected);
  Explainer& whole = trials.without({});
  out.before = out.after = largest(whole.logits(node));
  if (const auto sum = whole.neighbour_sum(node)) {
    search_exactly(*sum, trials, out);
  } else {
    search_greedily(trials, node, most, out);
  }
  if (out.neighbours.empty()) out.after = out.before;
  out.tried = trials.count;
  return out;
}

}  // namespace gcnh
