// Mix, softmax, loss and dropout kernels against their plain twins. Included by a file of the float and one of the
// double suite.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

TEST(MixKernels, ForwardAndBackwardEqualPlainTwins) {
  using plain::wide;
  for_all_shapes([](Index rows, Index k) {
    const Rng rng = Rng(21).fork(rows).fork(k);
    const Matrix b = random_matrix(1, k, rng.fork(0), 0, 1), z = random_matrix(rows, k, rng.fork(1)),
                 a = random_matrix(rows, k, rng.fork(2)), dh = random_matrix(rows, k, rng.fork(3));
    Matrix h(rows, k, 9);
    kernels::mix(b, z, a, h);
    EXPECT_TRUE(matrices_near(h,
                              plain::each(rows, k,
                                          [&](Index i, Index j) {
                                            return wide(b(0, j)) * wide(z(i, j)) + (1 - wide(b(0, j))) * wide(a(i, j));
                                          }),
                              4 * kEpsilon));

    const Matrix before = random_matrix(rows, k, rng.fork(4)), row_before = random_matrix(1, k, rng.fork(5));
    Matrix dz = before, da = before, db = row_before;
    kernels::mix_backward_add(b, z, a, dh, dz, da, db);
    EXPECT_TRUE(matrices_near(
        dz, plain::each(rows, k, [&](Index i, Index j) { return wide(before(i, j)) + wide(b(0, j)) * wide(dh(i, j)); }),
        4 * kEpsilon));
    EXPECT_TRUE(matrices_near(
        da,
        plain::each(rows, k,
                    [&](Index i, Index j) { return wide(before(i, j)) + (1 - wide(b(0, j))) * wide(dh(i, j)); }),
        4 * kEpsilon));
    EXPECT_TRUE(matrices_near(db,
                              plain::each(1, k,
                                          [&](Index, Index j) {
                                            plain::Wide sum = wide(row_before(0, j));
                                            for (Index i = 0; i < rows; ++i)
                                              sum += wide(dh(i, j)) * (wide(z(i, j)) - wide(a(i, j)));
                                            return sum;
                                          }),
                              kEpsilon * (16 + 2 * rows)));
  });
}

TEST(MixKernels, EmptyGradientsAreSkipped) {
  const Matrix b(1, 3, Real(0.25)), ones(5, 3, 1), zeros(5, 3), dh(5, 3, 2);
  Matrix none, dz(5, 3), da(5, 3), db(1, 3);
  kernels::mix_backward_add(b, ones, zeros, dh, dz, none, none);
  EXPECT_TRUE(matrices_equal(dz, Matrix(5, 3, Real(0.5))));
  kernels::mix_backward_add(b, ones, zeros, dh, none, da, none);
  EXPECT_TRUE(matrices_equal(da, Matrix(5, 3, Real(1.5))));
  kernels::mix_backward_add(b, ones, zeros, dh, none, none, db);
  EXPECT_TRUE(matrices_equal(db, Matrix(1, 3, 10)));
  EXPECT_TRUE(none.empty());
}

TEST(SoftmaxKernels, ForwardAndBackwardEqualPlainTwins) {
  for_all_shapes([](Index rows, Index k) {
    const Rng rng = Rng(22).fork(rows).fork(k);
    const Matrix logits = random_matrix(rows, k, rng.fork(0), -10, 10);
    Matrix logp(rows, k, 9);
    kernels::log_softmax(logits, logp);
    const Matrix expected = plain::log_softmax(logits);
    EXPECT_TRUE(matrices_near(logp, expected, 64 * kEpsilon));

    std::vector<int> labels(rows);
    for (Index i = 0; i < rows; ++i) labels[i] = static_cast<int>(rng.fork(1).below(k, i));
    if (rows > 0) {
      double loss = 0;
      for (Index i = 0; i < rows; ++i) loss -= static_cast<double>(expected(i, labels[i])) / rows;
      EXPECT_NEAR(kernels::nll(logp, labels), loss, 64 * kEpsilon);
    }
    const Matrix before = random_matrix(rows, k, rng.fork(2));
    Matrix d = before;
    const Real scale = Real(0.7);
    kernels::softmax_nll_backward_add(logp, labels, scale, d);
    EXPECT_TRUE(matrices_near(d,
                              plain::each(rows, k,
                                          [&](Index i, Index j) {
                                            const plain::Wide onehot = labels[i] == j ? 1 : 0;
                                            return plain::wide(before(i, j)) +
                                                   plain::wide(scale) *
                                                       (std::exp(plain::wide(expected(i, j))) - onehot);
                                          }),
                              64 * kEpsilon));
  });
}

// Neither overflow nor underflow, and shifting all logits changes nothing.
TEST(SoftmaxKernels, LargeLogitsStayFinite) {
  Matrix logp(2, 3);
  kernels::log_softmax(matrix_of({{10000, 9990, -10000}, {-10000, -10010, -30000}}), logp);
  const double shift = std::log1p(std::exp(-10));
  EXPECT_TRUE(matrices_near(
      logp, matrix_of({{-shift, -10 - shift, -20000 - shift}, {-shift, -10 - shift, -20000 - shift}}), 4e4 * kEpsilon));
}

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
