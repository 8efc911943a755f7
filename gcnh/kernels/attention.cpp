// Attention over the entries of each row: scores, softmax, and shares of positive weights.
#include <limits>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/edges.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gcnh/kernels/attention.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// after highway.h, which it builds on
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Real kFloor = Real(1e-9);  // of the sum of a row's weights

// f(tag, h) for vectors of up to eight heads from h on, then for single ones.
template <class F>
HWY_INLINE void each_heads(Index heads, const F& f) {
  const hn::CappedTag<Real, 8> d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  Index h = 0;
  for (; h + lanes <= heads; h += lanes) f(d, h);
  for (; h < heads; ++h) f(hn::CappedTag<Real, 1>(), h);
}

// exp(sign x), infinite from kOverflow on: the arithmetic inside Exp would overflow long after its result
template <class D>
HWY_INLINE void exp_at(D d, const Real* x, Real sign, Real* y) {
  constexpr Real kOverflow = sizeof(Real) == 8 ? 720 : 100;
  hn::StoreU(hn::Exp(d, hn::Min(hn::Set(d, kOverflow), hn::Mul(hn::Set(d, sign), hn::LoadU(d, x)))), d, y);
}

// y = exp(sign x) for count numbers
HWY_INLINE void exp_all(const Real* x, Real sign, std::int64_t count, Real* y) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) exp_at(d, x + i, sign, y + i);
  for (; i < count; ++i) exp_at(hn::CappedTag<Real, 1>(), x + i, sign, y + i);
}

template <class D, class V>
HWY_INLINE V leaky(D d, V sign, V x, Real slope) {
  return hn::IfThenElse(hn::Gt(sign, hn::Zero(d)), x, hn::Mul(hn::Set(d, slope), x));
}

void scores(const Csr& p, const Matrix& st, Real slope, Index begin, Index end, Matrix& e) {
  const Index heads = e.cols();
  for (Index u = begin; u < end; ++u) {
    each_heads(heads, [&](auto d, Index h) {
      const auto own = hn::LoadU(d, st.row(u) + h);
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) {
        const auto sum = hn::Add(own, hn::LoadU(d, st.row(p.indices[i]) + heads + h));
        hn::StoreU(leaky(d, sum, sum, slope), d, e.row(static_cast<Index>(i)) + h);
      }
    });
  }
}

void scores_backward(const Csr& p, const Csr& pt, std::span<const Offset> source, const Matrix& e, Real slope,
                     const Matrix& de, Index begin, Index end, Matrix& dst) {
  const Index heads = e.cols();
  for (Index u = begin; u < end; ++u) {
    each_heads(heads, [&](auto d, Index h) {
      const auto gradient = [&](Offset i) {
        const auto row = static_cast<Index>(i);
        return leaky(d, hn::LoadU(d, e.row(row) + h), hn::LoadU(d, de.row(row) + h), slope);
      };
      auto centre = hn::Zero(d), neighbour = hn::Zero(d);
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) centre = hn::Add(centre, gradient(i));
      for (Offset i = pt.offsets[u]; i < pt.offsets[u + 1]; ++i) neighbour = hn::Add(neighbour, gradient(source[i]));
      Real* to = dst.row(u) + h;
      hn::StoreU(hn::Add(hn::LoadU(d, to), centre), d, to);
      hn::StoreU(hn::Add(hn::LoadU(d, to + heads), neighbour), d, to + heads);
    });
  }
}

// The largest score of a row is taken off first, so that the exponentials stay within range.
void softmax(const Csr& p, const Matrix& e, Index begin, Index end, Matrix& a) {
  const Index heads = e.cols();
  constexpr Index kCached = 64;  // rows whose values stay in the cache from pass to pass
  for (Index first = begin; first < end; first += kCached) {
    const Index last = std::min(end, first + kCached);
    for (Index u = first; u < last; ++u) {
      each_heads(heads, [&](auto d, Index h) {
        auto top = hn::Set(d, -std::numeric_limits<Real>::infinity());
        for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
          top = hn::Max(top, hn::LoadU(d, e.row(static_cast<Index>(i)) + h));
        for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
          hn::StoreU(hn::Sub(hn::LoadU(d, e.row(static_cast<Index>(i)) + h), top), d, a.row(static_cast<Index>(i)) + h);
      });
    }
    Real* values = a.row(static_cast<Index>(p.offsets[first]));
    exp_all(values, 1, (p.offsets[last] - p.offsets[first]) * heads, values);
    for (Index u = first; u < last; ++u) {
      each_heads(heads, [&](auto d, Index h) {
        auto sum = hn::Zero(d);
        for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
          sum = hn::Add(sum, hn::LoadU(d, a.row(static_cast<Index>(i)) + h));
        for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) {
          Real* to = a.row(static_cast<Index>(i)) + h;
          hn::StoreU(hn::Div(hn::LoadU(d, to), sum), d, to);
        }
      });
    }
  }
}

// sum over the row of a da
template <class D>
HWY_INLINE hn::Vec<D> row_product(D d, const Csr& p, Index u, const Matrix& a, const Matrix& da, Index h) {
  auto sum = hn::Zero(d);
  for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
    sum = hn::MulAdd(hn::LoadU(d, a.row(static_cast<Index>(i)) + h), hn::LoadU(d, da.row(static_cast<Index>(i)) + h),
                     sum);
  return sum;
}

void softmax_backward(const Csr& p, const Matrix& a, const Matrix& da, Index begin, Index end, Matrix& de) {
  for (Index u = begin; u < end; ++u) {
    each_heads(a.cols(), [&](auto d, Index h) {
      const auto mean = row_product(d, p, u, a, da, h);
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) {
        const auto row = static_cast<Index>(i);
        const auto change = hn::Sub(hn::LoadU(d, da.row(row) + h), mean);
        hn::StoreU(hn::MulAdd(hn::LoadU(d, a.row(row) + h), change, hn::LoadU(d, de.row(row) + h)), d, de.row(row) + h);
      }
    });
  }
}

void exp_negative_range(const Real* e, std::int64_t begin, std::int64_t end, Real* k) {
  exp_all(e + begin, -1, end - begin, k + begin);
}

void shares(const Csr& p, const Matrix& k, Index begin, Index end, Matrix& z, Matrix& a) {
  for (Index u = begin; u < end; ++u) {
    each_heads(k.cols(), [&](auto d, Index h) {
      auto sum = hn::Zero(d);
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
        sum = hn::Add(sum, hn::LoadU(d, k.row(static_cast<Index>(i)) + h));
      sum = hn::Max(sum, hn::Set(d, kFloor));
      hn::StoreU(sum, d, z.row(u) + h);
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
        hn::StoreU(hn::Div(hn::LoadU(d, k.row(static_cast<Index>(i)) + h), sum), d, a.row(static_cast<Index>(i)) + h);
    });
  }
}

void shares_backward(const Csr& p, const Matrix& z, const Matrix& a, const Matrix& da, Index begin, Index end,
                     Matrix& dk) {
  for (Index u = begin; u < end; ++u) {
    each_heads(a.cols(), [&](auto d, Index h) {
      const auto sum = hn::LoadU(d, z.row(u) + h);
      const auto mean = hn::IfThenElseZero(hn::Gt(sum, hn::Set(d, kFloor)), row_product(d, p, u, a, da, h));
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) {
        const auto row = static_cast<Index>(i);
        const auto change = hn::Div(hn::Sub(hn::LoadU(d, da.row(row) + h), mean), sum);
        hn::StoreU(hn::Add(hn::LoadU(d, dk.row(row) + h), change), d, dk.row(row) + h);
      }
    });
  }
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(scores);
HWY_EXPORT(scores_backward);
HWY_EXPORT(softmax);
HWY_EXPORT(softmax_backward);
HWY_EXPORT(exp_negative_range);
HWY_EXPORT(shares);
HWY_EXPORT(shares_backward);

namespace {

// body(begin, end) over the rows of the pattern, whose entries hold `cols` numbers each.
template <class Body>
void for_rows(const Csr& p, Index cols, const Body& body) {
  parallel_for(p.rows, 4 * (p.nnz() / std::max<Index>(1, p.rows) + 1) * cols,
               [&](std::int64_t begin, std::int64_t end) { body(static_cast<Index>(begin), static_cast<Index>(end)); });
}

}  // namespace

void edge_scores(const Csr& p, const Matrix& st, Real slope, Matrix& e) {
  for_rows(p, e.cols(), [&](Index begin, Index end) { HWY_DYNAMIC_DISPATCH(scores)(p, st, slope, begin, end, e); });
}

void edge_scores_backward_add(const Csr& p, const Csr& pt, std::span<const Offset> source, const Matrix& e, Real slope,
                              const Matrix& de, Matrix& dst) {
  for_rows(p, e.cols(), [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(scores_backward)(p, pt, source, e, slope, de, begin, end, dst);
  });
}

void edge_softmax(const Csr& p, const Matrix& e, Matrix& a) {
  for_rows(p, e.cols(), [&](Index begin, Index end) { HWY_DYNAMIC_DISPATCH(softmax)(p, e, begin, end, a); });
}

void edge_softmax_backward_add(const Csr& p, const Matrix& a, const Matrix& da, Matrix& de) {
  for_rows(p, a.cols(), [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(softmax_backward)(p, a, da, begin, end, de);
  });
}

void exp_negative(const Matrix& e, Matrix& k) {
  parallel_for(static_cast<std::int64_t>(e.size()), 4, [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(exp_negative_range)(e.data(), begin, end, k.data());
  });
}

void exp_negative_backward_add(const Matrix& k, const Matrix& dk, Matrix& de) {
  parallel_for(static_cast<std::int64_t>(k.size()), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) de.data()[i] -= k.data()[i] * dk.data()[i];
  });
}

void edge_shares(const Csr& p, const Matrix& k, Matrix& z, Matrix& a) {
  for_rows(p, k.cols(), [&](Index begin, Index end) { HWY_DYNAMIC_DISPATCH(shares)(p, k, begin, end, z, a); });
}

void edge_shares_backward_add(const Csr& p, const Matrix& z, const Matrix& a, const Matrix& da, Matrix& dk) {
  for_rows(p, a.cols(), [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(shares_backward)(p, z, a, da, begin, end, dk);
  });
}

}  // namespace gcnh::kernels
#endif
