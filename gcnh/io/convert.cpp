#include "gcnh/io/convert.h"

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/io/graph_text.h"
#include "gcnh/io/labels.h"
#include "gcnh/io/npz_graph.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

// Notes and flags are filled in while the texts are made, which is before anything is written.
class Converter {
 public:
  Converter(const Tables& tables, const fs::path& to, bool replace) : tables_(tables), to_(to), replace_(replace) {}

  Converted run() {
    const std::string ending = to_.extension().string();
    if (ending == ".npz") return to_npz();
    if (ending == ".csv") return to_csv();
    if (ending == ".svm" || ending == ".svmlight" || ending == ".libsvm") return to_svmlight();
    if (ending == ".mtx") return to_matrices();
    if (ending == ".gexf") return to_gexf();
    fail(Status::usage, "`to`: '", to_.string(), "' has none of the endings .npz, .csv, .svm, .mtx, .gexf");
  }

 private:
  Converted to_npz() {
    check_free({to_});
    note_names(true);
    if (!tables_.edge_weights.empty()) out_.notes.emplace_back("weights of edges are not part of .npz");
    write_npz_graph(to_, tables_);
    out_.files = {to_};
    out_.flags = "--data " + to_.string();
    return out_;
  }

  Converted to_csv() {
    const fs::path nodes = beside("-nodes.csv"), edges = beside("-edges.csv");
    check_free({nodes, edges});
    const NodeTable table = node_table(tables_);
    note_numbers(label_words(tables_));
    out_.flags = join("--nodes ", nodes.string(), " --edges ", edges.string());
    if (table.id != "id") out_.flags += " --id " + table.id;
    if (table.label != "label") out_.flags += " --label " + table.label;
    for (std::size_t k = 0; k < table.splits.size(); ++k)
      out_.flags += (k == 0 ? " --split-column " : ",") + table.splits[k];
    if (!tables_.edge_weights.empty()) out_.flags += " --weight weight";
    if (tables_.features.cols() > 0) out_.flags += " --features num:rest";
    write({{nodes, table.text}, {edges, edge_table(tables_)}});
    return out_;
  }

  Converted to_svmlight() {
    const fs::path edges = beside("-edges.mtx");
    check_free({to_, edges});
    const auto unlabelled = std::find(tables_.labels.begin(), tables_.labels.end(), -1);
    require(unlabelled == tables_.labels.end(), tables_.name, ": node ", unlabelled - tables_.labels.begin(),
            " has no label, which svmlight cannot say; write .mtx instead");
    const std::vector<std::string> words = label_numbers();
    note_numbers(words);
    note_names(words != label_words(tables_));
    note_splits();
    out_.flags = join("--nodes ", to_.string(), " --edges ", edges.string());
    write({{to_, svmlight_text(tables_.features, words)}, {edges, edges_text()}});
    return out_;
  }

  Converted to_matrices() {
    const fs::path features = beside("-features.mtx"), labels = beside("-labels.txt"), edges = beside("-edges.mtx");
    check_free({features, labels, edges});
    const std::vector<std::string> words = label_words(tables_);
    note_numbers(words);
    note_names(false);
    note_splits();
    out_.flags = join("--nodes ", features.string(), " --labels ", labels.string(), " --edges ", edges.string());
    write({{features, matrix_market_text(tables_.features)}, {labels, lines_of(words)}, {edges, edges_text()}});
    return out_;
  }

  Converted to_gexf() {
    check_free({to_});
    out_.notes.emplace_back("features and splits are not part of .gexf");
    write({{to_, gexf_text(tables_)}});
    return out_;
  }

  fs::path beside(const std::string& ending) const { return to_.parent_path() / (to_.stem().string() + ending); }
  // The text of the edges; the flags tell how to read their weights.
  std::string edges_text() {
    if (!tables_.edge_weights.empty()) out_.flags += " --weight value";
    return matrix_market_text(tables_);
  }

  void check_free(const std::vector<fs::path>& files) const {
    std::error_code ignored;
    for (const fs::path& file : files)
      if (!replace_ && fs::exists(fs::symlink_status(file, ignored)))
        fail(Status::usage, "'", file.string(), "' is there already; `force` replaces it");
  }

  void write(const std::vector<std::pair<fs::path, std::string>>& files) {
    for (const auto& [path, text] : files) {
      write_atomically(path, text);
      out_.files.push_back(path);
    }
  }

  // Names of classes where they are integers, else their numbers.
  std::vector<std::string> label_numbers() const {
    const bool integers = std::all_of(tables_.classes.begin(), tables_.classes.end(), [](const std::string& name) {
      const auto number = parse_number<std::int64_t>(name);
      return number && std::to_string(*number) == name;
    });
    if (integers) return label_words(tables_);
    std::vector<std::string> out;
    for (int label : tables_.labels) out.push_back(std::to_string(label));
    return out;
  }

  std::string lines_of(const std::vector<std::string>& words) const {
    std::string out;
    for (const std::string& word : words) {
      const bool whole = word.find('\n') == word.npos && word.find_first_of(" \t\r") != 0 &&
                         word.find_last_of(" \t\r") != word.size() - 1;
      require(word.empty() || whole, tables_.name, ": class ", quote(word), " cannot stand in a line of its own");
      out += word + "\n";
    }
    return out;
  }

  void note_numbers(const std::vector<std::string>& words) {
    Tables again;
    number_labels(words, again);
    if (again.labels != tables_.labels)
      out_.notes.emplace_back("classes without nodes are not written, so others may get another number");
  }

  void note_names(bool classes) {
    std::vector<std::string> lost;
    if (!tables_.ids.empty()) lost.emplace_back("node ids");
    if (!tables_.feature_names.empty()) lost.emplace_back("names of features");
    if (classes && std::any_of(tables_.classes.begin(), tables_.classes.end(),
                               [](const std::string& name) { return !parse_number<std::int64_t>(name); }))
      lost.emplace_back("names of classes");
    for (const std::string& what : lost)
      out_.notes.push_back(join(what, " are not part of ", to_.extension().string()));
  }

  void note_splits() {
    if (!tables_.splits.empty())
      out_.notes.push_back(
          join(counted(std::ssize(tables_.splits), "split"), " left out: not part of ", to_.extension().string()));
  }

  const Tables& tables_;
  fs::path to_;
  bool replace_;
  Converted out_;
};

}  // namespace

Converted convert_graph(const Tables& tables, const fs::path& to, bool replace) {
  return Converter(tables, to, replace).run();
}

}  // namespace gcnh
