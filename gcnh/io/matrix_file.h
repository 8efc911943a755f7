// A matrix from a file: edges when it is square, or the features of nodes. Matrix Market, SciPy's save_npz, NumPy's
// save.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/io/file_kind.h"
#include "gcnh/io/lost_digits.h"

namespace gcnh {

struct MatrixFile {
  std::string path;
  Index rows = 0;
  Index cols = 0;
  std::vector<Triple> entries;  // as written; a place may have several
  LostDigits lost = {};
};

bool is_matrix(FileKind kind);

// A file of one of these kinds.
MatrixFile read_matrix(const std::string& path, FileKind kind);

// %%MatrixMarket matrix coordinate, real, integer or pattern, general or symmetric. Of symmetric ones both halves.
MatrixFile read_matrix_market(const std::string& path);
// scipy.sparse.save_npz of csr, csc or coo.
MatrixFile read_scipy_npz(const std::string& path);

// The bytes of such files: features as csr; edges, with their weights, as coo.
std::string scipy_npz_bytes(const Features& features);
std::string scipy_npz_bytes(const Tables& tables);

// Row i belongs to node i; entries at the same place add up.
Features matrix_features(MatrixFile matrix);

// An entry in row i and column j is an edge from node i to node j. The matrix has a row and a column per node. Its
// values are weights where `weighted` says so; else a note tells of values other than 1.
void take_matrix_edges(const MatrixFile& matrix, bool weighted, Tables& out);

}  // namespace gcnh
