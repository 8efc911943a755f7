#include "gcnh/graph/splits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

using Counts = std::vector<Offset>;

constexpr double kRounding = 1e-9;  // shares written in decimals may miss 1 by an ulp

Offset sum(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), Offset{0}); }

// How many of each class: proportional to sizes, within low..high, adding up to total (or as near as the bounds allow).
// Largest remainders: start from the quota rounded down, then give where most is missing or take where least is.
Counts apportion(const Counts& sizes, Offset total, const Counts& low, const Counts& high) {
  const std::size_t num_classes = sizes.size();
  const Offset all = std::max<Offset>(1, sum(sizes));
  Counts out(num_classes);
  for (std::size_t k = 0; k < num_classes; ++k) out[k] = std::clamp(sizes[k] * total / all, low[k], high[k]);
  const auto missing = [&](std::size_t k) { return sizes[k] * total - out[k] * all; };  // in units of 1 / all
  for (Offset left = total - sum(out); left != 0;) {
    const Offset step = left > 0 ? 1 : -1;
    std::size_t best = num_classes;
    for (std::size_t k = 0; k < num_classes; ++k) {
      const bool movable = step > 0 ? out[k] < high[k] : out[k] > low[k];
      if (movable && (best == num_classes || step * missing(k) > step * missing(best))) best = k;
    }
    if (best == num_classes) break;
    out[best] += step;
    left -= step;
  }
  return out;
}

// Sizes of the training and validation sets, class by class.
struct Plan {
  Counts train;
  Counts val;
};

Plan plan_sizes(const Counts& sizes, double train, double val) {
  const std::size_t num_classes = sizes.size();
  const Offset all = sum(sizes);
  const Offset num_train = std::llround(train * static_cast<double>(all));
  const Offset num_val = std::min<Offset>(all - num_train, std::llround(val * static_cast<double>(all)));
  const Offset for_val = val > 0 ? 1 : 0, for_test = leaves_test(train, val) ? 1 : 0;
  const auto splittable = [&](std::size_t k) { return sizes[k] >= 3; };
  Counts low(num_classes), high(num_classes), rest(num_classes);
  for (std::size_t k = 0; k < num_classes; ++k) {
    low[k] = splittable(k) ? 1 : 0;
    high[k] = sizes[k] - (splittable(k) ? for_val + for_test : 0);
  }
  Plan plan;
  plan.train = apportion(sizes, num_train, low, high);
  for (std::size_t k = 0; k < num_classes; ++k) {
    rest[k] = sizes[k] - plan.train[k];
    low[k] = splittable(k) ? for_val : 0;
    high[k] = rest[k] - (splittable(k) ? for_test : 0);
  }
  plan.val = apportion(rest, num_val, low, high);
  return plan;
}

// First train, then val, the rest test.
void deal(const std::vector<Index>& nodes, Offset train, Offset val, Split& split) {
  const auto a = nodes.begin() + train, b = a + val;
  split.train.insert(split.train.end(), nodes.begin(), a);
  split.val.insert(split.val.end(), a, b);
  split.test.insert(split.test.end(), b, nodes.end());
}

}  // namespace

bool leaves_test(double train, double val) { return train + val < 1 - kRounding; }

std::vector<Split> stratified_splits(std::span<const int> labels, int num_classes, double train, double val, int count,
                                     const Rng& rng) {
  if (!(train > 0 && val >= 0 && train + val <= 1 + kRounding)) {
    fail(Status::usage, "split shares: train ", train, " and val ", val, "; allowed: train > 0, val >= 0, sum <= 1");
  }
  std::vector<std::vector<Index>> members(num_classes);
  for (std::size_t u = 0; u < labels.size(); ++u) {
    require(labels[u] < num_classes, "splits: node ", u, ": class ", labels[u], " outside 0..", num_classes - 1);
    if (labels[u] >= 0) members[labels[u]].push_back(static_cast<Index>(u));
  }
  Counts sizes;
  for (const auto& nodes : members) sizes.push_back(static_cast<Offset>(nodes.size()));
  const Plan plan = plan_sizes(sizes, train, val);

  std::vector<Split> splits(std::max(count, 0));
  for (std::size_t s = 0; s < splits.size(); ++s) {
    for (std::size_t k = 0; k < members.size(); ++k) {
      std::vector<Index> nodes = members[k];
      shuffle(nodes, rng.fork(s).fork(k));
      deal(nodes, plan.train[k], plan.val[k], splits[s]);
    }
    for (auto* set : {&splits[s].train, &splits[s].val, &splits[s].test}) std::sort(set->begin(), set->end());
  }
  return splits;
}

void check_split(const Split& split, std::span<const int> labels, int number) {
  require(!split.train.empty(), "split ", number, ": no training nodes");
  std::vector<const char*> owner(labels.size(), nullptr);
  const auto claim = [&](const std::vector<Index>& nodes, const char* set) {
    for (Index node : nodes) {
      require(node >= 0 && static_cast<std::size_t>(node) < labels.size(), "split ", number, ": ", set, " node ", node,
              " outside 0..", static_cast<Offset>(labels.size()) - 1);
      require(labels[node] >= 0, "split ", number, ": ", set, " node ", node, " has no label");
      require(!owner[node], "split ", number, ": node ", node, " is in ", owner[node] ? owner[node] : "", " and in ",
              set);
      owner[node] = set;
    }
  };
  claim(split.train, "train");
  claim(split.val, "val");
  claim(split.test, "test");
}

double test_per_train(const Dataset& dataset, std::span<const int> splits) {
  double test = 0, train = 0;
  for (int s : splits) {
    test += static_cast<double>(dataset.splits[s].test.size());
    train += static_cast<double>(dataset.splits[s].train.size());
  }
  return test / train;
}

}  // namespace gcnh
