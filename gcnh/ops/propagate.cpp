// Repeated and symmetrically normalised propagation.
#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"

namespace gcnh {
namespace {

// visit(k, A^k x) for k = 0 .. steps; two matrices are all it takes.
template <class Visit>
void for_each_power(const Csr& a, const Matrix& x, Index steps, Matrix& power, Matrix& next, const Visit& visit) {
  visit(0, x);
  const Matrix* last = &x;
  for (Index k = 1; k <= steps; ++k) {
    kernels::spmm(a, a.values, *last, next);
    std::swap(power, next);
    last = &power;
    visit(k, power);
  }
}

}  // namespace

// y = sum_k gamma_k P^k x;   dx += sum_k gamma_k P'^k dy,  dgamma_k += <P^k x, dy> = <x, P'^k dy>
// The powers of P' applied to dy serve both gradients, so that those of the forward pass need not be kept.
Var power_sum(Tape& t, const Propagator& p, Var gamma, Var x) {
  require(p.rows() == x->rows() && p.cols() == x->rows(), "power_sum: operator is ", p.rows(), " x ", p.cols(),
          ", input has ", x->rows(), " rows");
  const Index steps = gamma->cols() - 1;
  Var y = t.node(x->rows(), x->cols(), {gamma, x});
  Matrix &power = t.scratch(x->rows(), x->cols()), &next = t.scratch(x->rows(), x->cols());
  y->value.fill(0);
  for_each_power(p.forward(), x->value, steps, power, next,
                 [&](Index k, const Matrix& px) { kernels::add_scaled(gamma->value(0, k), px, y->value); });
  return t.on_backward(y, [p, gamma, x, y, steps, &power, &next] {
    for_each_power(p.backward(), y->grad, steps, power, next, [&](Index k, const Matrix& pdy) {
      if (x->has_grad()) kernels::add_scaled(gamma->value(0, k), pdy, x->grad);
      if (gamma->has_grad()) gamma->grad(0, k) += static_cast<Real>(kernels::dot(x->value, pdy));
    });
  });
}

NormalizedPattern::NormalizedPattern(Csr pattern) : pattern_(std::move(pattern)), scale_(pattern_.rows, Real{0}) {
  for (Index u = 0; u < pattern_.rows; ++u) {
    double sum = 0;
    for (Offset e = pattern_.offsets[u]; e < pattern_.offsets[u + 1]; ++e)
      sum += static_cast<double>(pattern_.value(e));
    if (sum > 0) scale_[u] = static_cast<Real>(1 / std::sqrt(sum));
  }
}

// s = D^-1/2:  y = s[rows] N[rows] (s x);   dx += s N (s dy), dy spread over all nodes
// The product works on whole vectors of columns, filled up with zeros, so that it walks the pattern once.
Var NormalizedPattern::times(Tape& t, Var x, std::span<const Index> rows) const {
  require(pattern_.cols == x->rows(), "normalised pattern: operator has ", pattern_.cols, " columns, input has ",
          x->rows(), " rows");
  Var y = t.node(static_cast<Index>(rows.size()), x->cols(), {x});
  const Index width = (x->cols() + 7) / 8 * 8;
  Matrix &from = t.scratch(x->rows(), width), &to = t.scratch(y->rows(), width), &scale = t.scratch(1, y->rows());
  for (Index i = 0; i < y->rows(); ++i) scale(0, i) = scale_[rows[i]];
  kernels::scale_rows(scale_, x->value, from);
  kernels::spmm_rows(pattern_, pattern_.values, kernels::RowMap::packed_from(rows), from, {}, to);
  kernels::scale_rows(scale.values(), to, y->value);
  return t.on_backward(y, [this, x, y, rows, &from, &to, &scale] {
    kernels::scale_rows(scale.values(), y->grad, to);
    from.fill(0);
    kernels::scatter_rows_add(to, rows, from);
    to.resize(from.rows(), from.cols());
    kernels::spmm(pattern_, pattern_.values, from, to);
    kernels::scale_rows_add(scale_, to, x->grad);
  });
}

}  // namespace gcnh
