#include "gcnh/io/csv.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "gcnh/io/arrays.h"
#include "gcnh/io/rows.h"
#include "gcnh/io/splits.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

using Ids = std::unordered_map<std::string, Index>;

// What the node file says, before labels become class numbers.
struct Nodes {
  Ids number_of;
  std::vector<std::string> ids;
  std::vector<int> lines;
  std::vector<std::string> labels;
  std::vector<std::string> sets;
  std::vector<std::string> feature_names;
  std::vector<Real> features;  // row-major
};

std::optional<std::size_t> optional_column(const Rows& rows, const std::string& name, const std::string& field = "") {
  return name.empty() ? std::nullopt : std::optional(rows.column(name, field));
}

// The field that names a column, where the name is not one that somebody has chosen.
std::string unless_given(const std::string& field, const std::string& name, std::string CsvSource::*column) {
  return name == CsvSource().*column ? field : "";
}

void add_id(const Rows& rows, const std::string& id, Nodes& out) {
  if (id.empty()) rows.fail("the node id is empty");
  const auto [at, is_new] = out.number_of.emplace(id, static_cast<Index>(out.ids.size()));
  if (!is_new)
    rows.fail("node ", quote(id), " appears again; first in line ", out.lines[at->second],
              "; ids are unique, `id` names their column");
  out.ids.push_back(id);
  out.lines.push_back(rows.line());
}

Real parse_feature(const Rows& rows, std::size_t column) {
  const std::string& text = rows.row()[column];
  const auto value = parse_number<double>(text);
  const Real stored = static_cast<Real>(value.value_or(0));
  if (value && std::isfinite(stored)) return stored;
  const char* problem = value ? " is too large" : " is not a number";
  rows.fail("column ", quote(rows.header()[column]), ": ", text.empty() ? "the cell is empty" : quote(text) + problem,
            text.empty() ? "; write a number, for example 0" : "; `ignore` leaves a column out");
}

void add_set(const Rows& rows, const std::string& set, Nodes& out) {
  if (set != "train" && set != "val" && set != "test" && !set.empty())
    rows.fail("split ", quote(set), "; allowed: train, val, test or nothing");
  out.sets.push_back(set);
}

Nodes read_nodes(const CsvSource& from) {
  const std::unique_ptr<Rows> table = open_rows(from.nodes);
  Rows& rows = *table;
  require(rows.has(from.id) || !rows.has(from.source) || !rows.has(from.target), from.nodes, ": no column ",
          quote(from.id), "; columns: ", list_words(rows.header()), "; are `nodes` and `edges` swapped?");
  rows.require_header({from.id, from.label});
  const std::size_t id = rows.column(from.id, unless_given("id", from.id, &CsvSource::id));
  const bool has_label = from.label_required || rows.has(from.label);
  const std::optional<std::size_t> label =
      has_label ? optional_column(rows, from.label, unless_given("label", from.label, &CsvSource::label))
                : std::nullopt;
  const std::optional<std::size_t> split = optional_column(rows, from.split);
  std::set<std::size_t> ignored;
  for (const std::string& name : from.ignore) ignored.insert(rows.column(name));
  std::vector<std::size_t> columns;
  Nodes out;
  for (std::size_t c = 0; c < rows.header().size(); ++c) {
    if (c == id || c == label || c == split || ignored.contains(c)) continue;
    columns.push_back(c);
    out.feature_names.push_back(rows.header()[c]);
  }
  while (rows.next()) {
    add_id(rows, rows.row()[id], out);
    out.labels.push_back(label ? rows.row()[*label] : "");
    if (split) add_set(rows, rows.row()[*split], out);
    for (std::size_t c : columns) out.features.push_back(parse_feature(rows, c));
  }
  require(!out.ids.empty(), from.nodes, ": no nodes");
  return out;
}

// The names of the classes in order: as numbers when all are integers, else by their bytes.
std::vector<std::string> sort_classes(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase(names, "");
  const auto number = [](const std::string& name) { return parse_number<std::int64_t>(name); };
  if (std::all_of(names.begin(), names.end(), number))
    std::stable_sort(names.begin(), names.end(),
                     [&](const std::string& a, const std::string& b) { return *number(a) < *number(b); });
  return names;
}

std::vector<int> number_labels(const std::vector<std::string>& labels, const std::vector<std::string>& classes) {
  std::map<std::string, int> number_of = {{"", -1}};
  for (std::size_t c = 0; c < classes.size(); ++c) number_of[classes[c]] = static_cast<int>(c);
  std::vector<int> out;
  for (const std::string& label : labels) out.push_back(number_of.at(label));
  return out;
}

// What is worth knowing about the edge table, though nothing is wrong.
void add_notes(const Rows& rows, const std::string& path, std::size_t source, std::size_t target, bool empty,
               std::vector<std::string>& out) {
  std::vector<std::string> unused;
  for (std::size_t c = 0; c < rows.header().size(); ++c)
    if (c != source && c != target) unused.push_back(rows.header()[c]);
  if (!unused.empty())
    out.push_back(join(path, ": ", plural(std::ssize(unused), "column"), " not used: ", list_words(unused)));
  if (empty) out.push_back(path + " has no edges: every model sees the nodes alone");
}

std::vector<Edge> read_edges(const CsvSource& from, const Ids& number_of, std::vector<std::string>& notes) {
  const std::unique_ptr<Rows> table = open_rows(from.edges);
  Rows& rows = *table;
  rows.require_header({from.source, from.target}, [&](const std::string& cell) { return number_of.contains(cell); });
  const std::size_t source = rows.column(from.source, unless_given("source", from.source, &CsvSource::source));
  const std::size_t target = rows.column(from.target, unless_given("target", from.target, &CsvSource::target));
  const std::string nodes = std::filesystem::path(from.nodes).filename().string();
  const auto node = [&](std::size_t column) {
    const std::string& id = rows.row()[column];
    const auto found = number_of.find(id);
    if (id.empty()) rows.fail("column ", quote(rows.header()[column]), ": the cell is empty; write a node id");
    if (found == number_of.end())
      rows.fail("node ", quote(id), " is not in ", nodes, "; add a row for it there, or leave the edge out");
    return found->second;
  };
  std::vector<Edge> out;
  while (rows.next()) {
    const Index begin = node(source);
    out.push_back({begin, node(target)});
  }
  add_notes(rows, from.edges, source, target, out.empty(), notes);
  return out;
}

std::vector<Split> make_splits(const CsvSource& from, const std::vector<std::string>& sets, const Tables& tables) {
  std::vector<Split> out(1);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto node = static_cast<Index>(i);
    if (sets[i] == "train") out[0].train.push_back(node);
    if (sets[i] == "val") out[0].val.push_back(node);
    if (sets[i] == "test") out[0].test.push_back(node);
  }
  drop_unlabelled(out, tables.labels);
  require(!out[0].train.empty(), from.nodes, ": column ", quote(from.split), " has no 'train' row with a label");
  return out;
}

}  // namespace

Tables read_csv(const CsvSource& from) {
  Nodes nodes = read_nodes(from);
  Tables out;
  out.name = std::filesystem::path(from.nodes).stem().string();
  out.classes = sort_classes(nodes.labels);
  out.labels = number_labels(nodes.labels, out.classes);
  require(from.label.empty() || !from.label_required || !out.classes.empty(), from.nodes, ": column ",
          quote(from.label), " is blank in every row");
  out.edges = read_edges(from, nodes.number_of, out.notes);
  const Index num_features = to_index(static_cast<std::int64_t>(nodes.feature_names.size()), from.nodes, "columns");
  out.features = to_features(static_cast<Index>(nodes.ids.size()), num_features, nodes.features);
  out.ids = std::move(nodes.ids);
  out.feature_names = std::move(nodes.feature_names);
  if (!from.split.empty()) out.splits = make_splits(from, nodes.sets, out);
  return out;
}

}  // namespace gcnh
