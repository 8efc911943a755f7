#include "gcnh/graph/scaling.h"

#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

void fit_standard(const Matrix& x, Scaling& out) {
  out.mean = Matrix(1, x.cols());
  out.deviation = Matrix(1, x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    double sum = 0, squares = 0;
    for (Index i = 0; i < x.rows(); ++i) sum += static_cast<double>(x(i, j));
    const double mean = sum / x.rows();
    for (Index i = 0; i < x.rows(); ++i) squares += std::pow(static_cast<double>(x(i, j)) - mean, 2);
    const double deviation = std::sqrt(squares / x.rows());
    out.mean(0, j) = static_cast<Real>(mean);
    out.deviation(0, j) = deviation > 0 ? static_cast<Real>(deviation) : Real{1};
  }
}

Matrix largest_of(const Features& features) {
  Matrix out(1, features.cols());
  const auto meet = [&](Index j, Real x) { out(0, j) = std::max(out(0, j), std::abs(x)); };
  if (features.is_sparse()) {
    const Csr& x = features.sparse();
    for (Offset e = 0; e < x.nnz(); ++e) meet(x.indices[e], x.value(e));
  } else {
    const Matrix& x = features.dense();
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = 0; j < x.cols(); ++j) meet(j, x(i, j));
  }
  return out;
}

Matrix largest_or_one(const Features& features) {
  Matrix out = largest_of(features);
  std::replace(out.values().begin(), out.values().end(), Real{0}, Real{1});
  return out;
}

void divide_columns(const Matrix& by, Features& features) {
  if (features.is_sparse()) {
    Csr& x = features.sparse();
    if (x.values.empty()) x.values.assign(x.indices.size(), Real{1});
    for (Offset e = 0; e < x.nnz(); ++e) x.values[e] /= by(0, x.indices[e]);
    return;
  }
  Matrix& x = features.dense();
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) x(i, j) /= by(0, j);
}

}  // namespace

Scaling fit_scaling(Scale kind, const Features& features) {
  Scaling out{kind == Scale::automatic ? (features.is_sparse() ? Scale::none : Scale::standard) : kind, {}, {}};
  if (out.kind == Scale::largest) out.deviation = largest_or_one(features);
  if (out.kind != Scale::standard) return out;
  if (features.is_sparse())
    fail(Status::usage, "scale: 'standard' would fill the zeros of sparse features; 'largest' keeps them");
  fit_standard(features.dense(), out);
  return out;
}

void apply_scaling(const Scaling& scaling, Features& features) {
  if (scaling.kind == Scale::rows) scale_rows(features);
  if (scaling.kind != Scale::standard && scaling.kind != Scale::largest) return;
  require(features.cols() == scaling.deviation.cols(), "features do not fit the stored scaling");
  if (scaling.kind == Scale::largest) return divide_columns(scaling.deviation, features);
  require(!features.is_sparse(), "features do not fit the stored scaling");
  Matrix& x = features.dense();
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) x(i, j) = (x(i, j) - scaling.mean(0, j)) / scaling.deviation(0, j);
}

bool need_scaling(const Features& features) {
  if (!features.is_sparse()) return false;
  const Matrix sizes = largest_of(features);
  double least = 0, most = 0;
  for (Real size : sizes.values()) {
    const double x = static_cast<double>(size);
    if (x > 0 && (least == 0 || x < least)) least = x;
    most = std::max(most, x);
  }
  return most > 0 && most >= kApart * least;
}

}  // namespace gcnh
