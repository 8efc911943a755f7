// Features as numbers: none at all, columns that say nothing or the same, rows without any, and sizes that differ.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gcnh/check/rules.h"
#include "gcnh/graph/scaling.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// What is to be known of a column, gathered in one pass.
struct Summary {
  std::string name;
  Offset filled = 0;                                                  // cells that are not 0
  double low = std::numeric_limits<double>::infinity(), high = -low;  // of these
  std::uint64_t hash = 0;                                             // of where and which they are
  bool has_gaps = false;
  bool all_differ = false;  // words or sets that no two nodes share

  void add(Index row, double x) {
    if (x == 0) return;
    const std::array<double, 2> cell = {static_cast<double>(row), x};
    hash = XXH3_64bits_withSeed(cell.data(), sizeof(cell), hash);
    ++filled;
    if (std::isnan(x)) has_gaps = true;
    low = std::min(low, x), high = std::max(high, x);
  }
  bool is_constant(Index rows) const { return filled == 0 || (filled == rows && low == high && !has_gaps); }
  double largest() const { return filled == 0 ? 0 : std::max(std::abs(low), std::abs(high)); }
};

void for_each_entry(const Features& features, auto&& f) {
  features.visit([&](const auto& x) {
    if constexpr (requires { x.indices; }) {
      for (Index u = 0; u < x.rows; ++u)
        for (Offset e = x.offsets[u]; e < x.offsets[u + 1]; ++e) f(u, x.indices[e], static_cast<double>(x.value(e)));
    } else {
      for (Index u = 0; u < x.rows(); ++u)
        for (Index j = 0; j < x.cols(); ++j) f(u, j, static_cast<double>(x(u, j)));
    }
  });
}

std::vector<Summary> summarise_features(const CheckInput& input) {
  std::vector<Summary> out(input.tables.features.cols());
  for (std::size_t j = 0; j < out.size(); ++j) out[j].name = input.feature_name(static_cast<Index>(j));
  for_each_entry(input.tables.features, [&](Index row, Index column, double x) { out[column].add(row, x); });
  return out;
}

// Words and sets are numbered as they come, so that columns that only name them differently are alike.
void add_items(const Csr& items, Summary& out) {
  std::unordered_map<std::uint64_t, double> number;
  for (Index u = 0; u < items.rows; ++u) {
    const std::span<const Index> row = items.row(u);
    if (row.empty()) continue;
    const std::uint64_t hash = XXH3_64bits(row.data(), row.size_bytes());
    out.add(u, number.try_emplace(hash, static_cast<double>(number.size() + 1)).first->second);
  }
  out.all_differ = items.rows > 0 && std::cmp_equal(number.size(), out.filled);
}

// The columns of a typed table, else the features.
std::vector<Summary> summarise_columns(const CheckInput& input) {
  if (input.tables.columns.empty()) return summarise_features(input);
  std::vector<Summary> out;
  for (const Column& column : input.tables.columns) {
    if (column.spec.kind == ColumnKind::ignore) continue;
    Summary& summary = out.emplace_back();
    summary.name = quote(column.spec.name);
    for (std::size_t u = 0; u < column.numbers.size(); ++u) summary.add(static_cast<Index>(u), column.numbers[u]);
    add_items(column.items, summary);
  }
  return out;
}

// Of a vocabulary some words occur nowhere, or always together; of a table that somebody made, none should.
bool is_vocabulary(const CheckInput& input) { return input.tables.columns.empty(); }

std::vector<Remark> judge_columns(const CheckInput& input, std::size_t all, const std::vector<std::string>& names,
                                  const std::string& what, const std::string& why) {
  if (all == 0) return {};
  if (names.empty()) return in_order("no column " + what);
  const std::string found = join(names.size(), " of ", counted(static_cast<std::int64_t>(all), "column"),
                                 ", each of which ", what, ": ", some_of(names));
  if (is_vocabulary(input) && 2 * names.size() < all) return in_order(found);
  return warn(found, why, input.how_to_ignore());
}

std::vector<Remark> look_for_no_features(const CheckInput& input) {
  if (input.tables.features.cols() > 0) return {};
  return complain("the nodes have no features", "models learn from the features of nodes and their neighbours",
                  "give the nodes a column besides id and label");
}

std::vector<Remark> look_for_constants(const CheckInput& input) {
  std::vector<std::string> names;
  const std::vector<Summary> columns = summarise_columns(input);
  for (const Summary& column : columns)
    if (column.is_constant(input.tables.num_nodes())) names.push_back(column.name);
  return judge_columns(input, columns.size(), names, "has one value for all nodes", "it tells no node from another");
}

std::vector<Remark> look_for_equal_columns(const CheckInput& input) {
  std::unordered_map<std::uint64_t, std::string> first;
  std::vector<std::string> names;
  const std::vector<Summary> columns = summarise_columns(input);
  for (const Summary& column : columns) {
    if (column.is_constant(input.tables.num_nodes())) continue;
    if (column.all_differ) continue;  // any two such columns name the nodes alike
    const auto [at, is_new] = first.try_emplace(column.hash, column.name);
    if (!is_new) names.push_back(join(column.name, " = ", at->second));
  }
  return judge_columns(input, columns.size(), names, "repeats another one", "what it says counts twice");
}

std::vector<Remark> look_for_empty_rows(const CheckInput& input) {
  if (!is_vocabulary(input)) return {};
  std::vector<bool> filled(input.tables.num_nodes());
  for_each_entry(input.tables.features, [&](Index row, Index, double x) {
    if (x != 0) filled[row] = true;
  });
  Offset empty = 0, unlabelled = 0;
  Index example = -1;
  for (Index u = 0; u < input.tables.num_nodes(); ++u) {
    if (filled[u]) continue;
    ++empty;
    unlabelled += input.tables.labels[u] < 0;
    if (example < 0) example = u;
  }
  if (empty == 0) return in_order("every node has a feature");
  return warn(join(counted(empty, "node"), " without any feature, for example ", input.id(example),
                   unlabelled > 0 ? join("; ", unlabelled, " of them without a label, too") : ""),
              "of these a model knows the neighbours alone", "see whether their rows are missing");
}

// Whether numbers go to a model as they are, without anybody having said so.
bool is_unscaled(const CheckInput& input) {
  return !input.has_own_scale && input.tables.columns.empty() && input.tables.features.is_sparse();
}

std::vector<Remark> look_at_scales(const CheckInput& input) {
  if (!is_unscaled(input)) return in_order("features are scaled before training");
  std::vector<Summary> columns = summarise_features(input);
  std::erase_if(columns, [](const Summary& column) { return column.largest() == 0; });
  const auto [least, most] = std::minmax_element(
      columns.begin(), columns.end(), [](const Summary& a, const Summary& b) { return a.largest() < b.largest(); });
  if (columns.empty() || most->largest() < kApart * least->largest()) return in_order("features are of about one size");
  return warn(join("features differ in size: column ", most->name, " goes up to ", most->largest(), ", ", least->name,
                   " to ", least->largest()),
              "most numbers are 0, so they are not scaled, and the large ones drown the others",
              "`scale` largest, or `scale` rows for counts");
}

}  // namespace

std::vector<Rule> feature_rules() {
  return {
      {"no-features", "nodes without features", look_for_no_features},
      {"constant-columns", "columns that have one value for all nodes", look_for_constants},
      {"duplicate-columns", "columns that repeat another one", look_for_equal_columns},
      {"empty-rows", "nodes whose features are all 0", look_for_empty_rows},
      {"scales", "features of different sizes that are not scaled", look_at_scales, Rule::When::small},
  };
}

}  // namespace gcnh
