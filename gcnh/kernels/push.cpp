// The transposed sparse product over some rows, in two ways that make the same additions in the same order. By pushing,
// each listed row is held in registers and added to the rows its entries name: worth it when few rows are listed, so
// that no pass over all columns is needed. By gathering, each result stays in registers while its row of the transpose
// is added up, one entry after the other: worth it when most rows take part. One thread, a fixed order.
#define HWY_TARGET_INCLUDE "gcnh/kernels/push.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

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

// B vectors of columns from c on.
template <class D, int B>
HWY_INLINE void push_block(const Operands& o, Index c) {
  const D d;
  constexpr Index kStep = static_cast<Index>(hn::MaxLanes(d));
  for (Index u : o.rows) {
    hn::Vec<D> x[B];
    for (int b = 0; b < B; ++b) x[b] = hn::LoadU(d, o.x.row(u) + c + b * kStep);
    for (Offset e = o.a.offsets[u]; e < o.a.offsets[u + 1]; ++e) {
      Real* to = o.y.row(o.a.indices[e]) + c;
      for (int b = 0; b < B; ++b) {
        const auto old = hn::LoadU(d, to + b * kStep);
        hn::StoreU(plus_entry(o, e, x[b], old), d, to + b * kStep);
      }
    }
  }
}

template <class D, int B>
HWY_INLINE void gather_block(const Operands& o, Index c) {
  const D d;
  constexpr Index kStep = static_cast<Index>(hn::MaxLanes(d));
  for (Index v : o.rows) {
    hn::Vec<D> sum[B];
    for (auto& s : sum) s = hn::Zero(d);
    for (Offset e = o.a.offsets[v]; e < o.a.offsets[v + 1]; ++e) {
      const Real* from = o.x.row(o.a.indices[e]) + c;
      for (int b = 0; b < B; ++b) sum[b] = plus_entry(o, e, hn::LoadU(d, from + b * kStep), sum[b]);
    }
    for (int b = 0; b < B; ++b) hn::StoreU(sum[b], d, o.y.row(v) + c + b * kStep);
  }
}

template <bool kPush, class D, int B>
HWY_INLINE void block(const Operands& o, Index c) {
  kPush ? push_block<D, B>(o, c) : gather_block<D, B>(o, c);
}

template <bool kPush>
void all_columns(const Csr& a, std::span<const Real> values, std::span<const Index> rows, const Matrix& x, Matrix& y) {
  const Operands o{a, values.empty() ? nullptr : values.data(), rows, x, y};
  const Index k = x.cols();
  Index c = 0;
  for (; c + 4 * kLanes <= k; c += 4 * kLanes) block<kPush, Tag, 4>(o, c);
  if (c + 2 * kLanes <= k) block<kPush, Tag, 2>(o, c), c += 2 * kLanes;
  if (c + kLanes <= k) block<kPush, Tag, 1>(o, c), c += kLanes;
  for (; c < k; ++c) block<kPush, One, 1>(o, c);  // fewer than a vector, with the same fused multiply-add
}

void push_all(const Csr& a, std::span<const Real> values, std::span<const Index> rows, const Matrix& x, Matrix& y) {
  all_columns<true>(a, values, rows, x, y);
}

void gather_all(const Csr& at, std::span<const Real> values, std::span<const Index> rows, const Matrix& x, Matrix& y) {
  all_columns<false>(at, values, rows, x, y);
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
