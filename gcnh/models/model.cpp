#include "gcnh/models/model.h"

#include <cmath>

namespace gcnh {

std::size_t Model::num_parameters() const {
  std::size_t count = 0;
  for (const Param& p : params_) count += p.value.size();
  return count;
}

Param* Model::add_param(const std::string& name, Index rows, Index cols, double bound, const Rng& rng) {
  const Rng stream = rng.fork(params_.size());
  Param& p = params_.emplace_back(name, rows, cols);
  for (std::size_t i = 0; i < p.value.size(); ++i)
    p.value.values()[i] = static_cast<Real>(bound * (2 * stream.uniform(i) - 1));
  return &p;
}

Param* Model::add_normal_param(const std::string& name, Index rows, Index cols, double deviation, const Rng& rng) {
  const Rng stream = rng.fork(params_.size());
  Param& p = params_.emplace_back(name, rows, cols);
  for (std::size_t i = 0; i < p.value.size(); ++i)
    p.value.values()[i] = static_cast<Real>(deviation * stream.normal(i));
  return &p;
}

Linear Model::add_linear(const std::string& name, Index in, Index out, Index fan, const Rng& rng) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan));
  Param* weight = add_param(name + ".weight", in, out, bound, rng);
  return {weight, add_param(name + ".bias", 1, out, bound, rng)};
}

}  // namespace gcnh
