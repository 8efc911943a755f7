// Element-wise maximum over neighbours with the winners, kept in vector registers, and its backward; both pull along
// rows.
#define HWY_TARGET_INCLUDE "gcnh/kernels/spmax.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

// One vector of columns of a row's maximum, or a single column with a one-lane tag. Winners are numbers of the width of
// Real.
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

void spmax_rows(const Csr& a, const RowMap& rows, const Matrix& x, bool floor_at_zero, Matrix& y, Index* winner) {
  const Index k = x.cols();
  parallel_each(rows.count, a.per_row() * k, [&](Index i) {
    Real* best = y.row(rows.target(i));
    Index* who = winner + Offset{rows.target(i)} * k;
    each_vector(Index{0}, k, [&](auto d, Index j) { largest(d, a, x, floor_at_zero, rows.source(i), j, best, who); });
  });
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(spmax_rows);

void spmax_rows(const Csr& a, const RowMap& rows, const Matrix& x, bool floor_at_zero, Matrix& y, Index* winner) {
  HWY_DYNAMIC_DISPATCH(spmax_rows)(a, rows, x, floor_at_zero, y, winner);
}

void spmax(const Csr& a, const Matrix& x, bool floor_at_zero, Matrix& y, std::vector<Index>& winner) {
  winner.resize(y.size());
  spmax_rows(a, RowMap::all(a.rows), x, floor_at_zero, y, winner.data());
}

void spmax_backward_add(const Csr& at, const std::vector<Index>& winner, const Matrix& dy, Matrix& dx) {
  const Index k = dy.cols();
  parallel_each(at.rows, at.per_row() * k, [&](Index v) {
    Real* to = dx.row(v);
    for (Index u : at.row(v)) {
      const Index* who = winner.data() + Offset{u} * k;
      const Real* from = dy.row(u);
      for (Index j = 0; j < k; ++j) to[j] += who[j] == v ? from[j] : Real{0};
    }
  });
}

}  // namespace gcnh::kernels
#endif
