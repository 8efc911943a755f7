#include "gcnh/io/split_table.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "gcnh/io/csv.h"
#include "gcnh/io/csv_write.h"
#include "gcnh/io/rows.h"
#include "gcnh/io/splits.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

std::unordered_map<std::string, Index> number_ids(const Tables& tables) {
  std::unordered_map<std::string, Index> out;
  for (Index node = 0; node < tables.num_nodes(); ++node)
    out[tables.ids.empty() ? std::to_string(node) : tables.ids[node]] = node;
  return out;
}

}  // namespace

std::vector<std::size_t> split_columns(const Rows& rows, const std::vector<std::string>& names) {
  std::vector<std::size_t> out;
  for (const std::string& name : names) {
    const std::size_t column = rows.column(name);
    require(std::find(out.begin(), out.end(), column) == out.end(), rows.name(), ": column ", quote(name),
            " is named twice; every split has a column of its own");
    out.push_back(column);
  }
  return out;
}

void add_to_split(const Rows& rows, std::size_t column, Index node, Split& split) {
  const std::string& set = rows.row()[column];
  if (set == "train") {
    split.train.push_back(node);
  } else if (set == "val") {
    split.val.push_back(node);
  } else if (set == "test") {
    split.test.push_back(node);
  } else if (!set.empty()) {
    rows.fail("column ", quote(rows.header()[column]), ": split ", quote(set),
              "; allowed: train, val, test or nothing");
  }
}

std::vector<Split> finish_splits(std::vector<Split> splits, std::span<const int> labels,
                                 const std::vector<std::string>& columns, const std::string& where) {
  drop_unlabelled(splits, labels);
  for (std::size_t s = 0; s < splits.size(); ++s) {
    require(!splits[s].train.empty(), where, ": column ", quote(columns[s]), " has no 'train' row with a label");
    for (auto* nodes : {&splits[s].train, &splits[s].val, &splits[s].test}) std::sort(nodes->begin(), nodes->end());
  }
  return splits;
}

std::vector<Split> read_splits(const std::string& path, const std::string& id, const Tables& tables) {
  const std::unique_ptr<Rows> table = open_rows(path);
  Rows& rows = *table;
  const std::string own = CsvSource().id;  // as splits_csv writes it
  rows.require_header({id, own});
  const std::size_t key = rows.column(rows.has(id) ? id : rows.has(own) ? own : id, "id");
  std::vector<std::string> names;
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < rows.header().size(); ++c) {
    if (c == key) continue;
    names.push_back(rows.header()[c]);
    columns.push_back(c);
  }
  require(!names.empty(), path, ": no column but ", quote(id), "; every other one is a split");
  const std::unordered_map<std::string, Index> number_of = number_ids(tables);
  std::vector<Split> out(names.size());
  std::vector<int> line_of(static_cast<std::size_t>(tables.num_nodes()), 0);
  while (rows.next()) {
    const auto found = number_of.find(rows.row()[key]);
    if (found == number_of.end()) rows.fail("node ", quote(rows.row()[key]), " is not in ", tables.name);
    int& line = line_of[found->second];
    if (line > 0) rows.fail("node ", quote(rows.row()[key]), " appears again; first in line ", line);
    line = rows.line();
    for (std::size_t s = 0; s < out.size(); ++s) add_to_split(rows, columns[s], found->second, out[s]);
  }
  return finish_splits(std::move(out), tables.labels, names, path);
}

std::vector<std::vector<const char*>> sets_of(const std::vector<Split>& splits, Index num_nodes) {
  std::vector<std::vector<const char*>> out;
  for (const Split& split : splits) {
    std::vector<const char*>& sets = out.emplace_back(num_nodes, "");
    for (Index node : split.train) sets[node] = "train";
    for (Index node : split.val) sets[node] = "val";
    for (Index node : split.test) sets[node] = "test";
  }
  return out;
}

std::string splits_csv(const std::vector<Split>& splits, Index num_nodes, const std::vector<std::string>& ids) {
  const std::vector<std::vector<const char*>> sets = sets_of(splits, num_nodes);
  std::string out = "id";
  for (std::size_t s = 0; s < sets.size(); ++s) out += join(",split_", s);
  for (Index node = 0; node < num_nodes; ++node) {
    out += '\n';
    out += ids.empty() ? std::to_string(node) : csv_field(ids[node]);
    for (const auto& set : sets) out.append(",").append(set[node]);
  }
  out += '\n';
  return out;
}

}  // namespace gcnh
