// The transposed sparse product by pushing: each listed row is held in registers and added to the rows its entries
// name. Worth it when few rows are listed, so that neither a transpose nor a pass over all columns is needed. One
// thread, a fixed order.
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

// Columns [c, c + B * kLanes).
template <int B>
HWY_INLINE void block(const Operands& o, Index c) {
  const Tag d;
  for (Index u : o.rows) {
    Vec x[B];
    for (int b = 0; b < B; ++b) x[b] = hn::LoadU(d, o.x.row(u) + c + b * kLanes);
    for (Offset e = o.a.offsets[u]; e < o.a.offsets[u + 1]; ++e) {
      Real* to = o.y.row(o.a.indices[e]) + c;
      for (int b = 0; b < B; ++b) {
        const Vec old = hn::LoadU(d, to + b * kLanes);
        const Vec sum = o.values ? hn::MulAdd(hn::Set(d, o.values[e]), x[b], old) : hn::Add(old, x[b]);
        hn::StoreU(sum, d, to + b * kLanes);
      }
    }
  }
}

// The last columns, fewer than a vector, with the same fused multiply-add.
void tail(const Operands& o, Index c) {
  const hn::CappedTag<Real, 1> one;
  for (Index u : o.rows) {
    for (Offset e = o.a.offsets[u]; e < o.a.offsets[u + 1]; ++e) {
      for (Index j = c; j < o.x.cols(); ++j) {
        Real& to = o.y(o.a.indices[e], j);
        to = o.values ? hn::GetLane(hn::MulAdd(hn::Set(one, o.values[e]), hn::Set(one, o.x(u, j)), hn::Set(one, to)))
                      : to + o.x(u, j);
      }
    }
  }
}

void push_all(const Csr& a, std::span<const Real> values, std::span<const Index> rows, const Matrix& x, Matrix& y) {
  const Operands o{a, values.empty() ? nullptr : values.data(), rows, x, y};
  const Index k = x.cols();
  Index c = 0;
  for (; c + 4 * kLanes <= k; c += 4 * kLanes) block<4>(o, c);
  if (c + 2 * kLanes <= k) block<2>(o, c), c += 2 * kLanes;
  if (c + kLanes <= k) block<1>(o, c), c += kLanes;
  if (c < k) tail(o, c);
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(push_all);

void spmm_push_add(const Csr& a, std::span<const Real> values, std::span<const Index> rows, const Matrix& x,
                   Matrix& y) {
  HWY_DYNAMIC_DISPATCH(push_all)(a, values, rows, x, y);
}

}  // namespace gcnh::kernels
#endif
