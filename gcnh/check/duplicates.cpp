// Twins: nodes of the test set whose neighbourhood, or whose features, stand in the training set already.
#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>
#include <unordered_set>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gcnh/check/rules.h"
#include "gcnh/graph/exact_numbers.h"

namespace gcnh {
namespace {

constexpr std::size_t kTwoNeighbours =
    2;                                   // leaves of one hub have the same single neighbour and nothing else in common
constexpr double kManyTwins = 0.05;      // share of the test nodes
constexpr double kSure = 0.8;            // share of the twins whose label the look-up knows ...
constexpr double kBeyondGuessing = 0.2;  // ... and how much more that is than the largest class among them

// The same number for nodes that are alike; 0: too little to be alike in.
using Kinds = std::vector<std::uint64_t>;

// Most nodes are the only one of their kind, and need no looking up.
Kinds without_singles(Kinds kinds) {
  Kinds sorted = kinds;
  std::sort(sorted.begin(), sorted.end());
  std::unordered_set<std::uint64_t> repeated;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i] == sorted[i - 1]) repeated.insert(sorted[i]);
  for (std::uint64_t& kind : kinds)
    if (!repeated.contains(kind)) kind = 0;
  return kinds;
}

Kinds by_neighbours(const CheckInput& input) {
  const Csr& graph = input.graph();
  Kinds out(graph.rows);
  for (Index u = 0; u < graph.rows; ++u)
    if (const auto row = graph.row(u); row.size() >= kTwoNeighbours)
      out[u] = XXH3_64bits(row.data(), row.size_bytes()) | 1;
  return without_singles(std::move(out));
}

// Numbers of a table that are alike in single precision alone are not the same.
void tell_digits_apart(const std::vector<Column>& columns, Kinds& kinds) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].spec.kind != ColumnKind::num) continue;
    for (std::size_t u = 0; u < kinds.size(); ++u)
      if (const double x = columns[c].numbers[u]; !std::isnan(x) && !is_exact(x))
        kinds[u] = XXH3_64bits_withSeed(&x, sizeof x, kinds[u] + c) | 1;
  }
}

Kinds by_features(const CheckInput& input) {
  Kinds out(input.tables.num_nodes());
  input.tables.features.visit([&](const auto& x) {
    for (Index u = 0; u < input.tables.num_nodes(); ++u) {
      if constexpr (requires { x.indices; }) {
        const auto row = x.row(u);
        if (row.empty()) continue;
        const std::span<const Real> values(x.values.data() + (x.values.empty() ? 0 : x.offsets[u]),
                                           x.values.empty() ? 0 : row.size());
        out[u] =
            XXH3_64bits_withSeed(values.data(), values.size_bytes(), XXH3_64bits(row.data(), row.size_bytes())) | 1;
      } else {
        out[u] = XXH3_64bits(x.row(u), sizeof(Real) * x.cols()) | 1;
      }
    }
  });
  tell_digits_apart(input.tables.columns, out);
  return without_singles(std::move(out));
}

// Over all splits: test nodes, those with a twin in training, and how many of these a guess gets right.
struct Score {
  double tests = 0, twins = 0, by_twin = 0, by_largest = 0;
  double others_by_largest = 0;

  double share() const { return share_of(twins, tests); }
  double right() const { return share_of(by_twin, twins); }
  double whole() const { return share_of(by_twin + others_by_largest, tests); }
  bool is_leak() const {
    return share() >= kManyTwins && right() >= kSure && right() - share_of(by_largest, twins) >= kBeyondGuessing;
  }
};

Index largest_of(const std::vector<Offset>& counts) {
  return static_cast<Index>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

Score look_up(const CheckInput& input, const Kinds& kind) {
  const std::vector<int>& labels = input.tables.labels;
  Score out;
  for (const Split& split : input.splits) {
    std::unordered_map<std::uint64_t, std::unordered_map<int, Offset>> seen;
    std::vector<Offset> sizes(input.class_sizes.size());
    for (Index u : split.train) {
      ++sizes[labels[u]];
      if (kind[u] != 0) ++seen[kind[u]][labels[u]];
    }
    const Index largest = largest_of(sizes);
    for (Index u : split.test) {
      ++out.tests;
      const auto twins = kind[u] == 0 ? seen.end() : seen.find(kind[u]);
      if (twins == seen.end()) {
        out.others_by_largest += labels[u] == largest;
        continue;
      }
      const auto label = std::max_element(twins->second.begin(), twins->second.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second < b.second : a.first > b.first;
      });
      ++out.twins;
      out.by_twin += labels[u] == label->first;
      out.by_largest += labels[u] == largest;
    }
  }
  return out;
}

// A test node and its twin, for people.
std::string example(const CheckInput& input, const Kinds& kind) {
  for (const Split& split : input.splits) {
    std::unordered_map<std::uint64_t, Index> seen;
    for (Index u : split.train)
      if (kind[u] != 0) seen.try_emplace(kind[u], u);
    for (Index u : split.test)
      if (const auto twin = seen.find(kind[u]); kind[u] != 0 && twin != seen.end())
        return join(", for example ", input.id(u), " those of ", input.id(twin->second));
  }
  return "";
}

std::vector<Remark> judge(const CheckInput& input, const Kinds& kind, const std::string& what, const std::string& fix) {
  const Score score = look_up(input, kind);
  if (!score.is_leak())
    return in_order(join(in_percent(score.share()), " of the test nodes have the ", what, " of a training node",
                         score.twins > 0 ? join("; its label is right for ", in_percent(score.right())) : ""));
  return warn(join(in_percent(score.share()), " of the test nodes have exactly the ", what, " of a training node",
                   example(input, kind), ", and ", in_percent(score.right()), " of them its label"),
              join("looking that up, and naming the largest class elsewhere, scores ", in_percent(score.whole()),
                   " without learning anything"),
              fix);
}

std::vector<Remark> look_for_twins(const CheckInput& input) {
  if (input.splits.empty() || input.num_labelled == 0) return {};
  std::vector<Remark> out = judge(input, by_neighbours(input), "neighbours",
                                  "keep one node of each kind, as chameleon-filtered and squirrel-filtered do");
  const std::vector<Remark> rows = judge(input, by_features(input), "features", "keep one row of each kind");
  out.insert(out.end(), rows.begin(), rows.end());
  return out;
}

}  // namespace

std::vector<Rule> duplicate_rules() {
  return {{"leak-duplicates", "test nodes with the neighbours or the features of a training node, and its label",
           look_for_twins, Rule::When::small}};
}

}  // namespace gcnh
