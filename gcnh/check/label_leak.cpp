// A column that gives the label away: its values tell the class of nodes that were not trained on.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "gcnh/check/rules.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr double kLeft = 0.05;         // of the errors that naming the largest class makes
constexpr Offset kNodesPerValue = 5;   // else each value is a node's own, and tells nothing of others
constexpr std::size_t kFewest = 30;    // labelled nodes; below, columns do it by chance
constexpr std::size_t kSample = 1000;  // nodes that are sorted before all of them are
constexpr std::size_t kMost = 200;     // classes
constexpr std::size_t kMostValues = 5000;

using Counts = std::vector<Offset>;
using Tally = std::unordered_map<std::uint64_t, std::pair<Counts, Counts>>;  // classes of training nodes, and of others

// The nodes of the first split, as rules of thumb are learned and tested on them.
struct Trial {
  explicit Trial(const CheckInput& from) : input(from), is_trained(from.tables.num_nodes()) {
    for (Index u : from.splits[0].train) is_trained[u] = true;
    num_train = std::ssize(from.splits[0].train);
    train = others = Counts(from.class_sizes.size());
    for (Index u = 0; u < from.tables.num_nodes(); ++u)
      if (from.tables.labels[u] >= 0) ++(is_trained[u] ? train : others)[from.tables.labels[u]];
  }

  void add(std::uint64_t value, Index u, Tally& tally) const {
    const int label = input.tables.labels[u];
    if (label < 0) return;
    auto found = tally.find(value);
    if (found == tally.end()) found = tally.try_emplace(value, Counts(train.size()), Counts(train.size())).first;
    ++(is_trained[u] ? found->second.first : found->second.second)[label];
  }

  const CheckInput& input;
  std::vector<bool> is_trained;
  Counts train, others;  // by class
  Offset num_train = 0;
};

Offset sum(const Counts& counts) {
  Offset out = 0;
  for (Offset count : counts) out += count;
  return out;
}

std::size_t largest(const Counts& counts) {
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

// More values than can tell anything.
bool is_hopeless(const Trial& trial, const Tally& tally) {
  return tally.size() > kMostValues || std::ssize(tally) * kNodesPerValue > trial.num_train;
}

// The share of the other nodes that the values tell the class of, or 0 where that is not nearly all.
double told_by(const Trial& trial, const Tally& tally) {
  const Offset all = sum(trial.others), by_largest = trial.others[largest(trial.train)];
  if (is_hopeless(trial, tally) || all == 0 || tally.size() < 2) return 0;
  Offset right = 0;
  for (const auto& [value, counts] : tally)
    if (sum(counts.first) > 0) right += counts.second[largest(counts.first)];
  const bool tells =
      by_largest < all && static_cast<double>(all - right) <= kLeft * static_cast<double>(all - by_largest);
  return tells ? share_of(static_cast<double>(right), static_cast<double>(all)) : 0;
}

// Whether the classes lie one behind the other when the first `most` labelled nodes are sorted by value. A part of the
// nodes may be of one class.
bool separates(const CheckInput& input, const std::function<double(Index)>& value, std::size_t most) {
  std::vector<std::pair<double, int>> sorted;
  for (Index u = 0; u < input.tables.num_nodes() && sorted.size() < most; ++u)
    if (input.tables.labels[u] >= 0 && !std::isnan(value(u))) sorted.emplace_back(value(u), input.tables.labels[u]);
  if (sorted.size() < std::min<std::size_t>(kFewest, input.num_labelled)) return false;
  std::sort(sorted.begin(), sorted.end());
  std::vector<bool> left(input.class_sizes.size());
  std::size_t classes = 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].second == sorted[i - 1].second) continue;
    if (sorted[i].first == sorted[i - 1].first || left[sorted[i].second]) return false;
    left[sorted[i - 1].second] = true;
    ++classes;
  }
  return classes > 1 || most < input.tables.labels.size();
}

bool separates(const CheckInput& input, const std::function<double(Index)>& value) {
  return separates(input, value, kSample) && separates(input, value, input.tables.labels.size());
}

struct Leaks {
  std::vector<std::string> told;  // "'code' (100 %)"
  std::vector<std::string> separated;
};

void look_at_values(const Trial& trial, const std::string& name, const Tally& tally, Leaks& out) {
  if (const double right = told_by(trial, tally); right > 0)
    out.told.push_back(join(name, " (", in_percent(right), ")"));
}

void look_at_numbers(const Trial& trial, const std::string& name, const std::function<double(Index)>& value,
                     Leaks& out) {
  Tally tally;
  for (Index u = 0; u < trial.input.tables.num_nodes() && !is_hopeless(trial, tally); ++u)
    trial.add(std::bit_cast<std::uint64_t>(value(u)), u, tally);
  const std::size_t before = out.told.size();
  look_at_values(trial, name, tally, out);
  if (out.told.size() == before && separates(trial.input, value)) out.separated.push_back(name);
}

// A column of sparse features: the nodes that it does not name have the value 0.
Tally tally_column(const Trial& trial, const Csr& by_column, Index j) {
  Tally out;
  for (Offset e = by_column.offsets[j]; e < by_column.offsets[j + 1] && !is_hopeless(trial, out); ++e)
    trial.add(std::bit_cast<std::uint64_t>(static_cast<double>(by_column.value(e))), by_column.indices[e], out);
  auto rest = std::pair(trial.train, trial.others);
  for (const auto& [value, counts] : out) {
    for (std::size_t k = 0; k < counts.first.size(); ++k) {
      rest.first[k] -= counts.first[k];
      rest.second[k] -= counts.second[k];
    }
  }
  out[0] = std::move(rest);
  return out;
}

// A member of the sets, or a word of the texts, that nodes of one class have and others have not.
void look_at_items(const Trial& trial, const Column& column, Leaks& out) {
  const Csr by_item = transpose(column.items);
  for (Index j = 0; j < std::min<Index>(by_item.rows, static_cast<Index>(column.values.size())); ++j)
    look_at_values(trial, join(quote(column.spec.name), " with ", quote(column.values[j])),
                   tally_column(trial, by_item, j), out);
}

void look_at_columns(const Trial& trial, Leaks& out) {
  for (const Column& column : trial.input.tables.columns) {
    const std::string name = quote(column.spec.name);
    if (!column.numbers.empty())
      look_at_numbers(
          trial, name, [&](Index u) { return column.numbers[u]; }, out);
    if (column.spec.kind == ColumnKind::multi || column.spec.kind == ColumnKind::text)
      look_at_items(trial, column, out);
    if (column.spec.kind != ColumnKind::cat) continue;
    Tally tally;
    for (Index u = 0; u < column.items.rows && !is_hopeless(trial, tally); ++u)
      trial.add(column.items.row(u).empty() ? 0 : 1 + column.items.row(u)[0], u, tally);
    look_at_values(trial, name, tally, out);
  }
}

void look_at_features(const Trial& trial, Leaks& out) {
  const Features& features = trial.input.tables.features;
  const Csr by_column = features.is_sparse() ? transpose(features.sparse()) : Csr{};
  for (Index j = 0; j < features.cols(); ++j) {
    const std::string name = trial.input.feature_name(j);
    if (features.is_sparse()) {
      look_at_values(trial, name, tally_column(trial, by_column, j), out);
    } else {
      look_at_numbers(
          trial, name, [&](Index u) { return static_cast<double>(features.dense()(u, j)); }, out);
    }
  }
}

std::vector<Remark> look_for_label_leaks(const CheckInput& input) {
  if (input.splits.empty() || static_cast<std::size_t>(input.num_labelled) < kFewest || input.class_sizes.size() < 2 ||
      input.class_sizes.size() > kMost)
    return {};
  const Trial trial(input);
  Leaks leaks;
  input.tables.columns.empty() ? look_at_features(trial, leaks) : look_at_columns(trial, leaks);
  std::vector<Remark> out;
  const std::string fix = input.how_to_ignore() + "; keep it only if it is known before the label is";
  if (!leaks.told.empty())
    out = complain(join("the label is given away by column ", some_of(leaks.told),
                        ": for so many nodes outside the training set its value tells the class"),
                   "a model reads it there and learns nothing else", fix);
  if (!leaks.separated.empty())
    out.push_back(warn(join("the classes lie one behind the other when sorted by column ", some_of(leaks.separated)),
                       "one number tells them apart without an error, as one from which labels were made does",
                       fix)[0]);
  return out.empty() ? in_order("no column tells the label by itself") : out;
}

}  // namespace

std::vector<Rule> label_leak_rules() {
  return {{"label-leak", "a column whose value tells the label of nodes that were not trained on", look_for_label_leaks,
           Rule::When::small}};
}

}  // namespace gcnh
