#include "gcnh/io/csv.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "gcnh/graph/encode.h"
#include "gcnh/io/edge_weights.h"
#include "gcnh/io/labels.h"
#include "gcnh/io/missing_words.h"
#include "gcnh/io/node_columns.h"
#include "gcnh/io/split_table.h"
#include "gcnh/io/text.h"
#include "gcnh/io/unmet_ids.h"
#include "gcnh/io/unpack.h"
#include "gcnh/io/unused_columns.h"

namespace gcnh {
namespace {

// What the node file says, before labels become class numbers.
struct Nodes {
  Ids number_of;
  std::vector<std::string> ids;
  std::vector<int> lines;
  std::vector<std::string> labels;
  std::vector<Split> splits;
  std::vector<std::string> header;
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

// Words that mean missing go with features and labels; in other columns they would be ignored.
void check_missing(const CsvSource& from, const Rows& rows, const std::set<std::size_t>& taken,
                   std::optional<std::size_t> label) {
  for (std::size_t c : taken)
    if (c != label && from.missing_of.contains(rows.header()[c]))
      fail(Status::usage, "missing: column ", quote(rows.header()[c]),
           " holds ids or splits; words for missing values are for features and labels");
}

// Words for no label.
std::vector<std::string> missing_labels(const CsvSource& from) {
  std::vector<std::string> out = from.missing_labels;
  const auto own = from.missing_of.find(from.label);
  if (own != from.missing_of.end()) out.insert(out.end(), own->second.begin(), own->second.end());
  return out;
}

void note_missing(const MissingWords& labels, const CsvSource& from, Tables& out) {
  const MissingWords::Word word = labels.often();
  if (word.count > 0)
    out.notes.push_back(join(from.nodes, ": ", counted(word.count, "label"), " ", quote(word.text),
                             " taken for no label; `missing_label` ", for_shell("!" + word.text), " if it is a class"));
}

void note_empty_rows(const Rows& rows, std::vector<std::string>& notes) {
  if (rows.empty_rows() > 0)
    notes.push_back(join(rows.name(), ": ", counted(rows.empty_rows(), "row"), " without a single value passed over"));
}

// Fills columns, and what there is to tell of them.
Nodes read_nodes(const CsvSource& from, const OpenRows& open, Tables& tables) {
  const std::unique_ptr<Rows> table = open(from.nodes, from.database);
  Rows& rows = *table;
  require(rows.has(from.id) || !rows.has(from.source) || !rows.has(from.target), from.nodes, ": no column ",
          quote(from.id), "; columns: ", list_words(rows.named_columns()), "; are `nodes` and `edges` swapped?");
  rows.require_no_title(from.id);
  if (!from.labels.empty() && rows.has(from.label))
    fail(Status::usage, "labels: ", from.nodes, " has a column ", quote(from.label),
         ", too; leave `labels` out, or `label` names another");
  rows.require_header({from.id, from.label});
  const std::size_t id = rows.column(from.id, unless_given("id", from.id, &CsvSource::id));
  const bool has_label = from.labels.empty() && (from.label_required || rows.has(from.label));
  const std::optional<std::size_t> label =
      has_label ? optional_column(rows, from.label, unless_given("label", from.label, &CsvSource::label))
                : std::nullopt;
  const std::vector<std::size_t> splits = split_columns(rows, from.split);
  std::set<std::size_t> taken(splits.begin(), splits.end());
  taken.insert(id);
  if (label) taken.insert(*label);
  check_missing(from, rows, taken, label);
  NodeColumns columns(rows, taken, from.features, from.missing, from.missing_of);
  Nodes out;
  out.header = rows.named_columns();
  out.splits.resize(splits.size());
  const std::vector<std::string> no_label = missing_labels(from);
  MissingWords words;
  while (rows.next()) {
    add_id(rows, rows.row()[id], out);
    out.labels.push_back(label ? rows.row()[*label] : "");
    if (label) words.add(out.labels.back(), no_label);
    if (is_missing(out.labels.back(), no_label)) out.labels.back() = "";
    for (std::size_t s = 0; s < splits.size(); ++s)
      add_to_split(rows, splits[s], static_cast<Index>(out.ids.size()) - 1, out.splits[s]);
    columns.add(rows);
  }
  require(!out.ids.empty(), from.nodes, ": no nodes");
  columns.parse(from.nodes, tables);
  note_missing(words, from, tables);
  note_empty_rows(rows, tables.notes);
  return out;
}

// Labels from a table of their own, found by the ids of the nodes; those that it lacks are unlabelled.
void read_label_table(const CsvSource& from, const OpenRows& open, Nodes& nodes, Tables& out) {
  const std::unique_ptr<Rows> rows = open(from.labels, "");
  const std::size_t id = rows->column(from.id), label = rows->column(from.label);
  std::vector<int> lines(nodes.ids.size());
  const std::vector<std::string> no_label = missing_labels(from);
  MissingWords words;
  std::int64_t strangers = 0;
  while (rows->next()) {
    const auto found = nodes.number_of.find(rows->row()[id]);
    if (found == nodes.number_of.end()) {
      ++strangers;
      continue;
    }
    int& line = lines[found->second];
    if (line > 0) rows->fail("node ", quote(rows->row()[id]), " appears again; first in line ", line);
    line = rows->line();
    const std::string& word = rows->row()[label];
    words.add(word, no_label);
    nodes.labels[found->second] = is_missing(word, no_label) ? "" : word;
  }
  note_missing(words, from, out);
  note_empty_rows(*rows, out.notes);
  if (strangers > 0)
    out.notes.push_back(join(from.labels, ": ", counted(strangers, "row"), " of nodes that ", from.nodes, " lacks"));
}

constexpr Index kUnmet = -1;  // in place of a node that is not there

// Fills edges, their weights and notes.
void read_edges(const CsvSource& from, const OpenRows& open, const Ids& number_of, Tables& out) {
  const std::unique_ptr<Rows> table = open(from.edges, from.database);
  Rows& rows = *table;
  rows.require_no_title(from.source);
  rows.require_header({from.source, from.target}, [&](const std::string& cell) { return number_of.contains(cell); });
  const std::size_t source = rows.column(from.source, unless_given("source", from.source, &CsvSource::source));
  const std::size_t target = rows.column(from.target, unless_given("target", from.target, &CsvSource::target));
  require(source != target, from.edges, ": both ends of the edges are in column ", quote(from.source),
          "; `target` names another");
  const std::optional<std::size_t> weight = optional_column(rows, from.weight);
  require(weight != source && weight != target, from.edges, ": column ", quote(from.weight),
          " holds node ids; `weight` names another");
  UnmetIds unmet(number_of, !from.database.empty() ? quote(from.nodes)
                            : from.nodes == "-"    ? "standard input"
                                                   : std::filesystem::path(from.nodes).filename().string());
  const auto node = [&](std::size_t column) {
    const std::string& id = rows.row()[column];
    if (id.empty()) rows.fail("column ", quote(rows.header()[column]), ": the cell is empty; write a node id");
    const auto found = number_of.find(id);
    if (found != number_of.end()) return found->second;
    unmet.add(rows, id);
    return kUnmet;
  };
  std::set<std::size_t> used = {source, target};
  if (weight) used.insert(*weight);
  UnusedColumns unused(rows, used, weight.has_value());
  EdgeWeights weights;
  std::int64_t edges = 0;
  for (; rows.next(); ++edges) {
    const Index begin = node(source), end = node(target);
    unused.add(rows);
    if (begin == kUnmet || end == kUnmet) continue;
    out.edges.push_back({begin, end});
    if (weight) weights.add(rows, *weight);
  }
  if (!from.skip_unknown_ids) unmet.check(edges);
  if (weight) weights.finish(rows, *weight, out);
  if (const std::string note = unused.note(); !note.empty()) out.notes.push_back(note);
  if (unmet.any()) out.notes.push_back(unmet.note(rows, edges - std::ssize(out.edges)));
  if (out.edges.empty()) out.notes.push_back(from.edges + " has no edges: every model sees the nodes alone");
  note_empty_rows(rows, out.notes);
}

// Numbers of which a node has several are not a feature; sets are made of words and codes.
void note_several(const std::string& table, std::span<const Column> columns, std::vector<std::string>& notes) {
  std::vector<std::string> unused;
  for (const Column& column : columns)
    if (column.why == kSeveralNumbers) unused.push_back(column.spec.name);
  if (!unused.empty())
    notes.push_back(join(table, ": ", plural(std::ssize(unused), "column"), " not used: ", list_words(unused),
                         "; a node has several numbers there: write one row per node, or declare a set (multi)"));
}

// The second table: its rows are found by the ids of the nodes.
void add_more_columns(const CsvSource& from, const OpenRows& open, const Ids& number_of, Tables& out) {
  const std::unique_ptr<Rows> rows = open(from.more, "");
  const std::size_t key = rows->column(from.key, "key");
  NodeColumns columns(*rows, {key}, from.features, from.missing, from.missing_of);
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
  columns.gather(rows_of, from.more);
  for (const Column& other : out.columns)
    require(other.spec.name == from.key || !rows->has(other.spec.name), from.more, ": column ", quote(other.spec.name),
            " is in ", from.nodes, " as well; rename one of them");
  const std::size_t before = out.columns.size();
  columns.parse(from.more, out);
  note_empty_rows(*rows, out.notes);
  if (strangers > 0)
    out.notes.push_back(join(from.more, ": ", counted(strangers, "row"), " of nodes that ", from.nodes, " lacks"));
  note_several(from.more, std::span(out.columns).subspan(before), out.notes);
}

// A name that was declared and is nowhere is a slip, or a table that does not fit a model.
void check_declared(const CsvSource& from, std::vector<std::string> names, const Tables& tables) {
  std::vector<std::string> absent;
  std::unordered_set<std::string> known(names.begin(), names.end());
  for (const Column& column : tables.columns)
    if (known.insert(column.spec.name).second) names.push_back(column.spec.name);
  for (const ColumnSpec& column : from.features.columns)
    if (!from.features.may_lack && !known.contains(column.name)) absent.push_back(quote(column.name));
  for (const auto& [name, words] : from.missing_of)
    if (!known.contains(name) && (from.label_required || name != from.label)) absent.push_back(quote(name));
  if (absent.empty()) return;
  fail(Status::data, from.nodes, ": no ", plural(std::ssize(absent), "column"), " ", list_words(absent),
       "; columns: ", list_words(names),
       absent.size() == 1 ? did_you_mean(absent[0].substr(1, absent[0].size() - 2), names) : "");
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

void read_edge_table(const CsvSource& from, Tables& out) {
  Ids number_of;
  for (Index node = 0; node < out.num_nodes(); ++node)
    number_of[out.ids.empty() ? std::to_string(node) : out.ids[node]] = node;
  read_edges(from, open_rows, number_of, out);
}

Tables read_csv(const CsvSource& from, const OpenRows& open) {
  Tables out;
  Nodes nodes = read_nodes(from, open, out);
  out.name = std::filesystem::path(unpacked_name(from.database.empty() ? from.nodes : from.database)).stem().string();
  if (!is_utf8(out.name)) out.name = "nodes";  // it stands in JSON
  if (!from.labels.empty()) {
    read_label_table(from, open, nodes, out);
    nodes.header.push_back(from.label);
  }
  number_labels(nodes.labels, out);
  require(from.label.empty() || !from.label_required || !out.classes.empty(),
          from.labels.empty() ? from.nodes : from.labels, ": column ", quote(from.label), " is blank in every row",
          from.labels.empty() ? "" : ", or of no node");
  if (!from.more.empty()) add_more_columns(from, open, nodes.number_of, out);
  check_declared(from, std::move(nodes.header), out);
  if (!from.edges.empty()) read_edges(from, open, nodes.number_of, out);
  describe_all(out, static_cast<Index>(nodes.ids.size()));
  out.ids = std::move(nodes.ids);
  out.splits = finish_splits(std::move(nodes.splits), out.labels, from.split, from.nodes);
  return out;
}

}  // namespace gcnh
