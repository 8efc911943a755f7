// Sparse matrix in compressed rows. An empty value array means that every stored entry is 1.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "gcnh/base/types.h"

namespace gcnh {

struct Csr {
  Index rows = 0;
  Index cols = 0;
  std::vector<Offset> offsets = {0};  // rows + 1
  std::vector<Index> indices = {};    // column of each entry, ascending within a row
  std::vector<Real> values = {};      // empty: all ones

  Offset nnz() const { return static_cast<Offset>(indices.size()); }
  Offset per_row() const { return nnz() / std::max<Index>(1, rows) + 1; }  // entries, roughly: what a row costs
  std::span<const Index> row(Index i) const {
    const Offset* begin = offsets.data() + i;
    return {indices.data() + begin[0], indices.data() + begin[1]};
  }
  Real value(Offset e) const { return values.empty() ? Real{1} : values[static_cast<std::size_t>(e)]; }
};

struct Triple {
  Index row;
  Index col;
  Real value;
};

// Rows sorted by column; entries at the same place are added up (add) or keep the last one. Throws a data error for
// entries outside of the matrix.
enum class Repeats { add, keep_one };
Csr make_csr(Index rows, Index cols, std::vector<Triple> triples, Repeats repeats);

// A'. Where `source` is given, source[e] becomes the position in `a` of the e-th entry of the result.
Csr transpose(const Csr& a, std::vector<Offset>* source = nullptr);
// The transpose of the listed rows of `a`: row v of the result holds the listed u with an entry (u, v), ascending.
Csr transpose_of_rows(const Csr& a, std::span<const Index> rows);

// The sums of all rows and of all columns, entry after entry.
struct MatrixSums {
  std::vector<double> rows = {}, columns = {};
};
MatrixSums sums_of(const Csr& a);

// True when A = A', pattern and values.
bool is_symmetric(const Csr& a);

// Drops the value array when all values are 1.
void drop_unit_values(Csr& a);

// The listed rows of a, in that order.
Csr take_rows(const Csr& a, std::span<const Index> rows);

}  // namespace gcnh
