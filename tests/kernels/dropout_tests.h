// Dropout's factors against their plain twin. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gcnh/kernels/dropout.h"
#include "gcnh/kernels/kernels.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

TEST(DropoutKernels, FactorsEqualPlainTwin) {
  for (std::size_t count : {0, 1, 7, 8, 9, 16, 1000, 20001}) {
    for (double p : {0.0, 0.25, 0.3, 0.5, 0.75, 0.999}) {
      std::vector<Real> factor(count, 9);
      const Rng rng = Rng(23).fork(count);
      kernels::dropout_factors(rng, p, factor);
      EXPECT_EQ(factor, plain::dropout_factors(rng, p, count)) << count << " factors, p " << p;
    }
  }
}

TEST(DropoutKernels, EndsOfTheRange) {
  std::vector<Real> factor(100);
  kernels::dropout_factors(Rng(1), 0, factor);
  EXPECT_EQ(factor, std::vector<Real>(100, 1));
  kernels::dropout_factors(Rng(1), 1, factor);
  EXPECT_EQ(factor, std::vector<Real>(100, 0));
}

TEST(DropoutKernels, SharesOfAnArrayHaveItsFactors) {
  const Rng rng(25);
  for (Index cols : {1, 3, 8, 20, 33}) {
    const std::vector<Real> whole = plain::dropout_factors(rng, 0.4, 50 * cols);
    const std::vector<Offset> places = {7, 49, 0, 3, 4, 5, 7};
    Matrix rows(static_cast<Index>(places.size()), cols), expected = rows;
    kernels::dropout_factors_at(rng, 0.4, places, rows);
    for (Index i = 0; i < rows.rows(); ++i) std::copy_n(whole.data() + places[i] * cols, cols, expected.row(i));
    EXPECT_EQ(rows, expected) << cols << " columns";
  }
  const std::vector<Real> whole = plain::dropout_factors(rng, 0.4, 300);
  const std::vector<Offset> first = {13, 250, 40, 41}, offsets = {0, 29, 29, 30, 77};
  std::vector<Real> factor(77), expected;
  kernels::dropout_factors_at(rng, 0.4, first, offsets, factor);
  for (std::size_t i = 0; i < first.size(); ++i)
    expected.insert(expected.end(), whole.begin() + first[i], whole.begin() + first[i] + offsets[i + 1] - offsets[i]);
  EXPECT_EQ(factor, expected);
}

// The share dropped is p and the mean factor 1, each within five standard errors.
TEST(DropoutKernels, SharesAreAsAsked) {
  constexpr int kCount = 1 << 20;
  std::vector<Real> factor(kCount);
  for (double p : {0.1, 0.25, 0.5, 0.6, 0.75}) {
    kernels::dropout_factors(Rng(24), p, factor);
    const auto dropped = static_cast<double>(std::count(factor.begin(), factor.end(), Real{0}));
    EXPECT_NEAR(dropped / kCount, p, 5 * std::sqrt(p * (1 - p) / kCount));
    EXPECT_NEAR(std::accumulate(factor.begin(), factor.end(), 0.0) / kCount, 1, 5 * std::sqrt(p / (1 - p) / kCount));
  }
}

}  // namespace gcnh::testing
