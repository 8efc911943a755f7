// What the files of each form hold, the flags that read them again, and what is lost on the way.
#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/graph/scaling.h"
#include "gcnh/io/cells.h"
#include "gcnh/io/converter.h"
#include "gcnh/io/file.h"
#include "gcnh/io/gexf.h"
#include "gcnh/io/labels.h"
#include "gcnh/io/matrix_file.h"
#include "gcnh/io/npz_graph.h"
#include "gcnh/io/ogb.h"
#include "gcnh/io/split_table.h"
#include "gcnh/io/sqlite_write.h"
#include "gcnh/io/text.h"

namespace gcnh {

void Converter::make_npz() {
  note_names(true);
  add(kOwn, npz_graph_bytes(tables_));
  add_flag("--data", to_.string());
  add_scale_flag();
}

void Converter::make_csv() {
  check_words();
  const NodeColumnNames names = name_node_columns(tables_);
  add("-nodes.csv", node_table(tables_, names));
  add("-edges.csv", edge_table(tables_));
  out_.flags = {"--nodes", named("-nodes.csv").string(), "--edges", named("-edges.csv").string()};
  add_table_flags(names);
}

void Converter::make_edge_list() {
  check_words();
  const NodeColumnNames names = name_node_columns(tables_);
  add("-nodes.csv", node_table(tables_, names));
  add(kOwn, edge_list_text(tables_));
  out_.flags = {"--nodes", named("-nodes.csv").string(), "--edges", to_.string()};
  add_table_flags(names);
}

void Converter::make_sqlite() {
  check_words();
  const NodeColumnNames names = name_node_columns(tables_, false);
  add(kOwn, sqlite_bytes(tables_, names));
  add_flag("--sqlite", to_.string());
  add_table_flags(names);
}

void Converter::make_svmlight() {
  require(tables_.features.cols() > 0, tables_.name, ": no features, which svmlight cannot say; write .mtx instead");
  const auto unlabelled = std::find(tables_.labels.begin(), tables_.labels.end(), -1);
  require(unlabelled == tables_.labels.end(), tables_.name, ": node ", unlabelled - tables_.labels.begin(),
          " has no label, which svmlight cannot say; write .mtx instead");
  const std::vector<std::string> words = label_numbers(tables_);
  note_numbers(words);
  note_names(words != label_words(tables_));
  add_matrix(kOwn, svmlight_text(tables_.features, words), "-edges.mtx", matrix_market_text(tables_));
}

void Converter::make_matrix_market() {
  check_words();
  note_numbers(label_words(tables_));
  note_names(false);
  add("-labels.txt", label_lines(tables_));
  add_flag("--labels", named("-labels.txt").string());
  add_matrix("-features.mtx", matrix_market_text(tables_.features), "-edges.mtx", matrix_market_text(tables_));
}

void Converter::make_scipy() {
  check_words();
  note_numbers(label_words(tables_));
  note_names(false);
  add("-labels.txt", label_lines(tables_));
  add_flag("--labels", named("-labels.txt").string());
  add_matrix("-features.npz", scipy_npz_bytes(tables_.features), "-edges.npz", scipy_npz_bytes(tables_));
}

void Converter::make_ogb() {
  note_names(true);
  for (auto& [name, bytes] : ogb_files(tables_, to_)) {
    contents_.emplace_back(to_ / name, std::move(bytes));
    make_folders(contents_.back().first.parent_path());
  }
  add_flag("--data", to_.string());
  add_scale_flag();
}

void Converter::make_gexf() {
  out_.notes.emplace_back("features and splits are not part of .gexf");
  add(kOwn, gexf_text(tables_));
}

// How the columns of a table are read again.
void Converter::add_table_flags(const NodeColumnNames& names) {
  note_numbers(label_words(tables_));
  if (names.renamed > 0)
    out_.notes.push_back(join(counted(static_cast<std::int64_t>(names.renamed), "feature"),
                              " got a _ behind the name, which another one has"));
  if (names.id != "id") add_flag("--id", names.id);
  if (names.label != "label") add_flag("--label", names.label);
  std::string splits;
  for (const std::string& name : names.splits) splits += (splits.empty() ? "" : ",") + name;
  if (!splits.empty()) add_flag("--split-column", splits);
  if (!tables_.edge_weights.empty()) add_flag("--weight", "weight");
  if (tables_.features.cols() > 0) add_flag("--features", "num:rest");
}

// The columns of a table are scaled one by one, the same numbers without columns are not where most are 0.
void Converter::add_scale_flag() {
  if (!tables_.columns.empty() && need_scaling(tables_.features)) add_flag("--scale", "largest");
}

// Features and edges that go by the number of the node; splits are in a table beside them.
void Converter::add_matrix(const std::string& features, std::string feature_bytes, const std::string& edges,
                           std::string edge_bytes) {
  add(features, std::move(feature_bytes));
  add(edges, std::move(edge_bytes));
  out_.flags.insert(out_.flags.begin(), {"--nodes", named(features).string(), "--edges", named(edges).string()});
  if (!tables_.edge_weights.empty()) add_flag("--weight", "value");
  add_scale_flag();
  if (tables_.splits.empty()) return;
  add("-splits.csv", splits_csv(tables_.splits, tables_.num_nodes(), {}));
  add_flag("--split-file", named("-splits.csv").string());
}

// Readers take some words for no label.
void Converter::check_words() const {
  for (const std::string& name : tables_.classes)
    require(!is_missing(name, {}), tables_.name, ": class ", quote(name),
            " would be read as no label; give it another name");
}

void Converter::note_numbers(const std::vector<std::string>& words) {
  Tables again;
  number_labels(words, again);
  if (again.labels != tables_.labels)
    out_.notes.emplace_back("classes without nodes are not written, so others may get another number");
}

void Converter::note_names(bool classes) {
  std::vector<std::string> lost;
  if (!tables_.ids.empty()) lost.emplace_back("node ids");
  if (!tables_.feature_names.empty()) lost.emplace_back("names of features");
  for (std::size_t c = 0; classes && c < tables_.classes.size(); ++c) {
    if (tables_.classes[c] == std::to_string(c)) continue;
    lost.emplace_back("names of classes");
    break;
  }
  for (const std::string& what : lost) out_.notes.push_back(join(what, " are not part of ", form_of(to_).ending));
  note_digits();
}

// Matrices are read in single precision.
void Converter::note_digits() {
  if (const Column* column = ExactNumbers(tables_).lossy())
    out_.notes.push_back(join("column ", quote(column->spec.name), " has numbers of more digits than ",
                              form_of(to_).ending, " keeps, which are rounded; write .csv or .db for all of them"));
}

}  // namespace gcnh
