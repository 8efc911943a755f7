// Edge weights with the sign of the cosine between their two ends.
#include <array>
#include <cmath>

#include "gcnh/kernels/edges.h"

#define HWY_TARGET_INCLUDE "gcnh/kernels/signed_edges.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

struct Operands {
  Operands(const Csr& pattern, std::span<const Real> ratio, const Matrix& cosine, const SignedWeights& s)
      : r(ratio.data()),
        c(cosine.data()),
        p(pattern.values.data()),
        slope(static_cast<Real>(s.slope)),
        shift(static_cast<Real>(s.shift)),
        positive(static_cast<Real>(s.positive)),
        negative(static_cast<Real>(s.negative)) {}
  const Real *r, *c, *p;
  Real slope, shift, positive, negative;
};

// log(1 + e^x), x itself above 20
template <class D, class V>
HWY_INLINE V softplus(D d, V x) {
  const V small = hn::Log1p(d, hn::Exp(d, hn::Neg(hn::Abs(x))));
  return hn::IfThenElse(hn::Gt(x, hn::Set(d, Real{20})), x, hn::Add(hn::Max(x, hn::Zero(d)), small));
}

template <class D>
HWY_INLINE hn::Vec<D> factor(D d, const Operands& o, hn::Vec<D> c) {
  const auto zero = hn::Zero(d);
  const auto below = hn::IfThenElseZero(hn::Lt(c, zero), hn::Set(d, o.negative));
  return hn::IfThenElse(hn::Gt(c, zero), hn::Set(d, o.positive), below);
}

void weights(const Csr& p, std::span<const Real> r, const Matrix& cosine, const SignedWeights& s, Real* tau, Real* w) {
  parallel_vectors<SumTag>(p.indices.size(), 32, [o = Operands(p, r, cosine, s), tau, w](auto d, std::size_t i) {
    const auto c = hn::LoadU(d, o.c + i);
    const auto t = softplus(d, hn::MulAdd(hn::Set(d, o.slope), hn::LoadU(d, o.r + i), hn::Set(d, o.shift)));
    hn::StoreU(t, d, tau + i);
    hn::StoreU(hn::Mul(factor(d, o, c), hn::Mul(c, hn::Mul(hn::LoadU(d, o.p + i), t))), d, w + i);
  });
}

// With b = p tau:  dc += factor b dw,  dpositive or dnegative += c b dw,  dtau = factor c p dw,  tau' = 1 - e^-tau
// Four sums: the gradients of slope, shift, positive and negative.
template <class D>
HWY_INLINE void gradients_of(D d, const Operands& o, std::int64_t i, const Real* tau, const Real* dw, Real* dc,
                             hn::Vec<D>* sums) {
  const auto c = hn::LoadU(d, o.c + i), t = hn::LoadU(d, tau + i), r = hn::LoadU(d, o.r + i), zero = hn::Zero(d);
  const auto k = factor(d, o, c), dwp = hn::Mul(hn::LoadU(d, dw + i), hn::LoadU(d, o.p + i));
  if (dc) hn::StoreU(hn::Add(hn::LoadU(d, dc + i), hn::Mul(k, hn::Mul(dwp, t))), d, dc + i);
  const auto dk = hn::Mul(c, hn::Mul(dwp, t));
  const auto dz = hn::Mul(hn::Mul(k, hn::Mul(c, dwp)), hn::Neg(hn::Expm1(d, hn::Neg(t))));
  sums[0] = hn::MulAdd(dz, r, sums[0]);
  sums[1] = hn::Add(sums[1], dz);
  sums[2] = hn::Add(sums[2], hn::IfThenElseZero(hn::Gt(c, zero), dk));
  sums[3] = hn::Add(sums[3], hn::IfThenElseZero(hn::Lt(c, zero), dk));
}

void gradients(const Csr& p, std::span<const Real> r, const Matrix& c, const SignedWeights& s, std::int64_t begin,
               std::int64_t end, const Real* tau, const Real* dw, Real* dc, std::array<double, 4>& total) {
  const Operands o(p, r, c, s);
  const SumTag d;
  const One one;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<SumTag> wide[4];
  hn::Vec<One> rest[4];
  for (auto& sum : wide) sum = hn::Zero(d);
  for (auto& sum : rest) sum = hn::Zero(one);
  std::int64_t i = begin;
  for (; i + lanes <= end; i += lanes) gradients_of(d, o, i, tau, dw, dc, wide);
  for (; i < end; ++i) gradients_of(one, o, i, tau, dw, dc, rest);
  for (int n = 0; n < 4; ++n)
    total[n] = static_cast<double>(hn::GetLane(hn::SumOfLanes(d, wide[n])) + hn::GetLane(rest[n]));
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(weights);
HWY_EXPORT(gradients);

namespace {

constexpr Real kFloor = Real(1e-9);  // of a product of two lengths

Real dot(const Real* x, const Real* y, Index k) {
  Real sum = 0;
  for (Index j = 0; j < k; ++j) sum += x[j] * y[j];
  return sum;
}

// f(u, e) for all entries, in parallel pieces of rows
template <class F>
void each_edge(const Csr& p, const F& f) {
  parallel_each(p.rows, 4 * p.per_row(), [&](Index u) {
    for (Offset e = p.offsets[u]; e < p.offsets[u + 1]; ++e) f(u, e);
  });
}

// f(e) for the entries on the diagonal
template <class F>
void each_loop(const Csr& p, const F& f) {
  for (Index u = 0; u < p.rows; ++u) {
    const auto row = p.row(u);
    const auto found = std::lower_bound(row.begin(), row.end(), u);
    if (found != row.end() && *found == u) f(p.offsets[u] + (found - row.begin()));
  }
}

}  // namespace

void edge_cosines(const Csr& p, const Matrix& x, Matrix& norm, Matrix& c) {
  const Index k = x.cols();
  parallel_each(x.rows(), 2 * k, [&](Index u) { norm(u, 0) = std::sqrt(dot(x.row(u), x.row(u), k)); });
  edge_dots(p, x, x, c);
  each_edge(p, [&](Index u, Offset e) { c.data()[e] /= std::max(norm.data()[u] * norm.data()[p.indices[e]], kFloor); });
}

void edge_cosine_weights(const Csr& p, const Matrix& norm, const Matrix& dc, Matrix& w) {
  each_edge(p, [&](Index u, Offset e) {
    const Real length = norm.data()[u] * norm.data()[p.indices[e]];
    w.data()[e] = length > kFloor ? dc.data()[e] / length : Real{0};
  });
}

void turning_part_add(const Matrix& x, const Matrix& norm, const Matrix& g, Matrix& dx) {
  const Index k = x.cols();
  parallel_each(x.rows(), 4 * k, [&](Index u) {
    const Real square = norm(u, 0) * norm(u, 0);
    const Real along = square > 0 ? dot(x.row(u), g.row(u), k) / square : Real{0};
    for (Index j = 0; j < k; ++j) dx(u, j) += g(u, j) - along * x(u, j);
  });
}

void signed_weights(const Csr& p, std::span<const Real> r, const Matrix& c, const SignedWeights& s, Matrix& tau,
                    Matrix& w) {
  HWY_DYNAMIC_DISPATCH(weights)(p, r, c, s, tau.data(), w.data());
  each_loop(p, [&](Offset e) { w.data()[e] += static_cast<Real>(s.self); });
}

// Sums over parts of a fixed size, added up in order.
SignedWeights signed_weights_backward_add(const Csr& p, std::span<const Real> r, const Matrix& c,
                                          const SignedWeights& s, const Matrix& tau, const Matrix& dw, Matrix& dc) {
  constexpr std::int64_t kPart = 8192;
  std::vector<std::array<double, 4>> parts((p.nnz() + kPart - 1) / kPart);
  parallel_each(std::ssize(parts), 32 * kPart, [&](std::int64_t i) {
    HWY_DYNAMIC_DISPATCH(gradients)
    (p, r, c, s, i * kPart, std::min<std::int64_t>(p.nnz(), (i + 1) * kPart), tau.data(), dw.data(),
     dc.empty() ? nullptr : dc.data(), parts[i]);
  });
  SignedWeights total;
  for (const auto& part : parts) {
    total.slope += part[0];
    total.shift += part[1];
    total.positive += part[2];
    total.negative += part[3];
  }
  each_loop(p, [&](Offset e) { total.self += static_cast<double>(dw.data()[e]); });
  return total;
}

double softplus(double x) { return x > 20 ? x : std::log1p(std::exp(x)); }

}  // namespace gcnh::kernels
#endif
