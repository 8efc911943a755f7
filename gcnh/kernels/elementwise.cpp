// Maps over the elements of matrices.
#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gcnh/kernels/elementwise.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// f(tag, i) for whole vectors and then for single elements, in parallel pieces.
template <class F>
HWY_INLINE void each(std::size_t count, const F& f) {
  parallel_for(static_cast<std::int64_t>(count), 4, [&](std::int64_t begin, std::int64_t end) {
    const hn::ScalableTag<Real> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = begin;
    for (; i + lanes <= end; i += lanes) f(d, i);
    for (; i < end; ++i) f(hn::CappedTag<Real, 1>(), i);
  });
}

template <class D, class V>
HWY_INLINE V leaky(D d, V sign, V x, Real slope) {
  return hn::IfThenElse(hn::Gt(sign, hn::Zero(d)), x, hn::Mul(hn::Set(d, slope), x));
}

void add_all(const Real* x, std::size_t count, Real* y) {
  each(count, [=](auto d, std::int64_t i) { hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::LoadU(d, x + i)), d, y + i); });
}

void add_scaled_all(Real c, const Real* x, std::size_t count, Real* y) {
  each(count, [=](auto d, std::int64_t i) {
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::Mul(hn::Set(d, c), hn::LoadU(d, x + i))), d, y + i);
  });
}

void multiply_all(const Real* x, const Real* factor, std::size_t count, bool add, Real* y) {
  each(count, [=](auto d, std::int64_t i) {
    const auto product = hn::Mul(hn::LoadU(d, x + i), hn::LoadU(d, factor + i));
    hn::StoreU(add ? hn::Add(hn::LoadU(d, y + i), product) : product, d, y + i);
  });
}

void leaky_all(const Real* x, Real slope, std::size_t count, Real* y) {
  each(count, [=](auto d, std::int64_t i) {
    const auto v = hn::LoadU(d, x + i);
    hn::StoreU(leaky(d, v, v, slope), d, y + i);
  });
}

void leaky_backward_all(const Real* x, Real slope, const Real* dy, std::size_t count, Real* dx) {
  each(count, [=](auto d, std::int64_t i) {
    const auto gradient = leaky(d, hn::LoadU(d, x + i), hn::LoadU(d, dy + i), slope);
    hn::StoreU(hn::Add(hn::LoadU(d, dx + i), gradient), d, dx + i);
  });
}

void elu_all(const Real* x, std::size_t count, Real* y) {
  each(count, [=](auto d, std::int64_t i) {
    const auto v = hn::LoadU(d, x + i);
    hn::StoreU(hn::IfThenElse(hn::Gt(v, hn::Zero(d)), v, hn::Expm1(d, v)), d, y + i);
  });
}

void elu_backward_all(const Real* y, const Real* dy, std::size_t count, Real* dx) {
  each(count, [=](auto d, std::int64_t i) {
    const auto out = hn::LoadU(d, y + i), gradient = hn::LoadU(d, dy + i), one = hn::Set(d, Real{1});
    const auto slope = hn::IfThenElse(hn::Gt(out, hn::Zero(d)), one, hn::Add(out, one));
    hn::StoreU(hn::Add(hn::LoadU(d, dx + i), hn::Mul(slope, gradient)), d, dx + i);
  });
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(add_all);
HWY_EXPORT(add_scaled_all);
HWY_EXPORT(multiply_all);
HWY_EXPORT(leaky_all);
HWY_EXPORT(leaky_backward_all);
HWY_EXPORT(elu_all);
HWY_EXPORT(elu_backward_all);

void add(const Matrix& x, Matrix& y) { HWY_DYNAMIC_DISPATCH(add_all)(x.data(), x.size(), y.data()); }

void add_scaled(Real c, const Matrix& x, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(add_scaled_all)(c, x.data(), x.size(), y.data());
}

void multiply(const Matrix& x, std::span<const Real> factor, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(x.data(), factor.data(), x.size(), false, y.data());
}

void multiply_add(const Matrix& x, std::span<const Real> factor, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(x.data(), factor.data(), x.size(), true, y.data());
}

void leaky_relu(const Matrix& x, Real slope, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(leaky_all)(x.data(), slope, x.size(), y.data());
}

void leaky_relu_backward_add(const Matrix& x, Real slope, const Matrix& dy, Matrix& dx) {
  HWY_DYNAMIC_DISPATCH(leaky_backward_all)(x.data(), slope, dy.data(), x.size(), dx.data());
}

void elu(const Matrix& x, Matrix& y) { HWY_DYNAMIC_DISPATCH(elu_all)(x.data(), x.size(), y.data()); }

void elu_backward_add(const Matrix& y, const Matrix& dy, Matrix& dx) {
  HWY_DYNAMIC_DISPATCH(elu_backward_all)(y.data(), dy.data(), y.size(), dx.data());
}

}  // namespace gcnh::kernels
#endif
