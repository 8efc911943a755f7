// Dense products against their plain twins. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

// x (rows, inner) times w (inner, width), and x' times a matrix of the product's shape.
inline void check_gemm(Index rows, Index inner, Index width, const Rng& rng) {
  SCOPED_TRACE(::testing::Message() << rows << " x " << inner << " x " << width);
  const Matrix x = random_matrix(rows, inner, rng.fork(0));
  const Matrix w = random_matrix(inner, width, rng.fork(1));
  const Matrix before = random_matrix(rows, width, rng.fork(2));
  Matrix y = before;
  kernels::gemm(x, w, y);
  EXPECT_TRUE(matrices_near(y, plain::gemm(x, w), kEpsilon * (16 + inner)));
  y = before;
  kernels::gemm_add(x, w, y);
  EXPECT_TRUE(matrices_near(y, plain::gemm_add(x, w, before), kEpsilon * (16 + inner)));

  const Matrix dw_before = random_matrix(inner, width, rng.fork(3));
  Matrix dw = dw_before;
  kernels::gemm_transposed_add(x, before, dw);
  EXPECT_TRUE(matrices_near(dw, plain::gemm_transposed_add(x, before, dw_before), kEpsilon * (16 + rows)));
}

TEST(DenseKernels, ProductsEqualPlainTwins) {
  for_all_shapes([](Index rows, Index width) {
    for (Index inner : {1, 7, 33}) check_gemm(rows, inner, width, Rng(1).fork(rows).fork(width));
  });
}

TEST(DenseKernels, ProductsEqualPlainTwinsForEveryInnerWidth) {
  for (Index inner : kWidths) check_gemm(23, inner, 19, Rng(2));
  check_gemm(5, 0, 3, Rng(2));  // nothing to sum
}

// More rows than one part of the transposed product (8192) and than one cached piece (256), whole and with a remainder.
TEST(DenseKernels, ProductsOfManyRowsEqualPlainTwins) {
  for (Index rows : {255, 256, 257, 8191, 8192, 8193, 20001}) check_gemm(rows, 5, 9, Rng(3));
}

TEST(DenseKernels, TransposeEqualsPlainTwin) {
  for_all_shapes([](Index rows, Index width) {
    const Matrix w = random_matrix(rows, width, Rng(4));
    Matrix wt(width, rows, 7);
    kernels::transpose(w, wt);
    EXPECT_TRUE(matrices_equal(wt, plain::each(width, rows, [&](Index i, Index j) { return plain::wide(w(j, i)); })));
  });
}

}  // namespace gcnh::testing
