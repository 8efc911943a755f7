// The weighted mean of a node's own encoding and its neighbourhood's, one weight per column.
#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::kernels {

void mix(const Matrix& b, const Matrix& z, const Matrix& a, Matrix& h) {
  const Index k = z.cols();
  parallel_each(z.rows(), k, [&](Index i) {
    for (Index j = 0; j < k; ++j) h(i, j) = b(0, j) * z(i, j) + (1 - b(0, j)) * a(i, j);
  });
}

void mix_backward_add(const Matrix& b, const Matrix& z, const Matrix& a, const Matrix& dh, Matrix& dz, Matrix& da,
                      Matrix& db) {
  const Index k = z.cols();
  parallel_each(z.rows(), k, [&](Index i) {
    if (!dz.empty())
      for (Index j = 0; j < k; ++j) dz(i, j) += b(0, j) * dh(i, j);
    if (!da.empty())
      for (Index j = 0; j < k; ++j) da(i, j) += (1 - b(0, j)) * dh(i, j);
  });
  if (db.empty()) return;
  for (Index i = 0; i < z.rows(); ++i)
    for (Index j = 0; j < k; ++j) db(0, j) += dh(i, j) * (z(i, j) - a(i, j));
}

}  // namespace gcnh::kernels
