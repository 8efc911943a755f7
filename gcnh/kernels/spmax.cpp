// Element-wise maximum over neighbours with the winners, kept in vector registers, and its backward; both pull along rows.
#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gcnh/kernels/spmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One vector of columns of a row's maximum, or a single column with a one-lane tag. Winners are numbers of the width of Real.
template <class D>
HWY_INLINE void largest(D d, const Csr& a, const Matrix& x, bool floor_at_zero, Index u, Index column, Real* best,
                        Index* who) {
  using Number = hwy::MakeSigned<Real>;
  const hn::RebindToSigned<D> numbers;
  auto value = hn::Zero(d);
  auto winner = hn::Set(numbers, Number{-1});
  bool first = !floor_at_zero;  // the first neighbour wins against nothing, but not against the floor
  for (Index v : a.row(u)) {
    const auto candidate = hn::LoadU(d, x.row(v) + column);
    const auto better = first ? hn::Eq(candidate, candidate) : hn::Gt(candidate, value);
    value = hn::IfThenElse(better, candidate, value);
    winner = hn::IfThenElse(hn::RebindMask(numbers, better), hn::Set(numbers, static_cast<Number>(v)), winner);
    first = false;
  }
  hn::StoreU(value, d, best + column);
  HWY_ALIGN Number lanes[hn::MaxLanes(numbers)];
  hn::Store(winner, numbers, lanes);
  for (std::size_t j = 0; j < hn::Lanes(d); ++j) who[column + static_cast<Index>(j)] = static_cast<Index>(lanes[j]);
}

void max_rows(const Csr& a, const RowMap& rows, const Matrix& x, bool floor_at_zero, Index begin, Index end, Matrix& y,
              Index* winner) {
  const hn::ScalableTag<Real> d;
  const Index k = x.cols(), lanes = static_cast<Index>(hn::Lanes(d));
  for (Index i = begin; i < end; ++i) {
    Real* best = y.row(rows.target(i));
    Index* who = winner + Offset{rows.target(i)} * k;
    Index j = 0;
    for (; j + lanes <= k; j += lanes) largest(d, a, x, floor_at_zero, rows.source(i), j, best, who);
    for (; j < k; ++j) largest(hn::CappedTag<Real, 1>(), a, x, floor_at_zero, rows.source(i), j, best, who);
  }
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(max_rows);

void spmax_rows(const Csr& a, const RowMap& rows, const Matrix& x, bool floor_at_zero, Matrix& y, Index* winner) {
  const std::int64_t cost = (a.nnz() / std::max<Index>(1, a.rows) + 1) * x.cols();
  parallel_for(rows.count, cost, [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(max_rows)
    (a, rows, x, floor_at_zero, static_cast<Index>(begin), static_cast<Index>(end), y, winner);
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
        const Index* who = winner.data() + Offset{u} * k;
        const Real* from = dy.row(u);
        for (Index j = 0; j < k; ++j) to[j] += who[j] == v ? from[j] : Real{0};
      }
    }
  });
}

}  // namespace gcnh::kernels
#endif
