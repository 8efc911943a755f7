#include "gcnh/io/matrix_file.h"

#include <cmath>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/arrays.h"
#include "gcnh/io/file.h"
#include "gcnh/io/npy.h"

namespace gcnh {
namespace {

MatrixFile read_dense(const std::string& path) {
  const NpyArray array = parse_npy(read_file(path), path);
  require(array.shape.size() == 2, path, ": ", array.shape.size(), " dimensions; features have two, (nodes, features)");
  MatrixFile out{path, to_index(array.shape[0], path, "rows"), to_index(array.shape[1], path, "columns"), {}};
  const std::vector<Real> values = array.as_reals();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto row = static_cast<Index>(i / out.cols), col = static_cast<Index>(i % out.cols);
    if (values[i] != Real{0}) out.entries.push_back({row, col, values[i]});
    out.lost.add(col, array.number(i));
  }
  return out;
}

// A few bytes can claim any number of rows and columns, and each of them takes memory.
void check_size(const MatrixFile& matrix) {
  constexpr std::size_t kFree = 1'000'000, kPerEntry = 100;
  require(static_cast<std::size_t>(matrix.rows) <= kFree + kPerEntry * matrix.entries.size(), matrix.path, ": ",
          matrix.rows, " rows, but ", matrix.entries.size(), " entries: nearly all nodes are without a feature");
  require(static_cast<std::size_t>(matrix.cols) <= kFree + kPerEntry * matrix.entries.size(), matrix.path, ": ",
          matrix.cols, " columns, but ", matrix.entries.size(), " entries: nearly all features occur nowhere");
}

}  // namespace

bool is_matrix(FileKind kind) {
  return kind == FileKind::matrix_market || kind == FileKind::scipy_npz || kind == FileKind::npy;
}

MatrixFile read_matrix(const std::string& path, FileKind kind) {
  if (kind == FileKind::matrix_market) return read_matrix_market(path);
  return kind == FileKind::scipy_npz ? read_scipy_npz(path) : read_dense(path);
}

Features matrix_features(MatrixFile matrix) {
  require(matrix.rows > 0, matrix.path, ": no rows, so there are no nodes");
  check_size(matrix);
  std::erase_if(matrix.entries, [](const Triple& entry) { return entry.value == Real{0}; });
  Csr x = make_csr(matrix.rows, matrix.cols, std::move(matrix.entries), Repeats::add);
  for (Real value : x.values)
    require(std::isfinite(value), matrix.path, ": entries at one place add up to more than a number can hold");
  return to_features(std::move(x));
}

void take_matrix_edges(const MatrixFile& matrix, bool weighted, Tables& out) {
  const Index num_nodes = out.num_nodes();
  require(matrix.rows == num_nodes && matrix.cols == num_nodes, matrix.path, ": ", matrix.rows, " by ", matrix.cols,
          "; the edges of ", num_nodes, " nodes are a matrix of ", num_nodes, " by ", num_nodes);
  out.edges.reserve(matrix.entries.size());
  bool ones = true;
  for (const Triple& entry : matrix.entries) {
    out.edges.push_back({entry.row, entry.col});
    ones = ones && entry.value == 1;
    if (!weighted) continue;
    require(is_weight(static_cast<double>(entry.value)), matrix.path, ": entry in row ", entry.row + 1, ", column ",
            entry.col + 1, ": ", entry.value, " is no weight; weights are in ", kLeastWeight, "..", kMostWeight);
    out.edge_weights.push_back(entry.value);
  }
  if (!ones && !weighted)
    out.notes.push_back(matrix.path + ": values are not used; `weight` with the word value takes them as weights");
}

}  // namespace gcnh
