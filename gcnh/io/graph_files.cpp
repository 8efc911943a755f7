#include "gcnh/io/graph_files.h"

#include <filesystem>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/cells.h"
#include "gcnh/io/file_kind.h"
#include "gcnh/io/labels.h"
#include "gcnh/io/matrix_file.h"
#include "gcnh/io/svmlight.h"
#include "gcnh/io/unpack.h"

namespace gcnh {
namespace {

void check_source(const CsvSource& from, FileKind nodes) {
  const auto is_standard_input = [](const std::string& path) { return path == "-" || path == "/dev/stdin"; };
  if (is_standard_input(from.nodes) && is_standard_input(from.edges))
    fail(Status::usage, "`nodes` and `edges` cannot both be standard input");
  if (!from.labels.empty() && nodes == FileKind::svmlight)
    fail(Status::usage, "`labels` is for nodes without labels; ", from.nodes, " has its own");
  if (nodes == FileKind::table) return;
  const bool declares =
      !from.features.may_lack && (!from.features.columns.empty() || !from.missing.empty() || !from.missing_of.empty());
  for (const auto& [given, field] :
       {std::pair(!from.more.empty(), "more_features"), {!from.split.empty(), "split_column"}, {declares, "features"}})
    if (given) fail(Status::usage, "`", field, "` is for tables with columns; ", from.nodes, " has none");
}

void take_labels(const CsvSource& from, Tables& out) {
  const Index num_nodes = out.num_nodes();
  if (from.labels.empty()) {
    require(!from.label_required, from.nodes, " has no labels; `labels` names a file with one per line");
    out.labels.assign(num_nodes, -1);
    return;
  }
  std::vector<std::string> words = read_label_words(from.labels);
  for (std::string& word : words)
    if (is_missing(word, from.missing_labels)) word.clear();
  require(std::ssize(words) == num_nodes, from.labels, ": ", words.size(), " labels for ", num_nodes, " nodes");
  number_labels(words, out);
  require(!out.classes.empty(), from.labels, ": all labels are empty");
}

Tables read_matrix_nodes(const CsvSource& from, FileKind kind) {
  Tables out;
  if (kind == FileKind::svmlight) {
    LabelledRows rows = read_svmlight(from.nodes);
    out.features = std::move(rows.features);
    rows.lost.note(from.nodes, out.notes, 0);
    number_labels(rows.labels, out);
  } else {
    MatrixFile matrix = read_matrix(from.nodes, kind);
    matrix.lost.note(from.nodes, out.notes);
    out.features = matrix_features(std::move(matrix));
    take_labels(from, out);
  }
  out.name = std::filesystem::path(unpacked_name(from.nodes)).stem().string();
  return out;
}

Tables read_nodes(const CsvSource& from, FileKind kind) {
  if (is_matrix(kind) || kind == FileKind::svmlight) return read_matrix_nodes(from, kind);
  CsvSource nodes = from;
  nodes.edges.clear();
  return read_csv(nodes);
}

CsvSource with_queries(CsvSource from) {
  if (from.nodes.empty()) from.nodes = "select * from nodes";
  if (from.edges.empty()) from.edges = "select * from edges";
  return from;
}

}  // namespace

Tables read_graph_files(const CsvSource& from) {
  if (!from.database.empty()) return read_csv(with_queries(from));
  const FileKind nodes = kind_of_file(from.nodes), edges = kind_of_file(from.edges);
  check_source(from, nodes);
  const bool edge_matrix = edges == FileKind::matrix_market || edges == FileKind::scipy_npz;
  if (nodes == FileKind::table && !edge_matrix) return read_csv(from);
  Tables out = read_nodes(from, nodes);
  if (edge_matrix) {
    if (!from.weight.empty() && from.weight != "value")
      fail(Status::usage, "weight: ", from.edges, " is a matrix: the word is value, not '", from.weight, "'");
    take_matrix_edges(read_matrix(from.edges, edges), !from.weight.empty(), out);
  } else {
    read_edge_table(from, out);
  }
  return out;
}

}  // namespace gcnh
