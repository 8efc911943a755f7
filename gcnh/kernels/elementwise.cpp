// Maps over the elements of matrices.
#define HWY_TARGET_INCLUDE "gcnh/kernels/elementwise.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

void add(const Matrix& from, Matrix& to) {
  parallel_vectors(from.size(), 4, [x = from.data(), y = to.data()](auto d, std::size_t i) {
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::LoadU(d, x + i)), d, y + i);
  });
}

void add_scaled(Real c, const Matrix& from, Matrix& to) {
  parallel_vectors(from.size(), 4, [c, x = from.data(), y = to.data()](auto d, std::size_t i) {
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::Mul(hn::Set(d, c), hn::LoadU(d, x + i))), d, y + i);
  });
}

void multiply_all(const Matrix& from, std::span<const Real> factor, bool add, Matrix& to) {
  parallel_vectors(from.size(), 4, [x = from.data(), factor, add, y = to.data()](auto d, std::size_t i) {
    const auto product = hn::Mul(hn::LoadU(d, x + i), hn::LoadU(d, factor.data() + i));
    hn::StoreU(add ? hn::Add(hn::LoadU(d, y + i), product) : product, d, y + i);
  });
}

void leaky_relu(const Matrix& from, Real slope, Matrix& to) {
  parallel_vectors(from.size(), 4, [x = from.data(), slope, y = to.data()](auto d, std::size_t i) {
    const auto v = hn::LoadU(d, x + i);
    hn::StoreU(leaky(d, v, v, slope), d, y + i);
  });
}

void leaky_relu_backward_add(const Matrix& from, Real slope, const Matrix& dto, Matrix& dfrom) {
  parallel_vectors(from.size(), 4, [x = from.data(), slope, dy = dto.data(), dx = dfrom.data()](auto d, std::size_t i) {
    const auto gradient = leaky(d, hn::LoadU(d, x + i), hn::LoadU(d, dy + i), slope);
    hn::StoreU(hn::Add(hn::LoadU(d, dx + i), gradient), d, dx + i);
  });
}

void gate(const Matrix& from, Real slope, Matrix& to) {
  parallel_vectors(from.size(), 4, [x = from.data(), slope, y = to.data()](auto d, std::size_t i) {
    hn::StoreU(leaky(d, hn::LoadU(d, x + i), hn::LoadU(d, y + i), slope), d, y + i);
  });
}

void elu(const Matrix& from, Matrix& to) {
  parallel_vectors(from.size(), 4, [x = from.data(), y = to.data()](auto d, std::size_t i) {
    const auto v = hn::LoadU(d, x + i);
    hn::StoreU(hn::IfThenElse(hn::Gt(v, hn::Zero(d)), v, hn::Expm1(d, v)), d, y + i);
  });
}

void elu_backward_add(const Matrix& to, const Matrix& dto, Matrix& dfrom) {
  parallel_vectors(to.size(), 4, [y = to.data(), dy = dto.data(), dx = dfrom.data()](auto d, std::size_t i) {
    const auto out = hn::LoadU(d, y + i), gradient = hn::LoadU(d, dy + i), one = hn::Set(d, Real{1});
    const auto slope = hn::IfThenElse(hn::Gt(out, hn::Zero(d)), one, hn::Add(out, one));
    hn::StoreU(hn::Add(hn::LoadU(d, dx + i), hn::Mul(slope, gradient)), d, dx + i);
  });
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(add);
HWY_EXPORT(add_scaled);
HWY_EXPORT(multiply_all);
HWY_EXPORT(leaky_relu);
HWY_EXPORT(leaky_relu_backward_add);
HWY_EXPORT(gate);
HWY_EXPORT(elu);
HWY_EXPORT(elu_backward_add);

void add(const Matrix& x, Matrix& y) { HWY_DYNAMIC_DISPATCH(add)(x, y); }

void add_scaled(Real c, const Matrix& x, Matrix& y) { HWY_DYNAMIC_DISPATCH(add_scaled)(c, x, y); }

void multiply(const Matrix& x, std::span<const Real> factor, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(x, factor, false, y);
}

void multiply_add(const Matrix& x, std::span<const Real> factor, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(x, factor, true, y);
}

void leaky_relu(const Matrix& x, Real slope, Matrix& y) { HWY_DYNAMIC_DISPATCH(leaky_relu)(x, slope, y); }

void leaky_relu_backward_add(const Matrix& x, Real slope, const Matrix& dy, Matrix& dx) {
  HWY_DYNAMIC_DISPATCH(leaky_relu_backward_add)(x, slope, dy, dx);
}

void gate(const Matrix& x, Real slope, Matrix& y) { HWY_DYNAMIC_DISPATCH(gate)(x, slope, y); }

void elu(const Matrix& x, Matrix& y) { HWY_DYNAMIC_DISPATCH(elu)(x, y); }

void elu_backward_add(const Matrix& y, const Matrix& dy, Matrix& dx) {
  HWY_DYNAMIC_DISPATCH(elu_backward_add)(y, dy, dx);
}

}  // namespace gcnh::kernels
#endif
