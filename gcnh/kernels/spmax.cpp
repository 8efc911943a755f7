// Element-wise maximum over neighbours, and its backward: both pull along rows.
#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::kernels {

void spmax_rows(const Csr& a, const RowMap& rows, const Matrix& x, bool floor_at_zero, Matrix& y, Index* winner) {
  const Index k = x.cols();
  const std::int64_t cost = (a.nnz() / std::max<Index>(1, a.rows) + 1) * k;
  parallel_for(rows.count, cost, [&](std::int64_t begin, std::int64_t end) {
    for (Index i = static_cast<Index>(begin); i < end; ++i) {
      Real* best = y.row(rows.target(i));
      Index* who = winner + Offset{rows.target(i)} * k;
      std::fill(best, best + k, Real{0});
      std::fill(who, who + k, -1);
      bool first = !floor_at_zero;  // the first neighbour wins against nothing, but not against the floor
      for (Index v : a.row(rows.source(i))) {
        const Real* from = x.row(v);
        for (Index j = 0; j < k; ++j) {
          const bool better = first || from[j] > best[j];
          best[j] = better ? from[j] : best[j];
          who[j] = better ? v : who[j];
        }
        first = false;
      }
    }
  });
}

void spmax(const Csr& a, const Matrix& x, bool floor_at_zero, Matrix& y, std::vector<Index>& winner) {
  winner.resize(y.size());
  spmax_rows(a, RowMap::all(a.rows), x, floor_at_zero, y, winner.data());
}

void spmax_backward_add(const Csr& at, const std::vector<Index>& winner, const Matrix& dy, Matrix& dx) {
  const Index k = dy.cols();
  const std::int64_t cost = (at.nnz() / std::max<Index>(1, at.rows) + 1) * k;
  parallel_for(at.rows, cost, [&](std::int64_t begin, std::int64_t end) {
    for (Index v = static_cast<Index>(begin); v < end; ++v) {
      Real* to = dx.row(v);
      for (Index u : at.row(v)) {
        const Index* who = winner.data() + static_cast<Offset>(u) * k;
        const Real* from = dy.row(u);
        for (Index j = 0; j < k; ++j) to[j] += who[j] == v ? from[j] : Real{0};
      }
    }
  });
}

}  // namespace gcnh::kernels
