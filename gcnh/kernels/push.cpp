// The transposed sparse product over some rows, in two ways that make the same additions in the same order. By pushing,
// each listed row is held in registers and added to the rows its entries name: worth it when few rows are listed, so
// that no pass over all columns is needed. By gathering, each result stays in registers while its row of the transpose
// is added up, one entry after the other: worth it when most rows take part. One thread, a fixed order.
#include "gcnh/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gcnh/kernels/push.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<Real>;
using Vec = hn::Vec<Tag>;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Tag()));

struct Operands {
  const Csr& a;
  const Real* values;  // null: all ones
  std::span<const Index> rows;
  const Matrix& x;
  Matrix& y;
};

template <class V>
HWY_INLINE V plus_entry(const Operands& o, Offset e, V x, V sum) {
  return o.values ? hn::MulAdd(hn::Set(hn::DFromV<V>(), o.values[e]), x, sum) : hn::Add(sum, x);
}

// Columns [c, c + B * kLanes).
template <int B>
HWY_INLINE void push_block(const Operands& o, Index c) {
  const Tag d;
  for (Index u : o.rows) {
    Vec x[B];
    for (int b = 0; b < B; ++b) x[b] = hn::LoadU(d, o.x.row(u) + c + b * kLanes);
    for (Offset e = o.a.offsets[u]; e < o.a.offsets[u + 1]; ++e) {
      Real* to = o.y.row(o.a.indices[e]) + c;
      for (int b = 0; b < B; ++b) {
        const Vec old = hn::LoadU(d, to + b * kLanes);
        hn::StoreU(plus_entry(o, e, x[b], old), d, to + b * kLanes);
      }
    }
  }
}

template <int B>
HWY_INLINE void gather_block(const Operands& o, Index c) {
  const Tag d;
  for (Index v : o.rows) {
    Vec sum[B];
    for (Vec& s : sum) s = hn::Zero(d);
    for (Offset e = o.a.offsets[v]; e < o.a.offsets[v + 1]; ++e) {
      const Real* from = o.x.row(o.a.indices[e]) + c;
      for (int b = 0; b < B; ++b) sum[b] = plus_entry(o, e, hn::LoadU(d, from + b * kLanes), sum[b]);
    }
    for (int b = 0; b < B; ++b) hn::StoreU(sum[b], d, o.y.row(v) + c + b * kLanes);
  }
}

// The last columns, fewer than a vector, with the same fused multiply-add.
void push_tail(const Operands& o, Index c) {
  const hn::CappedTag<Real, 1> one;
  for (Index u : o.rows) {
    for (Offset e = o.a.offsets[u]; e < o.a.offsets[u + 1]; ++e) {
      for (Index j = c; j < o.x.cols(); ++j) {
        Real& to = o.y(o.a.indices[e], j);
        to = hn::GetLane(plus_entry(o, e, hn::Set(one, o.x(u, j)), hn::Set(one, to)));
      }
    }
  }
}

void gather_tail(const Operands& o, Index c) {
  const hn::CappedTag<Real, 1> one;
  for (Index v : o.rows) {
    for (Index j = c; j < o.x.cols(); ++j) {
      auto sum = hn::Zero(one);
      for (Offset e = o.a.offsets[v]; e < o.a.offsets[v + 1]; ++e)
        sum = plus_entry(o, e, hn::Set(one, o.x(o.a.indices[e], j)), sum);
      o.y(v, j) = hn::GetLane(sum);
    }
  }
}

void push_all(const Csr& a, std::span<const Real> values, std::span<const Index> rows, const Matrix& x, Matrix& y) {
  const Operands o{a, values.empty() ? nullptr : values.data(), rows, x, y};
  const Index k = x.cols();
  Index c = 0;
  for (; c + 4 * kLanes <= k; c += 4 * kLanes) push_block<4>(o, c);
  if (c + 2 * kLanes <= k) push_block<2>(o, c), c += 2 * kLanes;
  if (c + kLanes <= k) push_block<1>(o, c), c += kLanes;
  if (c < k) push_tail(o, c);
}

void gather_all(const Csr& at, std::span<const Real> values, std::span<const Index> rows, const Matrix& x, Matrix& y) {
  const Operands o{at, values.empty() ? nullptr : values.data(), rows, x, y};
  const Index k = x.cols();
  Index c = 0;
  for (; c + 4 * kLanes <= k; c += 4 * kLanes) gather_block<4>(o, c);
  if (c + 2 * kLanes <= k) gather_block<2>(o, c), c += 2 * kLanes;
  if (c + kLanes <= k) gather_block<1>(o, c), c += kLanes;
  if (c < k) gather_tail(o, c);
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(push_all);
HWY_EXPORT(gather_all);

void spmm_push_add(const Csr& a, std::span<const Real> values, std::span<const Index> rows, const Matrix& x,
                   Matrix& y) {
  HWY_DYNAMIC_DISPATCH(push_all)(a, values, rows, x, y);
}

void spmm_gather_rows(const Csr& at, std::span<const Real> values, std::span<const Index> rows, const Matrix& x,
                      Matrix& y) {
  HWY_DYNAMIC_DISPATCH(gather_all)(at, values, rows, x, y);
}

}  // namespace gcnh::kernels
#endif
