// Sparse products against their plain twins. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {

inline void check_spmm(const Csr& a, std::span<const Real> values, Index width, const Rng& rng) {
  const Matrix x = random_matrix(a.cols, width, rng.fork(0));
  const Matrix before = random_matrix(a.rows, width, rng.fork(1));
  const double tolerance = kEpsilon * (16 + a.cols);
  Matrix y = before;
  kernels::spmm(a, values, x, y);
  EXPECT_TRUE(matrices_near(y, plain::spmm(a, values, x), tolerance, 64 * kEpsilon));
  y = before;
  kernels::spmm_add(a, values, x, y);
  EXPECT_TRUE(matrices_near(y, plain::spmm_add(a, values, x, before), tolerance, 64 * kEpsilon));
}

TEST(SparseKernels, ProductEqualsPlainTwin) {
  for_all_shapes([](Index rows, Index width) {
    SCOPED_TRACE(::testing::Message() << rows << " rows, width " << width);
    const Rng rng = Rng(1).fork(rows).fork(width);
    const Csr a = random_sparse(rows, 40, 6, true, rng);
    check_spmm(a, a.values, width, rng);
    check_spmm(a, {}, width, rng);
  });
}

TEST(SparseKernels, ProductTakesOtherValuesThanTheMatrix) {
  const Csr a = random_sparse(50, 30, 5, false, Rng(2));
  ASSERT_TRUE(a.values.empty());
  const Matrix values = random_matrix(1, static_cast<Index>(a.nnz()), Rng(3));
  check_spmm(a, values.values(), 17, Rng(4));
}

TEST(SparseKernels, ProductOfManyRowsEqualsPlainTwin) {
  const Csr a = random_graph({.nodes = 20000, .edges_per_node = 4}, Rng(5));
  ASSERT_FALSE(a.values.empty());
  check_spmm(a, a.values, 17, Rng(6));
}

// Row lengths 0 to 9 go around the four partial sums in every way.
TEST(SparseKernels, ProductIsRightForEveryRowLength) {
  std::vector<Triple> entries;
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j < i; ++j) entries.push_back({i, j, static_cast<Real>(1 << j)});
  const Csr a = make_csr(10, 9, entries, Repeats::add);
  for (Index width : {1, 4, 5, 16, 19}) {
    Matrix y(10, width, 99);
    kernels::spmm(a, a.values, Matrix(9, width, 1), y);
    for (Index i = 0; i < 10; ++i)
      for (Index j = 0; j < width; ++j) EXPECT_EQ(y(i, j), static_cast<Real>((1 << i) - 1));
  }
}

}  // namespace gcnh::testing
