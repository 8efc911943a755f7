#include "gcnh/graph/dataset.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/graph/adjacency.h"

namespace gcnh {
namespace {

constexpr int kMostClassesTold = 5000;  // what is measured of pairs of classes takes the square of it

void check_size(const Tables& tables, std::size_t found, const char* what, Offset expected, const char* of) {
  require(found == static_cast<std::size_t>(expected), tables.name, ": ", found, " ", what, " for ", expected, " ", of);
}

void check_nodes(const Tables& tables, std::span<const Index> nodes, const std::string& where) {
  for (Index node : nodes) {
    require(node >= 0 && node < tables.num_nodes(), tables.name, ": ", where, ": node ", node, " outside 0..",
            tables.num_nodes() - 1);
  }
}

void check_different(const Tables& tables, const std::vector<std::string>& names, const char* what) {
  std::unordered_set<std::string_view> met;
  met.reserve(names.size());
  for (const std::string& name : names)
    require(met.insert(name).second, tables.name, ": ", what, " '", name, "' appears twice");
}

// Offsets that may be followed into the other arrays.
void check_offsets(const Tables& tables, const Csr& x) {
  require(std::ssize(x.offsets) == x.rows + Offset{1}, tables.name, ": features: ", x.offsets.size(),
          " row offsets for ", x.rows, " rows; expected ", x.rows + Offset{1});
  require(x.offsets.front() == 0 && x.offsets.back() == x.nnz(), tables.name, ": features: row offsets run from ",
          x.offsets.front(), " to ", x.offsets.back(), "; expected 0 to ", x.nnz());
  for (Index i = 0; i < x.rows; ++i)
    require(x.offsets[i] <= x.offsets[i + 1], tables.name, ": features: row offset ", i + 1, " is ", x.offsets[i + 1],
            ", below the one before, ", x.offsets[i]);
}

void check_row(const Tables& tables, const Csr& x, Index i) {
  Index last = -1;
  for (Index column : x.row(i)) {
    require(column >= 0 && column < x.cols, tables.name, ": features of node ", i, ": column ", column, " outside 0..",
            x.cols - 1);
    require(column > last, tables.name, ": features of node ", i, ": column ", column, " after column ", last,
            "; the columns of a row ascend");
    last = column;
  }
}

// Of typed columns the numbers are told of, not trained on, and may be larger than these hold.
void check_values(const Tables& tables, const Csr& x) {
  if (x.values.empty()) return;
  check_size(tables, x.values.size(), "values of features", x.nnz(), "entries");
  if (!tables.columns.empty()) return;
  for (Index i = 0; i < x.rows; ++i)
    for (Offset e = x.offsets[i]; e < x.offsets[i + 1]; ++e)
      require(std::isfinite(x.values[e]), tables.name, ": features of node ", i, ": column ", x.indices[e], " is ",
              x.values[e], "; only finite numbers can be learned from");
}

void check_features(const Tables& tables) {
  if (!tables.features.is_sparse()) return;
  const Csr& x = tables.features.sparse();
  check_offsets(tables, x);
  for (Index i = 0; i < x.rows; ++i) check_row(tables, x, i);
  check_values(tables, x);
}

void check_weights(const Tables& tables) {
  const std::vector<Real>& weights = tables.edge_weights;
  if (weights.empty()) return;
  check_size(tables, weights.size(), "edge weights", std::ssize(tables.edges), "edges");
  for (std::size_t i = 0; i < weights.size(); ++i)
    require(is_weight(static_cast<double>(weights[i])), tables.name, ": edge ", i, ": weight ", weights[i], " outside ",
            kLeastWeight, "..", kMostWeight);
}

void check_edges(const Tables& tables) {
  const Index num_nodes = tables.num_nodes();
  for (std::size_t i = 0; i < tables.edges.size(); ++i) {
    const auto [source, target] = tables.edges[i];
    if (std::min(source, target) >= 0 && std::max(source, target) < num_nodes) continue;
    fail(Status::data, tables.name, ": edge ", i, " (", source, " to ", target, "): node outside 0..", num_nodes - 1);
  }
}

template <class T>
std::vector<T> take(const std::vector<T>& items, std::span<const Index> rows) {
  std::vector<T> out;
  out.reserve(rows.size());
  for (Index row : rows) out.push_back(items[row]);
  return out;
}

// Node k takes features and label of the k-th row of the file; edges, splits and ids stay where they are.
void place_rows_in_file_order(Tables& tables) {
  if (tables.file_order.empty()) return;
  tables.features = take_rows(tables.features, tables.file_order);
  tables.labels = take(tables.labels, tables.file_order);
}

void shift_feature_columns(Tables& tables) {
  tables.features = shift_columns(tables.features);
  if (!tables.feature_names.empty()) tables.feature_names.erase(tables.feature_names.begin());
}

// Unlabelled nodes are never scored, whether they stay in the graph or not.
void drop_unlabelled(std::vector<Index>& nodes, const std::vector<int>& labels) {
  std::erase_if(nodes, [&](Index node) { return labels[node] < 0; });
}

// Of published matrices, the rows and columns of the nodes that are kept.
void take_nodes(PublishedMatrices& published, const std::vector<Index>& new_number) {
  for (auto& [name, read] : published) {
    read = [name = name, read = std::move(read), new_number] {
      std::vector<Csr> out = read();
      for (Csr& a : out) {
        require(static_cast<std::size_t>(a.rows) == new_number.size(), name, ": ", a.rows, " rows in a matrix for ",
                new_number.size(), " nodes");
        a = take_nodes(a, new_number);
      }
      return out;
    };
  }
}

// Takes the unlabelled nodes out of graph, published matrices, features, labels, ids and splits (which no longer name
// them).
void delete_unlabelled(Dataset& data) {
  std::vector<Index> kept, new_number(data.labels.size(), -1);
  for (Index u = 0; u < data.num_nodes(); ++u) {
    if (data.labels[u] < 0) continue;
    new_number[u] = static_cast<Index>(kept.size());
    kept.push_back(u);
  }
  if (kept.size() == data.labels.size()) return;
  data.adjacency = take_nodes(data.adjacency, new_number);
  if (data.keeps_apart()) data.pointing_to = take_nodes(data.pointing_to, new_number);
  take_nodes(data.published, new_number);
  data.features = take_rows(data.features, kept);
  if (data.columns) data.columns = std::make_shared<const std::vector<Column>>(take_rows(*data.columns, kept));
  data.labels = take(data.labels, kept);
  if (!data.ids.empty()) data.ids = take(data.ids, kept);
  for (Split& split : data.splits) {
    for (auto* set : {&split.train, &split.val, &split.test}) {
      for (Index& node : *set) node = new_number[node];
    }
  }
}

// Fills adjacency and the numbers of edges. Row u of `written` lists the nodes that u points to.
void build_graph(Dataset& data, Csr written, const View& view) {
  if (view.duplicates == View::Duplicates::merge && !data.weighted) written.values = {};
  Csr both = symmetric_max(written);
  for (Index u = 0; u < both.rows; ++u) {
    for (Index v : both.row(u)) {
      data.num_edges += u < v ? 1 : 0;
      data.num_self_loops += u == v ? 1 : 0;
    }
  }
  data.num_one_way = both.nnz() - written.nnz();
  using Direction = View::Direction;
  const bool apart = view.direction == Direction::separate;
  if (view.direction == Direction::both || apart) data.adjacency = std::move(both);
  if (view.direction == Direction::in) data.adjacency = transpose(written);
  if (view.direction == Direction::out || apart) (apart ? data.pointing_to : data.adjacency) = std::move(written);
  for (Csr* a : {&data.adjacency, &data.pointing_to}) {
    if (view.self_loops == View::SelfLoops::drop) drop_loops(*a);
    drop_unit_values(*a);
  }
}

}  // namespace

std::string Dataset::id(Index node) const {
  check_nodes(*this, std::span(&node, 1));
  return ids.empty() ? std::to_string(node) : ids[static_cast<std::size_t>(node)];
}

void check_nodes(const Dataset& d, std::span<const Index> nodes) {
  for (Index node : nodes)
    require(node >= 0 && node < d.num_nodes(), d.name, ": node ", node, " outside 0..", d.num_nodes() - 1);
}

void check_classes(const Dataset& d, std::span<const int> classes) {
  for (int k : classes)
    require(k >= 0 && k < d.num_classes(), d.name, ": class ", k, " outside 0..", d.num_classes() - 1);
}

void check_tables(const Tables& tables) {
  const Index num_nodes = tables.num_nodes();
  require(num_nodes > 0, tables.name, ": no nodes");
  const auto& ids = tables.ids;
  const auto& order = tables.file_order;
  const auto& names = tables.feature_names;
  check_size(tables, tables.labels.size(), "labels", num_nodes, "nodes");
  if (!ids.empty()) check_size(tables, ids.size(), "ids", num_nodes, "nodes");
  if (!order.empty()) check_size(tables, order.size(), "file rows", num_nodes, "nodes");
  if (!names.empty()) check_size(tables, names.size(), "feature names", tables.features.cols(), "columns");
  check_different(tables, ids, "node id");
  check_different(tables, tables.classes, "class");
  check_features(tables);
  check_edges(tables);
  check_weights(tables);
  check_nodes(tables, tables.file_order, "file order");
  for (std::size_t s = 0; s < tables.splits.size(); ++s) {
    const Split& split = tables.splits[s];
    for (const auto* set : {&split.train, &split.val, &split.test}) check_nodes(tables, *set, join("split ", s));
  }
  const int num_classes = static_cast<int>(tables.classes.size());
  require(num_classes <= kMostClassesTold, tables.name, ": ", num_classes, " classes; at most ", kMostClassesTold,
          " can be told apart; are the labels ids, or a measure?");
  for (Index u = 0; u < num_nodes; ++u) {
    require(tables.labels[u] >= -1 && tables.labels[u] < num_classes, tables.name, ": node ", u, ": class ",
            tables.labels[u], " outside 0..", num_classes - 1, " (-1: unlabelled)");
  }
}

Dataset make_dataset(Tables tables, const View& view) {
  check_tables(tables);
  if (view.rows == View::Rows::by_file) place_rows_in_file_order(tables);
  if (view.columns == View::Columns::shifted) shift_feature_columns(tables);

  Dataset data;
  data.weighted = !tables.edge_weights.empty();
  Csr written = adjacency_matrix(tables.num_nodes(), tables.edges, tables.edge_weights);
  tables.edges = {};  // the largest arrays of a large graph: gone before the next one is made
  tables.edge_weights = {};
  build_graph(data, std::move(written), view);
  data.name = std::move(tables.name);
  data.features = std::move(tables.features);
  data.labels = std::move(tables.labels);
  data.classes = std::move(tables.classes);
  data.ids = std::move(tables.ids);
  data.feature_names = std::move(tables.feature_names);
  if (!tables.columns.empty()) data.columns = std::make_shared<const std::vector<Column>>(std::move(tables.columns));
  data.splits = std::move(tables.splits);
  data.published = std::move(tables.published);
  for (Split& split : data.splits) {
    for (auto* set : {&split.train, &split.val, &split.test}) {
      drop_unlabelled(*set, data.labels);
      if (!std::is_sorted(set->begin(), set->end())) std::sort(set->begin(), set->end());
    }
  }
  if (view.unlabelled == View::Unlabelled::remove) delete_unlabelled(data);
  return data;
}

}  // namespace gcnh
