#include "gcnh/io/convert.h"

#include <algorithm>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/cells.h"
#include "gcnh/io/file.h"
#include "gcnh/io/gexf.h"
#include "gcnh/io/graph_text.h"
#include "gcnh/io/labels.h"
#include "gcnh/io/matrix_file.h"
#include "gcnh/io/npz_graph.h"
#include "gcnh/io/ogb.h"
#include "gcnh/io/split_table.h"
#include "gcnh/io/sqlite_write.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

// A folder's name may end with one.
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

// The contents of files come first, and with them flags and notes; nothing is written before all of them are there.
class Converter {
 public:
  Converter(const Tables& tables, fs::path to) : tables_(tables), to_(std::move(to)) {}

  Converted run(bool replace);

  // A form, the ending that chooses it, its files, and who fills them. What is here of a file's name stands in place of
  // the ending; kOwn: the file has the name itself.
  struct Form {
    std::string ending;
    std::vector<std::string> files;
    void (Converter::*make)();
  };
  static constexpr const char* kOwn = "";
  static const std::vector<Form>& forms();
  static const Form& form_of(const fs::path& to);
  static fs::path named(const fs::path& to, const std::string& file);

 private:
  void make_npz();
  void make_csv();
  void make_edge_list();
  void make_sqlite();
  void make_svmlight();
  void make_matrix_market();
  void make_scipy();
  void make_ogb();
  void make_gexf();

  fs::path named(const std::string& file) const { return named(to_, file); }
  void add(const std::string& file, std::string bytes) { contents_.emplace_back(named(file), std::move(bytes)); }
  void add_flag(const std::string& flag, const std::string& value) {
    out_.flags.insert(out_.flags.end(), {flag, value});
  }
  void add_table_flags(const NodeColumnNames& names);
  void add_matrix(const std::string& features, std::string feature_bytes, const std::string& edges,
                  std::string edge_bytes);
  void check_words() const;
  void note_numbers(const std::vector<std::string>& words);
  void note_names(bool classes);

  const Tables& tables_;
  fs::path to_;
  std::vector<std::pair<fs::path, std::string>> contents_;
  Converted out_;
};

const std::vector<Converter::Form>& Converter::forms() {
  static const std::vector<Form> forms = {
      {".scipy.npz", {"-features.npz", "-labels.txt", "-edges.npz", "-splits.csv"}, &Converter::make_scipy},
      {".npz", {kOwn}, &Converter::make_npz},
      {".csv", {"-nodes.csv", "-edges.csv"}, &Converter::make_csv},
      {".edges", {"-nodes.csv", kOwn}, &Converter::make_edge_list},
      {".db", {kOwn}, &Converter::make_sqlite},
      {".sqlite", {kOwn}, &Converter::make_sqlite},
      {".svm", {kOwn, "-edges.mtx", "-splits.csv"}, &Converter::make_svmlight},
      {".svmlight", {kOwn, "-edges.mtx", "-splits.csv"}, &Converter::make_svmlight},
      {".libsvm", {kOwn, "-edges.mtx", "-splits.csv"}, &Converter::make_svmlight},
      {".mtx", {"-features.mtx", "-labels.txt", "-edges.mtx", "-splits.csv"}, &Converter::make_matrix_market},
      {".ogb", {kOwn}, &Converter::make_ogb},
      {".gexf", {kOwn}, &Converter::make_gexf},
  };
  return forms;
}

const Converter::Form& Converter::form_of(const fs::path& to) {
  const std::string name = to.filename().string();
  for (const Form& form : forms())
    if (name.size() > form.ending.size() && name.ends_with(form.ending)) return form;
  fail(Status::usage, "`to`: '", to.string(), "' has none of the endings ", conversion_endings());
}

fs::path Converter::named(const fs::path& to, const std::string& file) {
  if (file == kOwn) return to;
  const std::string name = to.filename().string();
  return to.parent_path() / (name.substr(0, name.size() - form_of(to).ending.size()) + file);
}

Converted Converter::run(bool replace) {
  const Form& form = form_of(to_);
  std::error_code ignored;
  for (const fs::path& file : conversion_files(to_))
    if (!replace && fs::exists(fs::symlink_status(file, ignored)))
      fail(Status::usage, "'", file.string(), "' is there already; `force` replaces it");
  (this->*form.make)();
  for (const auto& [path, bytes] : contents_) {
    write_atomically(path, bytes);
    out_.files.push_back(path);
  }
  return std::move(out_);
}

void Converter::make_npz() {
  note_names(true);
  add(kOwn, npz_graph_bytes(tables_));
  add_flag("--data", to_.string());
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

// Features and edges that go by the number of the node; splits are in a table beside them.
void Converter::add_matrix(const std::string& features, std::string feature_bytes, const std::string& edges,
                           std::string edge_bytes) {
  add(features, std::move(feature_bytes));
  add(edges, std::move(edge_bytes));
  out_.flags.insert(out_.flags.begin(), {"--nodes", named(features).string(), "--edges", named(edges).string()});
  if (!tables_.edge_weights.empty()) add_flag("--weight", "value");
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
}

}  // namespace

std::string conversion_endings() {
  std::string out;
  for (const Converter::Form& form : Converter::forms()) out += (out.empty() ? "" : ", ") + form.ending;
  return out;
}

std::vector<fs::path> conversion_files(const fs::path& to) {
  std::vector<fs::path> out;
  const fs::path name = without_slash(to);
  for (const std::string& file : Converter::form_of(name).files) out.push_back(Converter::named(name, file));
  return out;
}

Converted convert_graph(const Tables& tables, const fs::path& to, bool replace) {
  return Converter(tables, without_slash(to)).run(replace);
}

}  // namespace gcnh
