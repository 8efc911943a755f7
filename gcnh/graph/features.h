// Node features, sparse or dense, and what is done to their rows and columns in either form.
#pragma once

#include <span>
#include <utility>
#include <variant>

#include "gcnh/base/csr.h"
#include "gcnh/base/matrix.h"

namespace gcnh {

// One row per node. Readers choose the form: sparse, unless most of the numbers are other than 0.
class Features {
 public:
  Features() = default;  // sparse, no rows
  Features(Csr sparse) : x_(std::move(sparse)) {}
  Features(Matrix dense) : x_(std::move(dense)) {}

  Index rows() const { return is_sparse() ? sparse().rows : dense().rows(); }
  Index cols() const { return is_sparse() ? sparse().cols : dense().cols(); }
  Offset nonzeros() const;

  bool is_sparse() const { return std::holds_alternative<Csr>(x_); }
  // The form that is there; asking for the other one throws.
  const Csr& sparse() const { return std::get<Csr>(x_); }
  Csr& sparse() { return std::get<Csr>(x_); }
  const Matrix& dense() const { return std::get<Matrix>(x_); }
  Matrix& dense() { return std::get<Matrix>(x_); }
  // f(the form that is there)
  decltype(auto) visit(auto&& f) const { return std::visit(f, x_); }

 private:
  std::variant<Csr, Matrix> x_;
};

// f(column, value) for what is not 0 in the row.
template <class F>
void for_each_entry(const Features& features, Index row, const F& f) {
  if (features.is_sparse()) {
    const Csr& x = features.sparse();
    const Offset* ends = x.offsets.data() + row;
    for (Offset e = ends[0]; e < ends[1]; ++e)
      if (x.value(e) != Real{0}) f(x.indices[static_cast<std::size_t>(e)], x.value(e));
    return;
  }
  const Matrix& x = features.dense();
  for (Index j = 0; j < features.cols(); ++j)
    if (x(row, j) != Real{0}) f(j, x(row, j));
}

// The same numbers, zeros written out.
Matrix filled(const Csr& x);

// Every row divided by its sum; rows that sum to 0 stay.
void scale_rows(Features& features);

// The listed rows, in that order.
Features take_rows(const Features& features, std::span<const Index> rows);

// One column fewer: column i moves to i - 1 and column 0 onto the last one, where the larger value wins.
Features shift_columns(const Features& features);

}  // namespace gcnh
