#include <fmt/core.h>

#include <algorithm>

#include "gcnh/check/rules.h"
#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/splits.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

std::vector<Split> choose_splits(const Tables& tables, const Setup& setup) {
  if (tables.splits.empty()) {
    Dataset labelled;  // all that random splits depend on
    labelled.labels = tables.labels;
    labelled.classes = tables.classes;
    return random_splits(setup, labelled);
  }
  std::vector<Split> out = tables.splits;
  for (Split& split : out)
    for (auto* set : {&split.train, &split.val, &split.test})
      std::erase_if(*set, [&](Index node) { return tables.labels[node] < 0; });
  return out;
}

}  // namespace

CheckInput::CheckInput(const Tables& from, const Setup& setup)
    : tables(from),
      brings_splits(!from.splits.empty()),
      has_own_scale(setup.scale != "auto"),
      keeps_direction(setup.direction == "in" || setup.direction == "out"),
      wants_val(setup.val_share > 0),
      wants_test(leaves_test(setup.train_share, setup.val_share)),
      class_sizes(from.classes.size()) {
  check_tables(tables);
  splits = choose_splits(tables, setup);
  for (int label : tables.labels) {
    if (label < 0) continue;
    ++class_sizes[label];
    ++num_labelled;
  }
}

const Csr& CheckInput::edge_counts() const {
  if (!edge_counts_) edge_counts_ = adjacency_matrix(tables.num_nodes(), tables.edges);
  return *edge_counts_;
}

const Csr& CheckInput::graph() const {
  if (!graph_) graph_ = simple_graph(edge_counts());
  return *graph_;
}

std::string CheckInput::id(Index node) const {
  return tables.ids.empty() ? std::to_string(node) : quote(tables.ids[node]);
}

std::string CheckInput::class_name(Index number) const { return quote(tables.classes[number]); }

std::string CheckInput::feature_name(Index column) const {
  return tables.feature_names.empty() ? std::to_string(column) : quote(tables.feature_names[column]);
}

std::string CheckInput::how_to_ignore() const {
  return tables.columns.empty() ? "leave it out of the file of features" : "`ignore` leaves a column out";
}

std::string CheckInput::how_to_relabel() const {
  return tables.ids.empty() ? "give the nodes other labels" : "name the column of the classes with `label`";
}

std::string in_percent(double share) {
  const double points = 100 * share;
  const bool rounds_to_end = points > 99.9 && points < 100;  // nearly all is not all
  return fmt::format("{:.{}f} %", rounds_to_end ? 99.9 : points, points > 1e-3 && points < 0.1 ? 3 : 1);
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kShown) out += join(" and ", names.size() - kShown, " more");
  return out;
}

}  // namespace gcnh
