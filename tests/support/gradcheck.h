// Compares gradients of the tape with central differences. Meant for the double build.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "gcnh/ops/ops.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

// Builds a (1, 1) value from the parameters; called many times, it must give the same value for the same parameters.
using BuildScalar = std::function<Var(Tape&)>;

// sum_ij c_ij y_ij with fixed coefficients of either sign: every entry of y matters, each in its own way.
inline Var weighted_sum(Tape& t, Var y) {
  Var sum = t.node(1, 1, {y});
  const Matrix c = random_matrix_off_zero(y->rows(), y->cols(), Rng(77), 0.2);
  sum->value(0, 0) = 0;
  for (std::size_t i = 0; i < c.size(); ++i) sum->value(0, 0) += c.values()[i] * y->value.values()[i];
  return t.on_backward(sum, [y, sum, c] {
    for (std::size_t i = 0; i < c.size(); ++i) y->grad.values()[i] += sum->grad(0, 0) * c.values()[i];
  });
}

struct GradientReport {
  int checked = 0;
  int skipped = 0;  // a kink within reach of the step
};

inline double evaluate(const BuildScalar& build) {
  Tape t;
  t.start_training(Rng(5));
  return static_cast<double>(build(t)->value(0, 0));
}

inline double central_difference(const BuildScalar& build, Real& x, double step) {
  const Real middle = x;
  x = static_cast<Real>(static_cast<double>(middle) + step);
  const double up = evaluate(build);
  x = static_cast<Real>(static_cast<double>(middle) - step);
  const double down = evaluate(build);
  x = middle;
  return (up - down) / (2 * step);
}

// The gradients of `trained` while all other parameters are constants, which have no gradient. Gradients start at a
// number other than 0, so that a backward step that overwrites instead of adding is found out.
inline GradientReport check_some_gradients(const std::vector<Param*>& params, const std::vector<Param*>& trained,
                                           const BuildScalar& build) {
  constexpr Real kStart = 0.25;
  for (Param* p : params) p->grad = Matrix();
  for (Param* p : trained) p->grad = Matrix(p->rows(), p->cols(), kStart);
  {
    Tape t;
    t.start_training(Rng(5));
    t.backward(build(t));
  }
  GradientReport report;
  for (Param* p : trained) {
    for (std::size_t i = 0; i < p->value.size(); ++i) {
      const double found = static_cast<double>(p->grad.values()[i] - kStart);
      const double expected = central_difference(build, p->value.values()[i], 1e-5);
      const auto near = [&](double other) {
        return std::abs(found - other) <= 1e-9 + 1e-6 * std::max(std::abs(found), std::abs(other));
      };
      ++report.checked;
      if (near(expected)) continue;
      // At a kink the difference quotient depends on the step; away from kinks a wrong gradient is wrong for both
      // steps.
      const double closer = central_difference(build, p->value.values()[i], 1e-6);
      if (near(closer)) continue;  // strongly curved, as where a short row is brought to unit length
      if (std::abs(closer - expected) > 1e-7 + 1e-5 * std::abs(expected)) {
        ++report.skipped;
        continue;
      }
      ADD_FAILURE() << p->name << "[" << i << "]: gradient " << found << ", central difference " << expected;
      return report;
    }
  }
  return report;
}

// Checks all gradients together, then each parameter's alone with the others constant.
inline GradientReport check_gradients(const std::vector<Param*>& params, const BuildScalar& build) {
  const GradientReport report = check_some_gradients(params, params, build);
  if (params.size() > 1)
    for (Param* p : params) check_some_gradients(params, {p}, build);
  for (Param* p : params) p->grad = Matrix(p->rows(), p->cols());
  return report;
}

// One op: checks d(weighted sum of its output).
inline void check_op(const std::vector<Param*>& params, const BuildScalar& op) {
  const GradientReport report = check_gradients(params, [&](Tape& t) { return weighted_sum(t, op(t)); });
  EXPECT_GT(report.checked, 0);
  EXPECT_EQ(report.skipped, 0);
}

inline Param make_param(const char* name, Matrix value) {
  Param p(name, value.rows(), value.cols());
  p.value = std::move(value);
  return p;
}

}  // namespace gcnh::testing
