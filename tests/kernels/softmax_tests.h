// Softmax and the loss against their plain twins. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gcnh/kernels/kernels.h"
#include "gcnh/kernels/weighted_loss.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

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

TEST(SoftmaxKernels, ClassWeightsEqualPlainTwins) {
  for_all_shapes([](Index rows, Index k) {
    if (rows == 0 || k == 0) return;
    const Rng rng = Rng(23).fork(rows).fork(k);
    Matrix logp(rows, k);
    kernels::log_softmax(random_matrix(rows, k, rng.fork(0), -10, 10), logp);
    const Matrix w = random_matrix(1, k, rng.fork(3), 0.1, 4);
    std::vector<int> labels(rows);
    plain::Wide loss = 0, total = 0;
    for (Index i = 0; i < rows; ++i) {
      labels[i] = static_cast<int>(rng.fork(1).below(k, i));
      loss -= plain::wide(w(0, labels[i])) * plain::wide(logp(i, labels[i]));
      total += plain::wide(w(0, labels[i]));
    }
    const double expected = static_cast<double>(loss / total);
    EXPECT_NEAR(kernels::weighted_nll(logp, labels, w.values()), expected, 64 * kEpsilon * std::max(1.0, expected));
    const Matrix before = random_matrix(rows, k, rng.fork(2));
    Matrix d = before;
    const Real scale = Real(0.7);
    kernels::weighted_softmax_nll_backward_add(logp, labels, w.values(), scale, d);
    EXPECT_TRUE(matrices_near(d,
                              plain::each(rows, k,
                                          [&](Index i, Index j) {
                                            const plain::Wide onehot = labels[i] == j ? 1 : 0;
                                            return plain::wide(before(i, j)) +
                                                   plain::wide(scale) * plain::wide(w(0, labels[i])) / total *
                                                       (std::exp(plain::wide(logp(i, j))) - onehot);
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

}  // namespace gcnh::testing
