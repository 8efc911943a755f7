// Several matrices of one shape made into one: weighted sums, maxima, side by side. One pass over memory each, which
// the compiler vectorises.
#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::kernels {

void weighted_sum(const Matrix& w, const Parts& z, Matrix& h) {
  const Index k = h.cols();
  parallel_each(h.rows(), w.rows() * k, [&](Index i) {
    Real* to = h.row(i);
    for (Index c = 0; c < w.rows(); ++c) {
      const Real *weight = w.row(c), *from = z[c]->row(i);
      for (Index j = 0; j < k; ++j) to[j] = (c == 0 ? 0 : to[j]) + weight[j] * from[j];
    }
  });
}

void weighted_sum_backward_add(const Matrix& w, const Parts& z, const Matrix& dh, const std::vector<Matrix*>& dz,
                               Matrix& dw) {
  const Index k = dh.cols();
  parallel_each(dh.rows(), w.rows() * k, [&](Index i) {
    const Real* from = dh.row(i);
    for (Index c = 0; c < w.rows(); ++c) {
      if (dz[c]->empty()) continue;
      const Real* weight = w.row(c);
      Real* to = dz[c]->row(i);
      for (Index j = 0; j < k; ++j) to[j] += weight[j] * from[j];
    }
  });
  if (dw.empty()) return;
  for (Index i = 0; i < dh.rows(); ++i) {
    const Real* from = dh.row(i);
    for (Index c = 0; c < w.rows(); ++c) {
      const Real* part = z[c]->row(i);
      Real* to = dw.row(c);
      for (Index j = 0; j < k; ++j) to[j] += from[j] * part[j];
    }
  }
}

void largest_part(const Parts& z, Matrix& y, std::vector<Index>& winner) {
  winner.assign(y.size(), 0);
  y = *z[0];
  const auto k = static_cast<std::size_t>(y.cols());
  for (Index c = 1; c < static_cast<Index>(z.size()); ++c) {
    parallel_each(y.rows(), y.cols(), [&](Index i) {
      const Real* from = z[c]->row(i);
      Real* to = y.row(i);
      Index* who = winner.data() + static_cast<std::size_t>(i) * k;
      for (std::size_t j = 0; j < k; ++j) {
        who[j] = from[j] > to[j] ? c : who[j];
        to[j] = from[j] > to[j] ? from[j] : to[j];
      }
    });
  }
}

void largest_part_backward_add(Index c, const std::vector<Index>& winner, const Matrix& dy, Matrix& dz) {
  parallel_each(dy.size(), 2,
                [&, from = dy.data(), to = dz.data()](std::size_t i) { to[i] += winner[i] == c ? from[i] : Real{0}; });
}

void put_columns(const Matrix& x, Index begin, Matrix& y) {
  parallel_each(x.rows(), x.cols(), [&](Index i) { std::copy_n(x.row(i), x.cols(), y.row(i) + begin); });
}

void take_columns_add(const Matrix& x, Index begin, Matrix& y) {
  parallel_each(y.rows(), y.cols(), [&](Index i) {
    const Real* from = x.row(i) + begin;
    Real* to = y.row(i);
    for (Index j = 0; j < y.cols(); ++j) to[j] += from[j];
  });
}

}  // namespace gcnh::kernels
