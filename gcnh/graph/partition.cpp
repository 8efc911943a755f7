#include "gcnh/graph/partition.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/base/random.h"
#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/metis_partition.h"

namespace gcnh {
namespace {

// Parts without nodes take a thread and parameters all the same: so many do no harm.
constexpr int kPartsOfAnyGraph = 64;

// What a node adds to the load of its part, and how much a part should hold: entries and training nodes as shares of
// all, added up.
class SharedLoads {
 public:
  SharedLoads(const Loads& loads, int parts) : loads_(loads) {
    entries_ = sum(loads.entries);
    training_ = sum(loads.training);
    constexpr double kSlack = 1.05;
    capacity_ = kSlack * ((entries_ > 0) + (training_ > 0)) / parts;
  }
  double of(Index u) const {
    return (entries_ > 0 ? loads_.entries[u] / entries_ : 0) + (training_ > 0 ? loads_.training[u] / training_ : 0);
  }
  double capacity() const { return capacity_; }

 private:
  static double sum(const std::vector<Index>& load) {
    return static_cast<double>(std::accumulate(load.begin(), load.end(), Offset{0}));
  }
  const Loads& loads_;
  double entries_ = 0, training_ = 0, capacity_ = 0;
};

// Parts that fill up, and which of them is emptiest; of equals the lowest number.
class FillingParts {
 public:
  FillingParts(int parts, double capacity) : capacity_(capacity), load_(parts) {
    for (int p = 0; p < parts; ++p) by_load_.emplace(0, p);
  }
  double room(int part) const { return 1 - load_[part] / capacity_; }
  int emptiest() const { return by_load_.begin()->second; }
  void add(int part, double load) {
    by_load_.erase({load_[part], part});
    load_[part] += load;
    by_load_.emplace(load_[part], part);
  }

 private:
  double capacity_;
  std::vector<double> load_;
  std::set<std::pair<double, int>> by_load_;
};

}  // namespace

void check_parts(int parts) {
  if (parts < 1) fail(Status::usage, "parts ", parts, "; allowed: at least 1");
}

Loads loads_of(const Dataset& d) {
  Loads loads{std::vector<Index>(d.num_nodes(), 1), std::vector<Index>(d.num_nodes())};
  for (Index u = 0; u < d.num_nodes(); ++u) {
    loads.entries[u] += static_cast<Index>(d.adjacency.row(u).size());
    loads.entries[u] +=
        d.features.is_sparse() ? static_cast<Index>(d.features.sparse().row(u).size()) : d.features.cols();
  }
  for (const Split& split : d.splits)
    for (const Index u : split.train) ++loads.training[u];
  return loads;
}

std::vector<int> partition(const Csr& adjacency, const Loads& loads, int parts, Offset most_entries) {
  check_parts(parts);
  const bool enough_nodes = adjacency.rows / kLeastNodesPerPart >= parts;
  if (parts == 1) return std::vector<int>(adjacency.rows);
  if (enough_nodes && adjacency.nnz() <= most_entries) {
    const Csr simple = simple_graph(adjacency);  // up to twice the entries where edges have a direction
    if (simple.nnz() <= most_entries) return metis_partition(simple, loads, parts);
  }
  return stream_partition(adjacency, loads, parts);
}

std::vector<int> partition(const Dataset& d, int parts) {
  if (const int most = std::max<int>(kPartsOfAnyGraph, d.num_nodes()); parts > most)
    fail(Status::usage, "parts: ", parts, " of ", counted(d.num_nodes(), "node"), "; take at most ", most);
  return partition(d.adjacency, loads_of(d), parts);
}

std::vector<int> stream_partition(const Csr& adjacency, const Loads& loads, int parts) {
  check_parts(parts);
  const SharedLoads shared(loads, parts);
  FillingParts filling(parts, shared.capacity());
  std::vector<int> part_of(adjacency.rows, -1);
  std::vector<Index> neighbours(parts);  // in each part, of the node at hand
  std::vector<int> met;                  // parts that have some
  for (Index u = 0; u < adjacency.rows; ++u) {
    for (const Index v : adjacency.row(u))
      if (v < u && neighbours[part_of[v]]++ == 0) met.push_back(part_of[v]);
    std::sort(met.begin(), met.end());
    int best = filling.emptiest();
    double best_score = 0;
    for (const int p : met) {
      const double score = neighbours[p] * filling.room(p);
      if (score > best_score) {
        best = p;
        best_score = score;
      }
      neighbours[p] = 0;
    }
    met.clear();
    part_of[u] = best;
    filling.add(best, shared.of(u));
  }
  return part_of;
}

std::vector<int> random_partition(Index nodes, int parts, std::uint64_t seed) {
  check_parts(parts);
  const Rng rng(seed);
  std::vector<int> part_of(nodes);
  for (Index u = 0; u < nodes; ++u) part_of[u] = static_cast<int>(rng.below(parts, u));
  return part_of;
}

}  // namespace gcnh
