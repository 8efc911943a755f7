#include "gcnh/io/arrays.h"

#include <algorithm>
#include <limits>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

bool ascending(std::span<const std::int64_t> row) {
  return std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end();
}

// What our matrices promise: the columns of a row ascend, none is there twice.
bool rows_ascending(const CsrArrays& a) {
  for (Index i = 0; i < a.rows; ++i) {
    const std::int64_t* begin = a.indices.data() + a.offsets[i];
    if (!ascending({begin, a.indices.data() + a.offsets[i + 1]})) return false;
  }
  return true;
}

// For files that leave rows unsorted or name an entry twice, which scipy allows: repeats add up.
Csr sorted_csr(const CsrArrays& a) {
  std::vector<Triple> triples;
  triples.reserve(a.indices.size());
  for (Index i = 0; i < a.rows; ++i)
    for (std::int64_t e = a.offsets[i]; e < a.offsets[i + 1]; ++e)
      triples.push_back({i, static_cast<Index>(a.indices[e]), a.values[e]});
  return make_csr(a.rows, a.cols, std::move(triples), Repeats::add);
}

}  // namespace

Index to_index(std::int64_t value, const std::string& where, const char* what) {
  constexpr Index kMost = std::numeric_limits<Index>::max() - 1;
  require(value >= 0 && value <= kMost, where, ": ", value, " ", what, "; allowed: 0..", kMost);
  return static_cast<Index>(value);
}

CsrArrays check_csr(Index rows, Index cols, const NpyArray& offsets, const NpyArray& indices, const NpyArray& values) {
  CsrArrays a{rows, cols, offsets.as_integers(), indices.as_integers(), values.as_reals()};
  const std::int64_t stored = indices.size();
  require(offsets.size() == rows + std::int64_t{1}, offsets.where, ": ", offsets.size(), " row offsets for ", rows,
          " rows; expected ", rows + std::int64_t{1});
  require(values.size() == stored, values.where, ": ", values.size(), " values for ", stored, " entries");
  require(a.offsets.front() == 0 && a.offsets.back() == stored, offsets.where, ": row offsets run from ",
          a.offsets.front(), " to ", a.offsets.back(), "; expected 0 to ", stored);
  for (Index i = 0; i < rows; ++i) {
    if (a.offsets[i + 1] < a.offsets[i])
      fail(Status::data, offsets.where, ": row offset ", i + 1, " is ", a.offsets[i + 1], ", below the one before, ",
           a.offsets[i]);
  }
  for (std::size_t e = 0; e < a.indices.size(); ++e) {
    if (a.indices[e] < 0 || a.indices[e] >= cols)
      fail(Status::data, indices.where, ": entry ", e, ": column ", a.indices[e], " outside 0..", cols - 1);
  }
  return a;
}

Csr to_csr(const CsrArrays& a) {
  if (!rows_ascending(a)) return sorted_csr(a);
  Csr out{a.rows, a.cols, {a.offsets.begin(), a.offsets.end()}, {}, a.values};
  out.indices.reserve(a.indices.size());
  for (std::int64_t column : a.indices) out.indices.push_back(static_cast<Index>(column));
  drop_unit_values(out);
  return out;
}

Features to_features(Index rows, Index cols, const std::vector<Real>& values) {
  const std::size_t filled = values.size() - std::count(values.begin(), values.end(), Real{0});
  // A sparse entry stores its column beside its value: twice the memory of a dense one.
  if (2 * filled >= values.size() && !values.empty()) {
    Matrix x(rows, cols);
    std::copy(values.begin(), values.end(), x.data());
    return x;
  }
  Csr x{rows, cols, {0}, {}, {}};
  x.offsets.reserve(rows + std::size_t{1});
  x.indices.reserve(filled);
  x.values.reserve(filled);
  const Real* next = values.data();
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j, ++next) {
      if (*next == Real{0}) continue;
      x.indices.push_back(j);
      x.values.push_back(*next);
    }
    x.offsets.push_back(x.nnz());
  }
  drop_unit_values(x);
  return x;
}

Csr sparse_form(const Features& features) {
  if (features.is_sparse()) return features.sparse();
  const Matrix& x = features.dense();
  std::vector<Triple> triples;
  for (Index i = 0; i < features.rows(); ++i)
    for (Index j = 0; j < features.cols(); ++j)
      if (x(i, j) != Real{0}) triples.push_back({i, j, x(i, j)});
  return make_csr(features.rows(), features.cols(), std::move(triples), Repeats::keep_one);
}

Features to_features(Csr x) {
  if (x.nnz() > 0 && 2 * x.nnz() >= Offset{x.rows} * x.cols) return filled(x);
  return x;
}

std::vector<int> to_labels(std::span<const std::int64_t> values, const std::string& where) {
  std::vector<int> out;
  out.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < -1 || values[i] >= kMostClasses)
      fail(Status::data, where, ": node ", i, ": label ", values[i], " outside -1..", kMostClasses - 1);
    out.push_back(static_cast<int>(values[i]));
  }
  return out;
}

std::vector<std::string> class_numbers(std::span<const int> labels) {
  int most = -1;
  for (int label : labels) most = std::max(most, label);
  std::vector<std::string> out;
  for (int i = 0; i <= most; ++i) out.push_back(std::to_string(i));
  return out;
}

}  // namespace gcnh
