// Adam:  g += wd w;  m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;  w -= step_size m / (sqrt(v) root_factor + eps)
//   PyTorch's form: step_size = lr / (1 - b1^t), root_factor = 1 / sqrt(1 - b2^t), eps = 1e-8
//   Keras's form:   step_size = lr sqrt(1 - b2^t) / (1 - b1^t), root_factor = 1, eps = 1e-7
// Kingma and Ba, ICLR 2015, arXiv:1412.6980; they differ in whether eps is compared with the corrected root.
#include <cmath>

#define HWY_TARGET_INCLUDE "gcnh/kernels/adam.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

void adam(const AdamStep& s, std::span<Real> w, std::span<Real> grad, std::span<Real> m, std::span<Real> v) {
  parallel_vectors(w.size(), 8, [=](auto d, std::size_t i) HWY_ATTR {
    const auto weight = hn::LoadU(d, &w[i]);
    const auto g = hn::Add(hn::LoadU(d, &grad[i]), hn::Mul(hn::Set(d, s.weight_decay), weight));
    const auto m1 = hn::Add(hn::Mul(hn::Set(d, Real(0.9)), hn::LoadU(d, &m[i])), hn::Mul(hn::Set(d, Real(1 - 0.9)), g));
    const auto v1 = hn::Add(hn::Mul(hn::Set(d, Real(0.999)), hn::LoadU(d, &v[i])),
                            hn::Mul(hn::Set(d, Real(1 - 0.999)), hn::Mul(g, g)));
    const auto root = hn::Add(hn::Mul(hn::Sqrt(v1), hn::Set(d, s.root_factor)), hn::Set(d, s.epsilon));
    hn::StoreU(hn::Sub(weight, hn::Mul(hn::Set(d, s.step_size), hn::Div(m1, root))), d, &w[i]);
    hn::StoreU(m1, d, &m[i]);
    hn::StoreU(v1, d, &v[i]);
    hn::StoreU(hn::Zero(d), d, &grad[i]);
  });
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(adam);

AdamStep::AdamStep(double lr, double weight_decay_, std::int64_t step, AdamForm form)
    : weight_decay(static_cast<Real>(weight_decay_)) {
  const double t = static_cast<double>(step), corrected = lr / (1 - std::pow(0.9, t)),
               root = std::sqrt(1 - std::pow(0.999, t));
  const bool torch = form == AdamForm::torch;
  step_size = static_cast<Real>(torch ? corrected : corrected * root);
  root_factor = static_cast<Real>(torch ? 1 / root : 1);
  epsilon = static_cast<Real>(torch ? 1e-8 : 1e-7);
}

void adam(const AdamStep& s, std::span<Real> w, std::span<Real> grad, std::span<Real> m, std::span<Real> v) {
  HWY_DYNAMIC_DISPATCH(adam)(s, w, grad, m, v);
}

}  // namespace gcnh::kernels
#endif
