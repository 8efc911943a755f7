#include "gcnh/io/graph_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_write.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// The shortest text that is read as the same number. Readers take a double first, which may fall between two others.
std::string real_text(Real value) {
  std::string out = fmt::format("{}", value);
  if (static_cast<Real>(*parse_number<double>(out)) != value) out = fmt::format("{}", static_cast<double>(value));
  return out;
}

std::string node_id(const Tables& tables, Index node) {
  return tables.ids.empty() ? std::to_string(node) : tables.ids[node];
}

// f(column, value) for what is not 0 in the row.
template <class F>
void for_each_entry(const Features& features, Index row, const F& f) {
  if (features.is_sparse()) {
    const Csr& x = features.sparse();
    for (Offset e = x.offsets[row]; e < x.offsets[row + 1]; ++e)
      if (x.value(e) != Real{0}) f(x.indices[e], x.value(e));
    return;
  }
  const Matrix& x = features.dense();
  for (Index j = 0; j < features.cols(); ++j)
    if (x(row, j) != Real{0}) f(j, x(row, j));
}

std::vector<std::string> feature_names(const Tables& tables) {
  if (!tables.feature_names.empty()) return tables.feature_names;
  std::vector<std::string> out;
  for (Index j = 0; j < tables.features.cols(); ++j) out.push_back(join("x", j));
  return out;
}

std::string unlike(std::string name, const std::vector<std::string>& taken) {
  while (std::find(taken.begin(), taken.end(), name) != taken.end()) name += "_";
  return name;
}

// The set that every node is in, for each split.
std::vector<std::vector<const char*>> sets_of(const Tables& tables) {
  std::vector<std::vector<const char*>> out;
  for (const Split& split : tables.splits) {
    std::vector<const char*>& sets = out.emplace_back(tables.num_nodes(), "");
    for (Index node : split.train) sets[node] = "train";
    for (Index node : split.val) sets[node] = "val";
    for (Index node : split.test) sets[node] = "test";
  }
  return out;
}

void check_cells(const Tables& tables) {
  constexpr std::int64_t kMost = 200'000'000;
  const std::int64_t cells = std::int64_t{tables.num_nodes()} * tables.features.cols();
  require(cells <= kMost, tables.name, ": a table of ", cells,
          " cells, nearly all of them 0; write .npz or .svm instead");
}

void add_features(const Features& features, Index node, std::string& out) {
  Index next = 0;
  const auto zeros_to = [&](Index column) {
    for (; next < column; ++next) out += ",0";
  };
  for_each_entry(features, node, [&](Index column, Real value) {
    zeros_to(column);
    out += "," + real_text(value);
    ++next;
  });
  zeros_to(features.cols());
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (unsigned char c : text) {
    if (c == '&' || c == '<' || c == '>' || c == '"')
      out += fmt::format("&#{};", static_cast<int>(c));
    else if (c >= ' ' && c != 127)
      out += static_cast<char>(c);
  }
  return out;
}

}  // namespace

std::vector<std::string> label_words(const Tables& tables) {
  std::vector<std::string> out;
  for (int label : tables.labels) out.push_back(label < 0 ? "" : tables.classes[label]);
  return out;
}

NodeTable node_table(const Tables& tables) {
  check_cells(tables);
  const std::vector<std::string> features = feature_names(tables), words = label_words(tables);
  NodeTable out{"", unlike("id", features), unlike("label", features), {}};
  for (std::size_t k = 0; k < tables.splits.size(); ++k)
    out.splits.push_back(unlike(tables.splits.size() == 1 ? "split" : join("split_", k), features));
  out.text = out.id + "," + out.label;
  for (const std::vector<std::string>* names : {&features, &std::as_const(out.splits)})
    for (const std::string& name : *names) out.text += "," + csv_field(name);
  out.text += "\n";
  const std::vector<std::vector<const char*>> sets = sets_of(tables);
  for (Index node = 0; node < tables.num_nodes(); ++node) {
    out.text += csv_field(node_id(tables, node)) + "," + csv_field(words[node]);
    add_features(tables.features, node, out.text);
    for (const auto& split : sets) out.text += std::string(",") + split[node];
    out.text += "\n";
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

std::string gexf_text(const Tables& tables) {
  const std::vector<std::string> words = label_words(tables);
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">\n"
      "<graph defaultedgetype=\"directed\">\n"
      "<attributes class=\"node\"><attribute id=\"0\" title=\"class\" type=\"string\"/></attributes>\n<nodes>\n";
  for (Index node = 0; node < tables.num_nodes(); ++node) {
    out += fmt::format("<node id=\"{}\" label=\"{}\"", node, xml_text(node_id(tables, node)));
    out += words[node].empty() ? "/>\n"
                               : fmt::format("><attvalues><attvalue for=\"0\" value=\"{}\"/></attvalues></node>\n",
                                             xml_text(words[node]));
  }
  out += "</nodes>\n<edges>\n";
  for (std::size_t e = 0; e < tables.edges.size(); ++e) {
    const std::string weight = tables.edge_weights.empty() ? "" : fmt::format(" weight=\"{}\"", tables.edge_weights[e]);
    out += fmt::format("<edge id=\"{}\" source=\"{}\" target=\"{}\"{}/>\n", e, tables.edges[e].source,
                       tables.edges[e].target, weight);
  }
  return out + "</edges>\n</graph>\n</gexf>\n";
}

}  // namespace gcnh
