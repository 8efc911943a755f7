// Scaled sums and inner products over whole matrices and rows (scaled.cpp).
#pragma once

#include <span>

#include "gcnh/base/matrix.h"

namespace gcnh::kernels {

// y += c x
void scaled_add(Real c, const Matrix& x, Matrix& y);
// sum_ij x_ij y_ij
double dot(const Matrix& x, const Matrix& y);
// y[i] = scale[i] x[i];  a wider y is filled up with zeros, a narrower one takes the first columns
void scale_rows(std::span<const Real> scale, const Matrix& x, Matrix& y);
// y[i] += scale[i] x[i], in the columns that both have
void scale_rows_add(std::span<const Real> scale, const Matrix& x, Matrix& y);

}  // namespace gcnh::kernels
