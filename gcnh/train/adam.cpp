#include "gcnh/train/adam.h"

#include "gcnh/base/error.h"

namespace gcnh {

Adam::Adam(std::deque<Param>& params, double lr, double weight_decay)
    : params_(params), lr_(lr), weight_decay_(weight_decay), step_(lr, weight_decay, 1) {
  for (const Param& p : params) moments_[&p] = {Matrix(p.rows(), p.cols()), Matrix(p.rows(), p.cols())};
}

void Adam::update(Param& p) {
  if (!p.is_running) update_rows(p, 0, p.rows(), p.grad.data());
}

void Adam::update_rows(Param& p, Index begin, Index end, Real* grad) {
  Moments& moments = moments_.at(&p);
  const std::size_t count = static_cast<std::size_t>(end - begin) * static_cast<std::size_t>(p.cols());
  kernels::AdamStep step = step_;
  if (p.weight_decay) step.weight_decay = static_cast<Real>(*p.weight_decay);
  kernels::adam(step, {p.value.row(begin), count}, {grad, count}, {moments.m.row(begin), count},
                {moments.v.row(begin), count});
}

void Adam::update_all() {
  for (Param& p : params_) update(p);
}

NamedMatrices Adam::moments() const {
  NamedMatrices out;
  for (const Param& p : params_) {
    out[p.name + ".m"] = moments_.at(&p).m;
    out[p.name + ".v"] = moments_.at(&p).v;
  }
  return out;
}

void Adam::set_moments(const NamedMatrices& values, std::int64_t steps) {
  for (const Param& p : params_) {
    const auto m = values.find(p.name + ".m"), v = values.find(p.name + ".v");
    require(m != values.end() && v != values.end(), "the moments of parameter '", p.name, "' are missing");
    require(m->second.same_shape(p.value) && v->second.same_shape(p.value), "the moments of parameter '", p.name,
            "' have another shape");
    moments_[&p] = {m->second, v->second};
  }
  steps_ = steps;
}

}  // namespace gcnh
