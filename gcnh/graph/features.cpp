#include "gcnh/graph/features.h"

#include <algorithm>
#include <numeric>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

Matrix take_rows(const Matrix& a, std::span<const Index> rows) {
  Matrix out(static_cast<Index>(rows.size()), a.cols());
  for (Index i = 0; i < out.rows(); ++i) std::copy_n(a.row(rows[i]), a.cols(), out.row(i));
  return out;
}

Matrix shift_columns(const Matrix& a) {
  Matrix out(a.rows(), a.cols() - 1);
  for (Index i = 0; i < a.rows(); ++i) {
    std::copy_n(a.row(i) + 1, out.cols(), out.row(i));
    Real& last = out(i, out.cols() - 1);
    last = std::max(last, a(i, 0));
  }
  return out;
}

Csr shift_columns(const Csr& a) {
  Csr out{a.rows, a.cols - 1, {0}, {}, {}};
  const Index last = out.cols - 1;
  for (Index i = 0; i < a.rows; ++i) {
    const Offset begin = a.offsets[i], end = a.offsets[i + 1];
    const bool wraps = begin < end && a.indices[begin] == 0;
    for (Offset e = begin + (wraps ? 1 : 0); e < end; ++e) {
      out.indices.push_back(a.indices[e] - 1);
      out.values.push_back(a.value(e));
    }
    if (wraps && out.nnz() > out.offsets.back() && out.indices.back() == last) {
      out.values.back() = std::max(out.values.back(), a.value(begin));
    } else if (wraps) {
      out.indices.push_back(last);
      out.values.push_back(a.value(begin));
    }
    out.offsets.push_back(out.nnz());
  }
  drop_unit_values(out);
  return out;
}

void scale_row(std::span<Real> row) {
  const Real sum = std::accumulate(row.begin(), row.end(), Real{0});
  if (sum == 0) return;
  for (Real& value : row) value /= sum;
}

}  // namespace

Offset Features::nonzeros() const {
  if (is_sparse() && sparse().values.empty()) return sparse().nnz();
  const std::span<const Real> values = is_sparse() ? std::span<const Real>(sparse().values) : dense().values();
  return std::count_if(values.begin(), values.end(), [](Real value) { return value != 0; });
}

Matrix filled(const Csr& x) {
  Matrix out(x.rows, x.cols);
  for (Index i = 0; i < x.rows; ++i)
    for (Offset e = x.offsets[i]; e < x.offsets[i + 1]; ++e) out(i, x.indices[e]) = x.value(e);
  return out;
}

void scale_rows(Features& features) {
  if (!features.is_sparse()) {
    Matrix& x = features.dense();
    for (Index i = 0; i < x.rows(); ++i) scale_row({x.row(i), static_cast<std::size_t>(x.cols())});
    return;
  }
  Csr& x = features.sparse();
  if (x.values.empty()) x.values.assign(x.indices.size(), Real{1});
  for (Index i = 0; i < x.rows; ++i) scale_row({x.values.data() + x.offsets[i], x.values.data() + x.offsets[i + 1]});
}

Features take_rows(const Features& features, std::span<const Index> rows) {
  return features.visit([&](const auto& x) { return Features(take_rows(x, rows)); });
}

Features shift_columns(const Features& features) {
  require(features.cols() >= 2, "columns=shifted: features have ", counted(features.cols(), "column"),
          "; at least 2 are needed");
  return features.visit([](const auto& x) { return Features(shift_columns(x)); });
}

}  // namespace gcnh
