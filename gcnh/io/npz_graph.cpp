#include "gcnh/io/npz_graph.h"

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/io/arrays.h"
#include "gcnh/io/lost_digits.h"
#include "gcnh/io/npy_header.h"
#include "gcnh/io/npz.h"
#include "gcnh/io/splits.h"

namespace gcnh {
namespace {

const std::vector<std::string> kNettack = {"adj_data",     "adj_indices", "adj_indptr", "adj_shape", "attr_data",
                                           "attr_indices", "attr_indptr", "attr_shape", "labels"};
const std::vector<std::string> kHeterophilous = {"node_features", "node_labels", "edges"};

bool has_all(const Npz& file, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return file.has(name); });
}

void require_shape(const NpyArray& array, std::int64_t rows, std::int64_t cols) {
  const std::vector<std::int64_t> expected = cols < 0 ? std::vector{rows} : std::vector{rows, cols};
  require(array.shape == expected, array.where, ": shape ", format_shape(array.shape), "; expected ",
          format_shape(expected));
}

CsrArrays read_sparse(const Npz& file, const std::string& prefix) {
  const NpyArray shape = file.get(prefix + "_shape");
  const std::vector<std::int64_t> extents = shape.as_integers();
  require(extents.size() == 2, shape.where, ": ", extents.size(), " numbers; expected 2");
  return check_csr(to_index(extents[0], shape.where, "rows"), to_index(extents[1], shape.where, "columns"),
                   file.get(prefix + "_indptr"), file.get(prefix + "_indices"), file.get(prefix + "_data"));
}

void read_labels(const NpyArray& labels, Index num_nodes, Tables& out) {
  require_shape(labels, num_nodes, -1);
  out.labels = to_labels(labels.as_integers(), labels.where);
  out.classes = class_numbers(out.labels);
}

void read_nettack(const Npz& file, const std::string& path, Tables& out) {
  const CsrArrays adjacency = read_sparse(file, "adj");
  require(adjacency.rows == adjacency.cols, path, ": adj_shape is ", adjacency.rows, " by ", adjacency.cols,
          "; expected a square");
  const CsrArrays attributes = read_sparse(file, "attr");
  require(attributes.rows == adjacency.rows, path, ": ", attributes.rows, " rows of attributes for ", adjacency.rows,
          " nodes");
  require(attributes.cols <= 1'000'000 + 100 * std::ssize(attributes.indices), path, ": attr_shape has ",
          attributes.cols, " columns, but there are ", counted(std::ssize(attributes.indices), "entry"),
          ": nearly all features occur nowhere");
  out.features = to_features(to_csr(attributes));
  const NpyArray values = file.get("attr_data");
  LostDigits lost;
  for (std::size_t e = 0; e < attributes.indices.size(); ++e)
    lost.add(static_cast<Index>(attributes.indices[e]), values.number(e));
  lost.note(values.where, out.notes);
  for (Index u = 0; u < adjacency.rows; ++u)
    for (std::int64_t e = adjacency.offsets[u]; e < adjacency.offsets[u + 1]; ++e)
      out.edges.push_back({u, static_cast<Index>(adjacency.indices[e])});
  read_labels(file.get("labels"), adjacency.rows, out);
}

std::vector<Edge> read_edges(const NpyArray& edges, Index num_nodes) {
  const std::vector<std::int64_t> ends = edges.as_integers();
  require(edges.shape.size() == 2 && edges.shape[1] == 2, edges.where, ": shape ", format_shape(edges.shape),
          "; expected (edges, 2)");
  std::vector<Edge> out;
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    for (std::int64_t id : {ends[i], ends[i + 1]}) {
      if (id < 0 || id >= num_nodes)
        fail(Status::data, edges.where, ": row ", i / 2, ": node id ", id, " outside 0..", num_nodes - 1);
    }
    out.push_back({static_cast<Index>(ends[i]), static_cast<Index>(ends[i + 1])});
  }
  return out;
}

void read_heterophilous(const Npz& file, Tables& out) {
  const NpyArray features = file.get("node_features");
  require(features.shape.size() == 2, features.where, ": shape ", format_shape(features.shape),
          "; expected (nodes, features)");
  const Index num_nodes = to_index(features.shape[0], features.where, "nodes");
  const Index num_features = to_index(features.shape[1], features.where, "features");
  read_labels(file.get("node_labels"), num_nodes, out);  // first: a table without columns may claim any number of rows
  out.features = to_features(num_nodes, num_features, features.as_reals());
  LostDigits lost;
  for (std::int64_t i = 0; i < features.size(); ++i)
    lost.add(static_cast<Index>(i % num_features), features.number(static_cast<std::size_t>(i)));
  lost.note(features.where, out.notes);
  out.edges = read_edges(file.get("edges"), num_nodes);
}

std::vector<Real> read_weights(const NpyArray& weights, std::size_t num_edges) {
  require_shape(weights, static_cast<std::int64_t>(num_edges), -1);
  std::vector<Real> out = weights.as_reals();
  for (std::size_t e = 0; e < out.size(); ++e)
    require(is_weight(static_cast<double>(out[e])), weights.where, ": element ", e, ": ", out[e],
            " is no weight; weights are in ", kLeastWeight, "..", kMostWeight);
  return out;
}

std::vector<Split> read_masks(const Npz& file, const std::string& path, Index num_nodes) {
  const NpyArray train = file.get("train_masks"), val = file.get("val_masks"), test = file.get("test_masks");
  require(train.shape.size() == 2, train.where, ": shape ", format_shape(train.shape), "; expected (splits, nodes)");
  for (const NpyArray* masks : {&train, &val, &test}) require_shape(*masks, train.shape[0], num_nodes);
  const std::vector<std::int64_t> a = train.as_integers(), b = val.as_integers(), c = test.as_integers();
  std::vector<Split> out;
  for (std::size_t begin = 0; begin < a.size(); begin += num_nodes) {
    const auto row = [&](const std::vector<std::int64_t>& masks) {
      return std::span<const std::int64_t>(masks).subspan(begin, num_nodes);
    };
    out.push_back(split_from_masks(row(a), row(b), row(c), join(path, ": split ", out.size())));
  }
  return out;
}

}  // namespace

Tables read_npz_graph(const std::filesystem::path& path) {
  const Npz file = Npz::open(path);
  Tables out;
  out.name = path.stem().string();
  if (has_all(file, kNettack))
    read_nettack(file, path.string(), out);
  else if (has_all(file, kHeterophilous))
    read_heterophilous(file, out);
  else if (has_all(file, {"format", "shape", "data"}))
    fail(Status::data, path.string(), ": a sparse matrix of SciPy; give it as `nodes` or as `edges`");
  else
    fail(Status::data, path.string(), ": not a graph: it holds ", list_words(file.names()), "; expected either ",
         list_words(kNettack), " or ", list_words(kHeterophilous));
  require(out.num_nodes() > 0, path.string(), ": no nodes");
  if (file.has("edge_weights")) out.edge_weights = read_weights(file.get("edge_weights"), out.edges.size());
  if (has_all(file, {"train_masks", "val_masks", "test_masks"}))
    out.splits = read_masks(file, path.string(), out.num_nodes());
  return out;
}

}  // namespace gcnh
