// Products over the entries of a pattern with learned values, all heads on the way through a row.
#include "gcnh/kernels/edges.h"

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gcnh/kernels/edges.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

void head_spmm(const Csr& p, const Matrix& a, const Matrix& x, bool add, Index begin, Index end, Matrix& y) {
  product_rows<static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>()))>({p, a, x, y, add}, begin, end);
}

// Vectors of 32 bytes whatever the instruction set offers: the order of additions, and so the bits, stay the same.
void dots(const Csr& p, const Matrix& x, const Matrix& y, bool add, Index begin, Index end, Matrix& d) {
  const hn::CappedTag<Real, 32 / sizeof(Real)> wide;
  const hn::CappedTag<Real, 1> one;
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

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(head_spmm);
HWY_EXPORT(dots);

namespace {

std::int64_t row_cost(const Csr& p, Index cols) { return (p.nnz() / std::max<Index>(1, p.rows) + 1) * cols; }

void heads_spmm(const Csr& p, const Matrix& a, const Matrix& x, bool add, Matrix& y) {
  parallel_for(p.rows, row_cost(p, x.cols()), [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(head_spmm)(p, a, x, add, static_cast<Index>(begin), static_cast<Index>(end), y);
  });
}

void all_dots(const Csr& p, const Matrix& x, const Matrix& y, bool add, Matrix& d) {
  parallel_for(p.rows, row_cost(p, x.cols()), [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(dots)(p, x, y, add, static_cast<Index>(begin), static_cast<Index>(end), d);
  });
}

}  // namespace

void edge_spmm(const Csr& p, const Matrix& a, const Matrix& x, Matrix& y) {
  a.cols() == 1 ? spmm(p, a.values(), x, y) : heads_spmm(p, a, x, false, y);
}

void edge_spmm_add(const Csr& p, const Matrix& a, const Matrix& x, Matrix& y) {
  a.cols() == 1 ? spmm_add(p, a.values(), x, y) : heads_spmm(p, a, x, true, y);
}

void edge_dots(const Csr& p, const Matrix& x, const Matrix& y, Matrix& d) { all_dots(p, x, y, false, d); }

void edge_dots_add(const Csr& p, const Matrix& x, const Matrix& y, Matrix& d) { all_dots(p, x, y, true, d); }

void take_edges(const Matrix& a, std::span<const Offset> source, Matrix& b) {
  const Index heads = a.cols();
  parallel_for(static_cast<std::int64_t>(source.size()), heads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t e = begin; e < end; ++e) {
      const Real* from = a.row(static_cast<Index>(source[e]));
      Real* to = b.row(static_cast<Index>(e));
      for (Index h = 0; h < heads; ++h) to[h] = from[h];
    }
  });
}

}  // namespace gcnh::kernels
#endif
