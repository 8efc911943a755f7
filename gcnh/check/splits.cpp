// Splits: are the sets disjoint, filled, alike, and large enough to measure with?
#include <algorithm>
#include <cmath>
#include <set>

#include "gcnh/check/rules.h"

namespace gcnh {
namespace {

constexpr std::size_t kSmallTest = 100;  // nodes; one of them is a point of accuracy
constexpr double kDrift = 0.1;           // difference of a class's share in training and test ...
constexpr double kChance = 4;            // ... in standard deviations of drawing at random
constexpr double kUnequal = 0.1;         // training sets that differ by this share

std::string sizes_of(const Split& split) {
  return join(split.train.size(), "/", split.val.size(), "/", split.test.size());
}

// The first node that is in two sets; -1: none.
Index find_overlap(const Split& split, Index num_nodes) {
  std::vector<bool> taken(num_nodes);
  for (const auto* set : {&split.train, &split.val, &split.test}) {
    for (Index node : *set) {
      if (taken[node]) return node;
      taken[node] = true;
    }
  }
  return -1;
}

// What a split without such nodes cannot do; the number of the first one that has none. Random splits that lack a set
// that was asked for are refused when training.
std::vector<Remark> look_for_empty(const CheckInput& input, std::vector<Index> Split::*set, const char* name,
                                   const char* meaning, bool is_wanted) {
  for (std::size_t s = 0; s < input.splits.size(); ++s) {
    if (!(input.splits[s].*set).empty()) continue;
    const std::string found = join("split ", s, ": no labelled node in the ", name, " set");
    if (input.brings_splits) return warn(found, meaning, "give every set some nodes");
    const std::string fix = "label more nodes, or change `ratio`";
    return is_wanted ? complain(found, "training refuses random splits that lack a set", fix)
                     : warn(found, meaning, fix);
  }
  return {};
}

std::vector<Remark> look_for_overlap(const CheckInput& input) {
  for (std::size_t s = 0; s < input.splits.size(); ++s) {
    const Split& split = input.splits[s];
    const Index node = find_overlap(split, input.tables.num_nodes());
    if (node >= 0)
      return complain(join("split ", s, ": node ", input.id(node), " is in two sets"),
                      "a model would be tested on what it was trained on", "give every node one set");
    if (split.train.empty())
      return complain(join("split ", s, ": no labelled node in the training set"), "nothing can be learned",
                      input.brings_splits ? "give every set some nodes" : "label more nodes, or change `ratio`");
  }
  if (input.splits.empty()) return {};
  if (auto found =
          look_for_empty(input, &Split::val, "validation",
                         "the last epoch is kept, and neither options nor models can be chosen", input.wants_val);
      !found.empty())
    return found;
  if (auto found = look_for_empty(input, &Split::test, "test", "nothing tells how good a model is", input.wants_test);
      !found.empty())
    return found;
  return in_order(
      join(input.splits.size(), input.brings_splits ? "" : " random", " x ", sizes_of(input.splits[0]), ", disjoint"));
}

struct Drift {
  double difference = 0;
  std::size_t split = 0;
  Index number = 0;  // of the class
  double train = 0, test = 0;
};

std::vector<double> class_shares(const CheckInput& input, const std::vector<Index>& nodes) {
  std::vector<double> out(input.class_sizes.size());
  for (Index node : nodes) out[input.tables.labels[node]] += 1 / static_cast<double>(nodes.size());
  return out;
}

// The largest difference that chance does not explain, or the largest of all when it explains them.
Drift find_drift(const CheckInput& input, bool beyond_chance) {
  Drift most;
  for (std::size_t s = 0; s < input.splits.size(); ++s) {
    const Split& split = input.splits[s];
    if (split.train.empty() || split.test.empty()) continue;
    const std::vector<double> train = class_shares(input, split.train), test = class_shares(input, split.test);
    const double per_node = 1 / static_cast<double>(split.train.size()) + 1 / static_cast<double>(split.test.size());
    for (std::size_t k = 0; k < train.size(); ++k) {
      const double share = static_cast<double>(input.class_sizes[k]) / static_cast<double>(input.num_labelled);
      const double difference = std::abs(train[k] - test[k]), chance = std::sqrt(share * (1 - share) * per_node);
      if (difference <= most.difference || (beyond_chance && difference < kChance * chance)) continue;
      most = {difference, s, static_cast<Index>(k), train[k], test[k]};
    }
  }
  return most;
}

std::vector<Remark> look_for_drift(const CheckInput& input) {
  if (input.splits.empty() || input.class_sizes.empty()) return {};
  const Drift drift = find_drift(input, true);
  if (drift.difference < kDrift)
    return in_order(join("shares of classes differ by at most ", in_percent(find_drift(input, false).difference),
                         " between training and test"));
  return warn(join("split ", drift.split, ": class ", input.class_name(drift.number), " is ", in_percent(drift.train),
                   " of the training nodes and ", in_percent(drift.test), " of the test nodes"),
              "the test asks for something else than was trained, beyond what chance gives",
              "draw the sets at random, unless the difference is meant (training on the past)");
}

std::vector<Remark> look_for_large_tests(const CheckInput& input) {
  for (std::size_t s = 0; s < input.splits.size(); ++s) {
    const Split& split = input.splits[s];
    if (split.test.size() > split.train.size())
      return warn(join("split ", s, ": ", split.test.size(), " test nodes, ", split.train.size(), " training nodes"),
                  "most of the labels are not learned from",
                  "are the sets swapped? if not, a larger training set helps");
  }
  return {};
}

std::vector<Remark> look_for_small_tests(const CheckInput& input) {
  if (input.splits.empty()) return {};
  std::size_t least = input.splits[0].test.size();
  for (const Split& split : input.splits) least = std::min(least, split.test.size());
  if (least >= kSmallTest || least == 0) return {};
  return warn(join("a test set has ", counted(static_cast<std::int64_t>(least), "node"), ": one node is ",
                   in_percent(1 / static_cast<double>(least)), " of the accuracy"),
              "small differences between models are noise",
              join("compare on many splits", input.brings_splits ? "" : " (`num_splits`)", " and read the intervals"));
}

std::vector<Remark> look_at_sizes(const CheckInput& input) {
  if (!input.brings_splits || input.splits.empty()) return {};
  std::size_t most = 0;
  std::vector<bool> used(input.tables.num_nodes());
  for (const Split& split : input.splits) {
    most = std::max(most, split.train.size());
    for (const auto* set : {&split.train, &split.val, &split.test})
      for (Index node : *set) used[node] = true;
  }
  std::vector<std::string> smaller;
  for (std::size_t s = 0; s < input.splits.size(); ++s)
    if (static_cast<double>(input.splits[s].train.size()) < (1 - kUnequal) * static_cast<double>(most))
      smaller.push_back(join(s, " (", sizes_of(input.splits[s]), ")"));
  std::vector<Remark> out;
  if (!smaller.empty())
    out = warn(join(plural(std::ssize(smaller), "split"), " with fewer nodes than the others: ", some_of(smaller)),
               join("the others have up to ", most, " training nodes, so scores do not compare"),
               "leave them out with `splits`, or say so");
  Offset unused = 0;
  for (Index u = 0; u < input.tables.num_nodes(); ++u) unused += input.tables.labels[u] >= 0 && !used[u];
  if (unused > 0)
    out.push_back(warn(join(counted(unused, "labelled node"), unused == 1 ? " is" : " are", " in no set of any split"),
                       "nothing is learned from them and nothing tested on them", "see whether that is meant")[0]);
  return out.empty() ? in_order("the splits are of one size and name every labelled node") : out;
}

}  // namespace

std::vector<Rule> split_rules() {
  return {
      {"splits", "sets that overlap or are empty", look_for_overlap, Rule::When::always},
      {"split-drift", "classes whose share in training and test differs beyond chance", look_for_drift,
       Rule::When::always},
      {"test-larger", "test sets that are larger than the training sets", look_for_large_tests},
      {"small-test", "test sets of less than a hundred nodes", look_for_small_tests},
      {"split-sizes", "splits of other sizes than the others, and labelled nodes in none of them", look_at_sizes},
  };
}

}  // namespace gcnh
