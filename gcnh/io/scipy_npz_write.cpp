// A matrix as scipy.sparse.save_npz writes it. The reader is in scipy_npz.cpp.
#include "gcnh/io/arrays.h"
#include "gcnh/io/matrix_file.h"
#include "gcnh/io/npz.h"

namespace gcnh {
namespace {

template <class T>
NpyArray array_of(const std::vector<T>& values) {
  return make_npy(std::span<const T>(values), {static_cast<std::int64_t>(values.size())});
}

NpyArray word(const std::string& text) { return {"|S" + std::to_string(text.size()), {}, text}; }

NpyArray shape_of(Index rows, Index cols) { return array_of(std::vector<std::int64_t>{rows, cols}); }

std::vector<Real> or_ones(std::vector<Real> values, std::size_t size) {
  values.resize(size, Real{1});
  return values;
}

}  // namespace

std::string scipy_npz_bytes(const Features& features) {
  const Csr x = sparse_form(features);
  return npz_bytes({{"format", word("csr")},
                    {"shape", shape_of(x.rows, x.cols)},
                    {"data", array_of(or_ones(x.values, x.indices.size()))},
                    {"indices", array_of(x.indices)},
                    {"indptr", array_of(x.offsets)}});
}

std::string scipy_npz_bytes(const Tables& tables) {
  std::vector<Index> rows, cols;
  for (Edge edge : tables.edges) {
    rows.push_back(edge.source);
    cols.push_back(edge.target);
  }
  return npz_bytes({{"format", word("coo")},
                    {"shape", shape_of(tables.num_nodes(), tables.num_nodes())},
                    {"data", array_of(or_ones(tables.edge_weights, rows.size()))},
                    {"row", array_of(rows)},
                    {"col", array_of(cols)}});
}

}  // namespace gcnh
