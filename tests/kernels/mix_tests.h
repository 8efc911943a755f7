// The mix of a node with its neighbours against its plain twin. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

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

}  // namespace gcnh::testing
