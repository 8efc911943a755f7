// Adam against published values and its plain twin. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

// The parameter after each gradient, starting from 1.
inline std::vector<double> adam_path(plain::AdamSettings settings, const std::vector<double>& gradients) {
  Matrix w(1, 1, 1), grad(1, 1), m(1, 1), v(1, 1);
  std::vector<double> out;
  for (double g : gradients) {
    grad(0, 0) = static_cast<Real>(g);
    settings.step = static_cast<std::int64_t>(out.size() + 1);
    kernels::adam(settings.made(), w.values(), grad.values(), m.values(), v.values());
    out.push_back(static_cast<double>(w(0, 0)));
  }
  return out;
}

inline void expect_path(const plain::AdamSettings& settings, const std::vector<double>& gradients,
                        const std::vector<double>& expected) {
  const std::vector<double> found = adam_path(settings, gradients);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], std::max(5e-10, 2 * kEpsilon)) << "step " << i + 1;
}

// Printed by torch.optim.Adam to nine digits.
TEST(Adam, TakesThePathOfPyTorch) {
  const plain::AdamSettings torch{0.005, 0.005, 1};
  expect_path(torch, {0.5, 0.5, 0.5}, {0.995000000, 0.990000007, 0.985000024});
  expect_path(torch, {0.5, -0.25, 0.1}, {0.995000000, 0.993610903, 0.991967807});
}

// The same source. An L2 term of 5e-4 |w|^2 in the loss is a weight decay of 1e-3.
TEST(Adam, TakesThePathOfKeras) {
  const plain::AdamSettings keras{0.01, 2 * 5e-4, 1, kernels::AdamForm::keras};
  expect_path(keras, {0.5, -0.25, 0.1}, {0.990000063, 0.987313715, 0.984134504});
}

TEST(Adam, EqualsPlainTwinOverManySteps) {
  constexpr Index kCount = 37;
  for (const plain::AdamSettings& settings :
       {plain::AdamSettings{0.01, 0, 1}, {0.01, 0.005, 1}, {0.01, 0.005, 1, kernels::AdamForm::keras}}) {
    Matrix w = random_matrix(1, kCount, Rng(1)), grad(1, kCount), m(1, kCount), v(1, kCount);
    std::vector<plain::AdamState> twin;
    for (Real value : w.values()) twin.push_back({plain::wide(value)});
    for (std::int64_t step = 1; step <= 500; ++step) {
      grad = random_matrix(1, kCount, Rng(2).fork(step));
      plain::AdamSettings s = settings;
      s.step = step;
      for (Index i = 0; i < kCount; ++i) plain::adam(s, plain::wide(grad(0, i)), twin[i]);
      kernels::adam(s.made(), w.values(), grad.values(), m.values(), v.values());
      EXPECT_EQ(largest(grad), 0) << "the gradient is set to 0 on the way";
    }
    for (Index i = 0; i < kCount; ++i) {
      EXPECT_NEAR(static_cast<double>(w(0, i)), static_cast<double>(twin[i].w), 500 * kEpsilon);
      EXPECT_NEAR(static_cast<double>(m(0, i)), static_cast<double>(twin[i].m), 50 * kEpsilon);
      EXPECT_NEAR(static_cast<double>(v(0, i)), static_cast<double>(twin[i].v), 500 * kEpsilon);
    }
  }
}

// Without gradient and weight decay nothing moves; with weight decay the weight shrinks.
TEST(Adam, ZeroGradient) {
  Matrix w(1, 1, 1), grad(1, 1), m(1, 1), v(1, 1);
  kernels::adam({0.01, 0, 1}, w.values(), grad.values(), m.values(), v.values());
  EXPECT_EQ(w(0, 0), 1);
  kernels::adam({0.01, 0.005, 2}, w.values(), grad.values(), m.values(), v.values());
  EXPECT_LT(w(0, 0), 1);
}

}  // namespace gcnh::testing
