#include "gcnh/io/csv.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "gcnh/io/node_columns.h"
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
  std::vector<Column> columns;
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
  std::set<std::size_t> taken = {id};
  for (const auto& place : {label, split})
    if (place) taken.insert(*place);
  NodeColumns columns(rows, taken, from.features, from.missing);
  Nodes out;
  while (rows.next()) {
    add_id(rows, rows.row()[id], out);
    out.labels.push_back(label ? rows.row()[*label] : "");
    if (is_missing(out.labels.back(), from.missing_labels)) out.labels.back() = "";
    if (split) add_set(rows, rows.row()[*split], out);
    columns.add(rows);
  }
  require(!out.ids.empty(), from.nodes, ": no nodes");
  out.columns = columns.parse(from.nodes);
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

// The second table: its rows are found by the ids of the nodes.
void add_more_columns(const CsvSource& from, const Ids& number_of, Tables& out) {
  const std::unique_ptr<Rows> rows = open_rows(from.more);
  const std::size_t key = rows->column(from.key, "key");
  NodeColumns columns(*rows, {key}, from.features, from.missing);
  std::vector<std::vector<std::size_t>> rows_of(number_of.size());
  std::int64_t strangers = 0;
  for (std::size_t row = 0; rows->next(); ++row) {
    const auto found = number_of.find(rows->row()[key]);
    if (found == number_of.end()) {
      ++strangers;
    } else {
      rows_of[found->second].push_back(row);
    }
    columns.add(*rows);
  }
  columns.gather(rows_of);
  for (Column& column : columns.parse(from.more)) {
    for (const Column& other : out.columns)
      require(other.spec.name != column.spec.name, from.more, ": column ", quote(column.spec.name), " is in ",
              from.nodes, " as well; rename one of them");
    out.columns.push_back(std::move(column));
  }
  if (strangers > 0)
    out.notes.push_back(join(from.more, ": ", counted(strangers, "row"), " of nodes that ", from.nodes, " lacks"));
}

// A name that was declared and is nowhere is a slip, or a table that does not fit a model.
void check_declared(const CsvSource& from, const Tables& tables) {
  std::vector<std::string> names, absent;
  for (const Column& column : tables.columns) names.push_back(column.spec.name);
  for (const ColumnSpec& column : from.features.columns)
    if (std::find(names.begin(), names.end(), column.name) == names.end()) absent.push_back(column.name);
  if (absent.empty()) return;
  fail(Status::data, from.nodes, ": no ", plural(std::ssize(absent), "column"), " ", list_words(absent),
       "; columns: ", list_words(names), absent.size() == 1 ? did_you_mean(absent[0], names) : "");
}

// The features of all nodes, as far as they need no fitting: what is told of the data, and its fingerprint.
void describe_all(Tables& tables, Index num_nodes) {
  std::vector<Index> all(num_nodes);
  std::iota(all.begin(), all.end(), 0);
  const Schema schema = fit_schema(tables.columns, all, Scale::none);
  tables.features = encode(schema, tables.columns, num_nodes);
  tables.feature_names = schema.feature_names();
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
  out.columns = std::move(nodes.columns);
  if (!from.more.empty()) add_more_columns(from, nodes.number_of, out);
  check_declared(from, out);
  describe_all(out, static_cast<Index>(nodes.ids.size()));
  out.ids = std::move(nodes.ids);
  if (!from.split.empty()) out.splits = make_splits(from, nodes.sets, out);
  return out;
}

}  // namespace gcnh
