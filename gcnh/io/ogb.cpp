#include "gcnh/io/ogb.h"

#include <algorithm>
#include <cmath>

#include "gcnh/io/arrays.h"
#include "gcnh/io/file.h"
#include "gcnh/io/splits.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

bool has(const fs::path& folder, const std::string& name) {
  return is_file(folder / (name + ".csv.gz")) || is_file(folder / (name + ".csv"));
}

// The file NAME.csv.gz, or NAME.csv.
std::string find(const fs::path& folder, const std::string& name) {
  const fs::path packed = folder / (name + ".csv.gz"), plain = folder / (name + ".csv");
  if (!has(folder, name))
    fail(Status::data, folder.string(), ": no ", name, ".csv.gz; an OGB folder of one graph with features has one");
  return (is_file(packed) ? packed : plain).string();
}

Index parse_node(const Lines& lines, std::string_view text, Index num_nodes) {
  const auto id = parse_number<std::int64_t>(text);
  if (!id || *id < 0 || *id >= num_nodes) lines.fail("node ", quote(text), " is not an integer in 0..", num_nodes - 1);
  return static_cast<Index>(*id);
}

Index read_num_nodes(const std::string& path) {
  Lines lines(path);
  require(lines.next(), path, ": the file is empty");
  const auto count = parse_number<std::int64_t>(lines.line());
  if (!count || *count < 1) lines.fail(quote(lines.line()), " is not a number of nodes");
  const Index out = to_index(*count, path, "nodes");
  lines.require(!lines.next(), "several graphs; read are folders of one");
  return out;
}

// The number of nodes is what the table of features has: a file of a few bytes may claim any.
Features read_features(const std::string& path, Index num_nodes) {
  std::vector<Real> values;
  std::size_t rows = 0, cols = 0;
  for (Lines lines(path); lines.next(); ++rows) {
    lines.require(rows < static_cast<std::size_t>(num_nodes), "more rows than ", num_nodes, " nodes");
    const std::size_t before = values.size();
    for (std::string_view rest = lines.line(); !rest.empty();) {
      const std::string_view cell = take_until(rest, ',');
      const auto value = parse_number<double>(cell);
      const Real stored = static_cast<Real>(value.value_or(0));
      if (!value || !std::isfinite(stored)) lines.fail("feature ", quote(cell), " is not a finite number");
      values.push_back(stored);
    }
    const std::size_t found = values.size() - before;
    if (rows == 0) cols = found;
    lines.require(found == cols, "found ", found, " features, expected ", cols);
  }
  require(rows == static_cast<std::size_t>(num_nodes), path, ": ", rows, " rows for ", num_nodes, " nodes");
  return to_features(num_nodes, to_index(static_cast<std::int64_t>(cols), path, "columns"), values);
}

std::vector<int> read_labels(const std::string& path, Index num_nodes) {
  std::vector<int> out;
  for (Lines lines(path); lines.next();) {
    const std::string_view text = lines.line();
    lines.require(text.find(',') == text.npos, "several labels of a node; read are graphs with one");
    const auto value = parse_number<double>(text);
    const bool none = text == "nan" || (value && *value == -1);
    if (!none && (!value || *value < 0 || *value >= kMostClasses || std::floor(*value) != *value))
      lines.fail("label ", quote(text), " is not an integer in 0..", kMostClasses - 1, " or nan");
    out.push_back(none ? -1 : static_cast<int>(*value));
  }
  require(std::ssize(out) == num_nodes, path, ": ", out.size(), " labels for ", num_nodes, " nodes");
  return out;
}

std::vector<Edge> read_edge_rows(const std::string& path, Index num_nodes) {
  std::vector<Edge> out;
  for (Lines lines(path); lines.next();) {
    std::string_view rest = lines.line();
    const Index source = parse_node(lines, take_until(rest, ','), num_nodes);
    out.push_back({source, parse_node(lines, rest, num_nodes)});
  }
  return out;
}

std::vector<Real> read_weights(const std::string& path, std::size_t num_edges) {
  std::vector<Real> out;
  for (Lines lines(path); lines.next();) {
    const auto weight = parse_number<double>(lines.line());
    if (!weight || !is_weight(*weight))
      lines.fail(quote(lines.line()), " is no weight; weights are in ", kLeastWeight, "..", kMostWeight);
    out.push_back(static_cast<Real>(*weight));
  }
  require(out.size() == num_edges, path, ": ", out.size(), " weights for ", num_edges, " edges");
  return out;
}

std::vector<std::int64_t> read_mask(const std::string& path, Index num_nodes) {
  std::vector<std::int64_t> out(num_nodes);
  for (Lines lines(path); lines.next();) out[parse_node(lines, lines.line(), num_nodes)] = 1;
  return out;
}

std::vector<Split> read_splits(const fs::path& folder, Index num_nodes) {
  std::vector<fs::path> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    std::error_code ignored;
    if (entry.is_directory(ignored)) names.push_back(entry.path());
  }
  std::sort(names.begin(), names.end());
  std::vector<Split> out;
  for (const fs::path& name : names) {
    const auto mask = [&](const char* set) { return read_mask(find(name, set), num_nodes); };
    out.push_back(split_from_masks(mask("train"), mask("valid"), mask("test"), name.string()));
  }
  return out;
}

}  // namespace

bool is_ogb_folder(const fs::path& folder) { return has(folder / "raw", "edge"); }

Tables read_ogb(const fs::path& folder) {
  std::error_code ignored;
  const fs::path raw = folder / "raw";
  Tables out;
  out.name = fs::weakly_canonical(folder, ignored).filename().string();
  const Index num_nodes = read_num_nodes(find(raw, "num-node-list"));
  out.features = read_features(find(raw, "node-feat"), num_nodes);
  out.labels = read_labels(find(raw, "node-label"), num_nodes);
  out.classes = class_numbers(out.labels);
  out.edges = read_edge_rows(find(raw, "edge"), num_nodes);
  if (has(raw, "edge_weight")) out.edge_weights = read_weights(find(raw, "edge_weight"), out.edges.size());
  out.splits = read_splits(folder / "split", num_nodes);
  drop_unlabelled(out.splits, out.labels);
  return out;
}

}  // namespace gcnh
