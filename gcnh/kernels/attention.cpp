// Attention over the entries of each row: scores, softmax, and shares of positive weights.
#include <limits>

#include "gcnh/kernels/edges.h"

#define HWY_TARGET_INCLUDE "gcnh/kernels/attention.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

constexpr Real kFloor = Real(1e-9);  // of the sum of a row's weights

// f(tag, u, h) for the rows from begin to end and their heads, up to eight in a vector.
template <class F>
HWY_INLINE void each_heads(Index begin, Index end, Index heads, const F& f) {
  for (Index u = begin; u < end; ++u)
    each_vector<hn::CappedTag<Real, 8>>(Index{0}, heads, [&](auto d, Index h) { f(d, u, h); });
}

// The same for all rows of the pattern, in parallel pieces.
template <class F>
HWY_INLINE void parallel_heads(const Csr& p, Index heads, const F& f) {
  parallel_for(p.rows, 4 * p.per_row() * heads, [&](Index begin, Index end) { each_heads(begin, end, heads, F(f)); });
}

// exp(sign x), infinite from kOverflow on: the arithmetic inside Exp would overflow long after its result
template <class D>
HWY_INLINE void exp_at(D d, const Real* x, Real sign, Real* y) {
  constexpr Real kOverflow = sizeof(Real) == 8 ? 720 : 100;
  hn::StoreU(hn::Exp(d, hn::Min(hn::Set(d, kOverflow), hn::Mul(hn::Set(d, sign), hn::LoadU(d, x)))), d, y);
}

void edge_scores(const Csr& p, const Matrix& st, Real slope, Matrix& e) {
  const Index heads = e.cols();
  parallel_heads(p, heads, [&, heads, slope](auto d, Index u, Index h) {
    const auto own = hn::LoadU(d, st.row(u) + h);
    for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) {
      const auto sum = hn::Add(own, hn::LoadU(d, st.row(p.indices[i]) + heads + h));
      hn::StoreU(leaky(d, sum, sum, slope), d, e.row(static_cast<Index>(i)) + h);
    }
  });
}

void edge_scores_backward_add(const Csr& p, const Csr& pt, std::span<const Offset> source, const Matrix& e, Real slope,
                              const Matrix& de, Matrix& dst) {
  const Index heads = e.cols();
  parallel_heads(p, heads, [&, heads, slope](auto d, Index u, Index h) {
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

// The largest score of a row is taken off first, so that the exponentials stay within range.
void softmax_rows(const Csr& p, const Matrix& e, Index begin, Index end, Matrix& a) {
  const Index heads = e.cols();
  constexpr Index kCached = 64;  // rows whose values stay in the cache from pass to pass
  for (Index first = begin; first < end; first += kCached) {
    const Index last = std::min(end, first + kCached);
    each_heads(first, last, heads, [&](auto d, Index u, Index h) {
      auto top = hn::Set(d, -std::numeric_limits<Real>::infinity());
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
        top = hn::Max(top, hn::LoadU(d, e.row(static_cast<Index>(i)) + h));
      for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
        hn::StoreU(hn::Sub(hn::LoadU(d, e.row(static_cast<Index>(i)) + h), top), d, a.row(static_cast<Index>(i)) + h);
    });
    Real* values = a.row(static_cast<Index>(p.offsets[first]));
    each_vector(Offset{0}, (p.offsets[last] - p.offsets[first]) * heads,
                [=](auto d, Offset i) { exp_at(d, values + i, 1, values + i); });
    each_heads(first, last, heads, [&](auto d, Index u, Index h) {
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

void edge_softmax(const Csr& p, const Matrix& e, Matrix& a) {
  parallel_for(p.rows, 4 * p.per_row() * e.cols(), [&](Index begin, Index end) { softmax_rows(p, e, begin, end, a); });
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

void edge_softmax_backward_add(const Csr& p, const Matrix& a, const Matrix& da, Matrix& de) {
  parallel_heads(p, a.cols(), [&](auto d, Index u, Index h) {
    const auto mean = row_product(d, p, u, a, da, h);
    for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) {
      const auto row = static_cast<Index>(i);
      const auto change = hn::Sub(hn::LoadU(d, da.row(row) + h), mean);
      hn::StoreU(hn::MulAdd(hn::LoadU(d, a.row(row) + h), change, hn::LoadU(d, de.row(row) + h)), d, de.row(row) + h);
    }
  });
}

void exp_negative(const Matrix& e, Matrix& k) {
  parallel_vectors(e.size(), 4, [x = e.data(), y = k.data()](auto d, std::size_t i) { exp_at(d, x + i, -1, y + i); });
}

void edge_shares(const Csr& p, const Matrix& k, Matrix& z, Matrix& a) {
  parallel_heads(p, k.cols(), [&](auto d, Index u, Index h) {
    auto sum = hn::Zero(d);
    for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
      sum = hn::Add(sum, hn::LoadU(d, k.row(static_cast<Index>(i)) + h));
    sum = hn::Max(sum, hn::Set(d, kFloor));
    hn::StoreU(sum, d, z.row(u) + h);
    for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i)
      hn::StoreU(hn::Div(hn::LoadU(d, k.row(static_cast<Index>(i)) + h), sum), d, a.row(static_cast<Index>(i)) + h);
  });
}

void edge_shares_backward_add(const Csr& p, const Matrix& z, const Matrix& a, const Matrix& da, Matrix& dk) {
  parallel_heads(p, a.cols(), [&](auto d, Index u, Index h) {
    const auto sum = hn::LoadU(d, z.row(u) + h);
    const auto mean = hn::IfThenElseZero(hn::Gt(sum, hn::Set(d, kFloor)), row_product(d, p, u, a, da, h));
    for (Offset i = p.offsets[u]; i < p.offsets[u + 1]; ++i) {
      const auto row = static_cast<Index>(i);
      const auto change = hn::Div(hn::Sub(hn::LoadU(d, da.row(row) + h), mean), sum);
      hn::StoreU(hn::Add(hn::LoadU(d, dk.row(row) + h), change), d, dk.row(row) + h);
    }
  });
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(edge_scores);
HWY_EXPORT(edge_scores_backward_add);
HWY_EXPORT(edge_softmax);
HWY_EXPORT(edge_softmax_backward_add);
HWY_EXPORT(exp_negative);
HWY_EXPORT(edge_shares);
HWY_EXPORT(edge_shares_backward_add);

void edge_scores(const Csr& p, const Matrix& st, Real slope, Matrix& e) {
  HWY_DYNAMIC_DISPATCH(edge_scores)(p, st, slope, e);
}

void edge_scores_backward_add(const Csr& p, const Csr& pt, std::span<const Offset> source, const Matrix& e, Real slope,
                              const Matrix& de, Matrix& dst) {
  HWY_DYNAMIC_DISPATCH(edge_scores_backward_add)(p, pt, source, e, slope, de, dst);
}

void edge_softmax(const Csr& p, const Matrix& e, Matrix& a) { HWY_DYNAMIC_DISPATCH(edge_softmax)(p, e, a); }

void edge_softmax_backward_add(const Csr& p, const Matrix& a, const Matrix& da, Matrix& de) {
  HWY_DYNAMIC_DISPATCH(edge_softmax_backward_add)(p, a, da, de);
}

void exp_negative(const Matrix& e, Matrix& k) { HWY_DYNAMIC_DISPATCH(exp_negative)(e, k); }

void exp_negative_backward_add(const Matrix& k, const Matrix& dk, Matrix& de) {
  parallel_each(k.size(), 4, [&](std::size_t i) { de.data()[i] -= k.data()[i] * dk.data()[i]; });
}

void edge_shares(const Csr& p, const Matrix& k, Matrix& z, Matrix& a) { HWY_DYNAMIC_DISPATCH(edge_shares)(p, k, z, a); }

void edge_shares_backward_add(const Csr& p, const Matrix& z, const Matrix& a, const Matrix& da, Matrix& dk) {
  HWY_DYNAMIC_DISPATCH(edge_shares_backward_add)(p, z, a, da, dk);
}

}  // namespace gcnh::kernels
#endif
