#include "gcnh/io/matrix_file.h"

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
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != Real{0})
      out.entries.push_back({static_cast<Index>(i / out.cols), static_cast<Index>(i % out.cols), values[i]});
  return out;
}

// A few bytes can claim any number of rows, and every row takes memory.
void check_rows(const MatrixFile& matrix) {
  constexpr std::size_t kFree = 1'000'000, kPerEntry = 100;
  require(static_cast<std::size_t>(matrix.rows) <= kFree + kPerEntry * matrix.entries.size(), matrix.path, ": ",
          matrix.rows, " rows, but ", matrix.entries.size(), " entries: nearly all nodes are without a feature");
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
  check_rows(matrix);
  std::erase_if(matrix.entries, [](const Triple& entry) { return entry.value == Real{0}; });
  return to_features(make_csr(matrix.rows, matrix.cols, std::move(matrix.entries), Repeats::add));
}

std::vector<Edge> matrix_edges(const MatrixFile& matrix, Index num_nodes) {
  require(matrix.rows == num_nodes && matrix.cols == num_nodes, matrix.path, ": ", matrix.rows, " by ", matrix.cols,
          "; the edges of ", num_nodes, " nodes are a matrix of ", num_nodes, " by ", num_nodes);
  std::vector<Edge> out;
  out.reserve(matrix.entries.size());
  for (const Triple& entry : matrix.entries) out.push_back({entry.row, entry.col});
  return out;
}

}  // namespace gcnh
