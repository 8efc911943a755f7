#include "gcnh/graph/scaling.h"

#include <cmath>

#include "gcnh/base/error.h"

namespace gcnh {

Scaling fit_scaling(Scale kind, const Features& features) {
  Scaling out{kind == Scale::automatic ? (features.is_sparse() ? Scale::none : Scale::standard) : kind, {}, {}};
  if (out.kind != Scale::standard) return out;
  if (features.is_sparse())
    fail(Status::usage, "scale: 'standard' would fill the zeros of sparse features; use rows or none");
  const Matrix& x = features.dense();
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
  return out;
}

void apply_scaling(const Scaling& scaling, Features& features) {
  if (scaling.kind == Scale::rows) scale_rows(features);
  if (scaling.kind != Scale::standard) return;
  require(!features.is_sparse() && features.cols() == scaling.mean.cols(), "features do not fit the stored scaling");
  Matrix& x = features.dense();
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) x(i, j) = (x(i, j) - scaling.mean(0, j)) / scaling.deviation(0, j);
}

}  // namespace gcnh
