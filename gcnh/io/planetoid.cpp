#include "gcnh/io/planetoid.h"

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/io/npy_header.h"
#include "gcnh/io/pickle_arrays.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// Rows 0..first-1 come from allx, ally; row k of tx, ty belongs to node test[k]. Ids between the smallest and largest
// test id that are in no file are nodes without features and label (15 in Citeseer). x and y repeat the first rows of
// allx, ally.
struct Parts {
  Csr allx, tx;
  NpyArray ally, ty;
  std::vector<Index> test;
  Index num_nodes = 0;
};

std::string part(const std::filesystem::path& folder, const std::string& name, const char* which) {
  return (folder / join("ind.", name, ".", which)).string();
}

Csr read_matrix(const std::string& path) {
  const std::string bytes = read_file(path);
  return to_matrix(Pickle(bytes, path).root(), path);
}

NpyArray read_one_hot(const std::string& path, Index rows) {
  const std::string bytes = read_file(path);
  NpyArray out = to_array(Pickle(bytes, path).root(), path);
  const bool fits = out.shape.size() == 2 && out.shape[0] == rows && out.shape[1] <= kMostClasses;
  require(fits, path, ": shape ", format_shape(out.shape), "; expected (", rows, ", classes)");
  return out;
}

std::vector<Index> read_test_ids(const std::string& path) {
  Lines lines(path);
  std::vector<Index> out;
  while (lines.next()) {
    const auto id = parse_number<Index>(lines.line());
    lines.require(id && *id >= 0, quote(lines.line()), " is not a node id (an integer from 0 on)");
    out.push_back(*id);
  }
  require(!out.empty(), path, ": no test ids");
  return out;
}

void check_test_ids(const Parts& parts, const std::string& path) {
  require(static_cast<Index>(parts.test.size()) == parts.tx.rows, path, ": ", parts.test.size(), " test ids for ",
          parts.tx.rows, " test rows");
  std::vector<Index> order = parts.test;
  std::sort(order.begin(), order.end());
  const auto twice = std::adjacent_find(order.begin(), order.end());
  require(twice == order.end(), path, ": test id ", twice == order.end() ? 0 : *twice, " appears twice");
  require(order.front() == parts.allx.rows, path, ": the smallest test id is ", order.front(), "; expected ",
          parts.allx.rows, ", the number of rows of allx");
}

Parts read_parts(const std::filesystem::path& folder, const std::string& name) {
  Parts out;
  const std::string tx = part(folder, name, "tx"), ty = part(folder, name, "ty");
  const std::string test = part(folder, name, "test.index");
  out.allx = read_matrix(part(folder, name, "allx"));
  out.tx = read_matrix(tx);
  require(out.tx.cols == out.allx.cols, tx, ": ", counted(out.tx.cols, "column"), "; allx has ", out.allx.cols);
  out.ally = read_one_hot(part(folder, name, "ally"), out.allx.rows);
  out.ty = read_one_hot(ty, out.tx.rows);
  require(out.ty.shape[1] == out.ally.shape[1], ty, ": ", counted(out.ty.shape[1], "class"), "; ally has ",
          out.ally.shape[1]);
  out.test = read_test_ids(test);
  check_test_ids(out, test);
  out.num_nodes = to_index(std::int64_t{*std::max_element(out.test.begin(), out.test.end())} + 1, test, "nodes");
  return out;
}

// Every neighbour list entry as an edge. The keys are the nodes, each once.
std::vector<Edge> read_graph(const std::string& path, Index num_nodes) {
  const std::string bytes = read_file(path);
  const Pickle pickle(bytes, path);
  const std::span<const PickleValue* const> pairs = to_pairs(pickle.root(), path);
  require(static_cast<Index>(pairs.size() / 2) == num_nodes, path, ": ", counted(std::ssize(pairs) / 2, "node"),
          "; expected ", num_nodes);
  const auto node = [&](const PickleValue& value) {
    const std::int64_t id = to_integer(value, path);
    require(id >= 0 && id < num_nodes, path, ": node id ", id, " outside 0..", num_nodes - 1);
    return static_cast<Index>(id);
  };
  std::vector<Edge> edges;
  std::vector<bool> seen(num_nodes);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const Index source = node(*pairs[i]);
    require(!seen[source], path, ": node ", source, " appears twice");
    seen[source] = true;
    require(pairs[i + 1]->kind == PickleValue::Kind::list, path, ": node ", source, " has no list of neighbours");
    for (const PickleValue* target : pairs[i + 1]->items) edges.push_back({source, node(*target)});
  }
  require(!edges.empty(), path, ": no edges; was the file cut off?");
  return edges;
}

// [allx; tx; one empty row]
Csr stack(const Csr& allx, const Csr& tx) {
  Csr out{allx.rows + tx.rows + 1, allx.cols, allx.offsets, allx.indices, {}};
  for (Index k = 0; k < tx.rows; ++k) out.offsets.push_back(allx.nnz() + tx.offsets[k + 1]);
  out.offsets.push_back(out.offsets.back());
  out.indices.insert(out.indices.end(), tx.indices.begin(), tx.indices.end());
  for (Offset e = 0; e < allx.nnz(); ++e) out.values.push_back(allx.value(e));
  for (Offset e = 0; e < tx.nnz(); ++e) out.values.push_back(tx.value(e));
  drop_unit_values(out);
  return out;
}

// The stacked row of every node; the empty one for nodes in no file.
std::vector<Index> rows_of_nodes(const Parts& parts) {
  std::vector<Index> out(parts.num_nodes, parts.allx.rows + parts.tx.rows);
  for (Index i = 0; i < parts.allx.rows; ++i) out[i] = i;
  for (Index k = 0; k < parts.tx.rows; ++k) out[parts.test[k]] = parts.allx.rows + k;
  return out;
}

// The place of the 1 in each row, -1 where there is none.
std::vector<int> decode_one_hot(const NpyArray& rows) {
  const std::vector<std::int64_t> values = rows.as_integers();
  const std::size_t classes = static_cast<std::size_t>(rows.shape[1]);
  std::vector<int> out(static_cast<std::size_t>(rows.shape[0]), -1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t c = 0; c < classes; ++c) {
      const std::int64_t value = values[i * classes + c];
      if (value == 0) continue;
      require(value == 1 && out[i] < 0, rows.where, ": row ", i, " is not one-hot");
      out[i] = static_cast<int>(c);
    }
  }
  return out;
}

}  // namespace

Tables read_planetoid(const std::filesystem::path& folder, const std::string& name) {
  const Parts parts = read_parts(folder, name);
  Tables out;
  out.name = name;
  out.edges = read_graph(part(folder, name, "graph"), parts.num_nodes);
  const std::vector<Index> row_of = rows_of_nodes(parts);
  out.features = take_rows(stack(parts.allx, parts.tx), row_of);
  std::vector<int> labels = decode_one_hot(parts.ally);
  const std::vector<int> test_labels = decode_one_hot(parts.ty);
  labels.insert(labels.end(), test_labels.begin(), test_labels.end());
  labels.push_back(-1);
  for (Index row : row_of) out.labels.push_back(labels[row]);
  for (std::int64_t c = 0; c < parts.ally.shape[1]; ++c) out.classes.push_back(std::to_string(c));
  return out;
}

}  // namespace gcnh
