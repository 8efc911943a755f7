#include "gcnh/io/graph_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_write.h"
#include "gcnh/io/split_table.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

std::vector<std::string> feature_names(const Tables& tables) {
  if (!tables.feature_names.empty()) return tables.feature_names;
  std::vector<std::string> out;
  for (Index j = 0; j < tables.features.cols(); ++j) out.push_back(join("x", j));
  return out;
}

// Gives out names, each of them once.
class FreshNames {
 public:
  explicit FreshNames(bool case_matters) : case_matters_(case_matters) {}

  std::string take(std::string name) {
    while (!taken_.insert(key(name)).second) name += "_";
    return name;
  }

 private:
  std::string key(std::string name) const {
    if (!case_matters_)
      for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
    return name;
  }

  bool case_matters_;
  std::unordered_set<std::string> taken_;
};

}  // namespace

std::vector<std::string> label_words(const Tables& tables) {
  std::vector<std::string> out;
  for (int label : tables.labels) out.push_back(label < 0 ? "" : tables.classes[label]);
  return out;
}

std::string label_lines(const Tables& tables) {
  std::string out;
  for (const std::string& word : label_words(tables)) {
    const bool whole = word.find('\n') == word.npos && word.find_first_of(" \t\r") != 0 &&
                       word.find_last_of(" \t\r") != word.size() - 1;
    require(word.empty() || whole, tables.name, ": class ", quote(word), " cannot stand in a line of its own");
    out += word + "\n";
  }
  return out;
}

std::vector<std::string> label_numbers(const Tables& tables) {
  const bool integers = std::all_of(tables.classes.begin(), tables.classes.end(), [](const std::string& name) {
    const auto number = parse_number<std::int64_t>(name);
    return number && std::to_string(*number) == name;
  });
  if (integers) return label_words(tables);
  std::vector<std::string> out;
  for (int label : tables.labels) out.push_back(std::to_string(label));
  return out;
}

std::string node_id(const Tables& tables, Index node) {
  return tables.ids.empty() ? std::to_string(node) : tables.ids[node];
}

// Readers take a double first, which may fall between two others.
std::string real_text(Real value) {
  std::string out = fmt::format("{}", value);
  if (static_cast<Real>(*parse_number<double>(out)) != value) out = fmt::format("{}", static_cast<double>(value));
  return out;
}

NodeColumnNames name_node_columns(const Tables& tables, bool case_matters) {
  FreshNames names(case_matters);
  NodeColumnNames out;
  for (const std::string& name : feature_names(tables)) {
    out.features.push_back(names.take(name));
    out.renamed += out.features.back() == name ? 0 : 1;
  }
  out.id = names.take("id");
  out.label = names.take("label");
  for (std::size_t k = 0; k < tables.splits.size(); ++k)
    out.splits.push_back(names.take(tables.splits.size() == 1 ? "split" : join("split_", k)));
  return out;
}

void add_cells(const Features& features, Index node, std::string& out, const ExactNumbers* exact) {
  Index next = 0;
  const auto add = [&](Real value) {
    const double* number = exact ? exact->find(node, next) : nullptr;
    out += "," + (number ? fmt::format("{}", *number) : real_text(value));
    ++next;
  };
  const auto zeros_to = [&](Index column) {
    while (next < column) add(0);
  };
  for_each_entry(features, node, [&](Index column, Real value) {
    zeros_to(column);
    add(value);
  });
  zeros_to(features.cols());
}

void check_cells(const Tables& tables) {
  constexpr std::int64_t kMost = 200'000'000;
  const std::int64_t cells = std::int64_t{tables.num_nodes()} * tables.features.cols();
  require(cells <= kMost, tables.name, ": a table of ", cells,
          " cells, nearly all of them 0; write .npz or .svm instead");
}

std::string node_table(const Tables& tables, const NodeColumnNames& names) {
  check_cells(tables);
  const std::vector<std::string> words = label_words(tables);
  std::string out = names.id + "," + names.label;
  for (const std::vector<std::string>* columns : {&names.features, &names.splits})
    for (const std::string& name : *columns) out += "," + csv_field(name);
  out += "\n";
  const std::vector<std::vector<const char*>> sets = sets_of(tables.splits, tables.num_nodes());
  const ExactNumbers exact(tables);
  for (Index node = 0; node < tables.num_nodes(); ++node) {
    out += csv_field(node_id(tables, node)) + "," + csv_field(words[node]);
    add_cells(tables.features, node, out, &exact);
    for (const auto& split : sets) out.append(",").append(split[node]);
    out += "\n";
  }
  return out;
}

std::string edge_table(const Tables& tables) {
  const bool weighted = !tables.edge_weights.empty();
  std::string out = weighted ? "source,target,weight\n" : "source,target\n";
  for (std::size_t e = 0; e < tables.edges.size(); ++e) {
    const Edge edge = tables.edges[e];
    out += csv_field(node_id(tables, edge.source)) + "," + csv_field(node_id(tables, edge.target));
    out += weighted ? "," + real_text(tables.edge_weights[e]) + "\n" : "\n";
  }
  return out;
}

std::string edge_list_text(const Tables& tables) {
  for (const std::string& id : tables.ids) {
    const bool is_word = id.find_first_of(" \t\r\n") == id.npos && !id.starts_with('#') && !id.starts_with('%');
    require(
        is_word, tables.name, ": node ", quote(id),
        " cannot stand in a plain list of edges, which blanks separate and where # and % begin comments; write .csv "
        "instead");
  }
  const bool weighted = !tables.edge_weights.empty();
  std::string out = weighted ? "# source target weight\n" : "# source target\n";
  for (std::size_t e = 0; e < tables.edges.size(); ++e) {
    out += node_id(tables, tables.edges[e].source) + " " + node_id(tables, tables.edges[e].target);
    out += weighted ? " " + real_text(tables.edge_weights[e]) + "\n" : "\n";
  }
  return out;
}

std::string matrix_market_text(const Features& features) {
  const bool ones = features.is_sparse() && features.sparse().values.empty();
  std::string entries;
  std::int64_t count = 0;
  for (Index i = 0; i < features.rows(); ++i) {
    for_each_entry(features, i, [&](Index j, Real value) {
      entries += fmt::format("{} {}{}\n", i + 1, j + 1, ones ? "" : " " + real_text(value));
      ++count;
    });
  }
  return fmt::format("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n{}", ones ? "pattern" : "real",
                     features.rows(), features.cols(), count, entries);
}

std::string matrix_market_text(const Tables& tables) {
  const bool weighted = !tables.edge_weights.empty();
  std::string out = fmt::format("%%MatrixMarket matrix coordinate {1} general\n{0} {0} {2}\n", tables.num_nodes(),
                                weighted ? "real" : "pattern", tables.edges.size());
  for (std::size_t e = 0; e < tables.edges.size(); ++e) {
    out += fmt::format("{} {}", tables.edges[e].source + 1, tables.edges[e].target + 1);
    out += weighted ? " " + real_text(tables.edge_weights[e]) + "\n" : "\n";
  }
  return out;
}

std::string svmlight_text(const Features& features, const std::vector<std::string>& labels) {
  std::string out;
  for (Index i = 0; i < features.rows(); ++i) {
    Index last = -1;
    out += labels[i];
    for_each_entry(features, i,
                   [&](Index j, Real value) { out += fmt::format(" {}:{}", (last = j) + 1, real_text(value)); });
    // The number of columns is that of the largest one: a zero that is written out says it.
    if (i == 0 && features.cols() > 0 && last < features.cols() - 1) out += fmt::format(" {}:0", features.cols());
    out += "\n";
  }
  return out;
}

}  // namespace gcnh
