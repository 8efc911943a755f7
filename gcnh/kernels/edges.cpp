// Products over the entries of a pattern with learned values, all heads on the way through a row.
#include "gcnh/kernels/edges.h"

#define HWY_TARGET_INCLUDE "gcnh/kernels/edges.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

struct Product {
  const Csr& p;
  const Matrix& a;
  const Matrix& x;
  Matrix& y;
  bool add;

  Index head_width() const { return x.cols() / a.cols(); }
};

// B vectors of columns from c on, each within one head, of the rows [begin, end).
template <class D, int B>
HWY_INLINE void block(const Product& o, Index c, Index begin, Index end) {
  const D d;
  constexpr Index kStep = static_cast<Index>(hn::MaxLanes(d));
  Index head[B];
  for (int b = 0; b < B; ++b) head[b] = (c + b * kStep) / o.head_width();
  for (Index u = begin; u < end; ++u) {
    hn::Vec<D> acc[B];
    for (auto& sum : acc) sum = hn::Zero(d);
    for (Offset e = o.p.offsets[u]; e < o.p.offsets[u + 1]; ++e) {
      const Real* weight = o.a.row(static_cast<Index>(e));
      const Real* from = o.x.row(o.p.indices[e]) + c;
      for (int b = 0; b < B; ++b)
        acc[b] = hn::MulAdd(hn::Set(d, weight[head[b]]), hn::LoadU(d, from + b * kStep), acc[b]);
    }
    Real* to = o.y.row(u) + c;
    for (int b = 0; b < B; ++b, to += kStep) hn::StoreU(o.add ? hn::Add(hn::LoadU(d, to), acc[b]) : acc[b], d, to);
  }
}

// With the longest vector that divides a head's width.
template <int kStep>
HWY_INLINE void product_rows(const Product& o, Index begin, Index end) {
  if constexpr (kStep > 1) {
    if (o.head_width() % kStep != 0) return product_rows<kStep / 2>(o, begin, end);
  }
  using D = hn::CappedTag<Real, kStep>;
  constexpr int kBlock = 8;
  Index c = 0;
  for (; c + kBlock * kStep <= o.x.cols(); c += kBlock * kStep) block<D, kBlock>(o, c, begin, end);
  for (; c < o.x.cols(); c += kStep) block<D, 1>(o, c, begin, end);
}

void heads_spmm(const Csr& p, const Matrix& a, const Matrix& x, bool add, Matrix& y) {
  parallel_for(p.rows, p.per_row() * x.cols(), [&](Index begin, Index end) {
    product_rows<kLanes>({p, a, x, y, add}, begin, end);
  });
}

void dots_rows(const Csr& p, const Matrix& x, const Matrix& y, bool add, Index begin, Index end, Matrix& d) {
  const SumTag wide;
  const One one;
  const Index heads = d.cols(), width = x.cols() / heads, lanes = static_cast<Index>(hn::Lanes(wide));
  for (Index u = begin; u < end; ++u) {
    for (Offset e = p.offsets[u]; e < p.offsets[u + 1]; ++e) {
      const Real *left = x.row(u), *right = y.row(p.indices[e]);
      Real* to = d.row(static_cast<Index>(e));
      for (Index h = 0; h < heads; ++h, left += width, right += width) {
        auto sum = hn::Zero(wide);
        Index j = 0;
        for (; j + lanes <= width; j += lanes)
          sum = hn::MulAdd(hn::LoadU(wide, left + j), hn::LoadU(wide, right + j), sum);
        auto rest = hn::Set(one, j > 0 ? hn::GetLane(hn::SumOfLanes(wide, sum)) : Real{0});
        for (; j < width; ++j) rest = hn::MulAdd(hn::Set(one, left[j]), hn::Set(one, right[j]), rest);
        to[h] = add ? to[h] + hn::GetLane(rest) : hn::GetLane(rest);
      }
    }
  }
}

void dots(const Csr& p, const Matrix& x, const Matrix& y, bool add, Matrix& d) {
  parallel_for(p.rows, p.per_row() * x.cols(), [&](Index begin, Index end) { dots_rows(p, x, y, add, begin, end, d); });
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(heads_spmm);
HWY_EXPORT(dots);

void edge_spmm(const Csr& p, const Matrix& a, const Matrix& x, Matrix& y) {
  a.cols() == 1 ? spmm(p, a.values(), x, y) : HWY_DYNAMIC_DISPATCH(heads_spmm)(p, a, x, false, y);
}

void edge_spmm_add(const Csr& p, const Matrix& a, const Matrix& x, Matrix& y) {
  a.cols() == 1 ? spmm_add(p, a.values(), x, y) : HWY_DYNAMIC_DISPATCH(heads_spmm)(p, a, x, true, y);
}

void edge_dots(const Csr& p, const Matrix& x, const Matrix& y, Matrix& d) {
  HWY_DYNAMIC_DISPATCH(dots)(p, x, y, false, d);
}

void edge_dots_add(const Csr& p, const Matrix& x, const Matrix& y, Matrix& d) {
  HWY_DYNAMIC_DISPATCH(dots)(p, x, y, true, d);
}

void take_edges(const Matrix& a, std::span<const Offset> source, Matrix& b) {
  const Index heads = a.cols();
  parallel_each(static_cast<Index>(source.size()), heads, [&, heads](Index e) {
    const Real* from = a.row(static_cast<Index>(source[e]));
    Real* to = b.row(e);
    for (Index h = 0; h < heads; ++h) to[h] = from[h];
  });
}

}  // namespace gcnh::kernels
#endif
