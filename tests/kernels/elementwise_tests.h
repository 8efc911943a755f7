// Row-wise and element-wise kernels against their plain twins. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

// The three matrices a shape is tried with.
struct Operands {
  Operands(Index rows, Index width)
      : rng(Rng(11).fork(rows).fork(width)),
        x(random_matrix(rows, width, rng.fork(0))),
        d(random_matrix(rows, width, rng.fork(1))),
        y(random_matrix(rows, width, rng.fork(2))) {}
  Rng rng;
  Matrix x, d, y;

  // f(i, j) for every element, as plain twin.
  template <class F>
  Matrix twin(const F& f) const {
    return plain::each(x.rows(), x.cols(), f);
  }
};

constexpr double kRounding = 4 * kEpsilon;  // a few roundings of numbers around 1

TEST(ElementwiseKernels, SumsEqualPlainTwins) {
  using plain::wide;
  for_all_shapes([](Index rows, Index width) {
    const Operands o(rows, width);
    const Matrix row = random_matrix(1, width, o.rng.fork(3));
    Matrix y = o.y;
    kernels::add_row(row, y);
    EXPECT_TRUE(
        matrices_near(y, o.twin([&](Index i, Index j) { return wide(o.y(i, j)) + wide(row(0, j)); }), kRounding));
    y = o.y;
    kernels::add(o.x, y);
    EXPECT_TRUE(
        matrices_near(y, o.twin([&](Index i, Index j) { return wide(o.y(i, j)) + wide(o.x(i, j)); }), kRounding));
    Matrix sums = row;
    kernels::column_sums_add(o.x, sums);
    EXPECT_TRUE(matrices_near(sums, plain::column_sums_add(o.x, row), kEpsilon * (16 + rows)));
  });
}

TEST(ElementwiseKernels, ColumnSumsOfManyRowsEqualPlainTwin) {
  const Matrix x = random_matrix(20001, 3, Rng(12));
  Matrix sums = matrix_of({{1, 2, 3}});
  kernels::column_sums_add(x, sums);
  EXPECT_TRUE(matrices_near(sums, plain::column_sums_add(x, matrix_of({{1, 2, 3}})), kEpsilon * 20001));
}

TEST(ElementwiseKernels, ProductsEqualPlainTwins) {
  using plain::wide;
  for_all_shapes([](Index rows, Index width) {
    const Operands o(rows, width);
    Matrix y = o.y;
    kernels::multiply(o.x, o.d.values(), y);
    EXPECT_TRUE(
        matrices_near(y, o.twin([&](Index i, Index j) { return wide(o.x(i, j)) * wide(o.d(i, j)); }), kRounding));
    y = o.y;
    kernels::multiply_add(o.x, o.d.values(), y);
    EXPECT_TRUE(matrices_near(
        y, o.twin([&](Index i, Index j) { return wide(o.y(i, j)) + wide(o.x(i, j)) * wide(o.d(i, j)); }), kRounding));
  });
}

TEST(ElementwiseKernels, LeakyReluEqualsPlainTwin) {
  using plain::wide;
  for_all_shapes([](Index rows, Index width) {
    const Operands o(rows, width);
    for (Real slope : {Real(0), Real(0.01), Real(0.2)}) {
      Matrix y = o.y;
      kernels::leaky_relu(o.x, slope, y);
      EXPECT_TRUE(matrices_near(
          y, o.twin([&](Index i, Index j) { return wide(o.x(i, j)) * (o.x(i, j) > 0 ? 1 : wide(slope)); }), kRounding));
      Matrix dx = o.y;
      kernels::leaky_relu_backward_add(o.x, slope, o.d, dx);
      EXPECT_TRUE(matrices_near(dx, o.twin([&](Index i, Index j) {
        return wide(o.y(i, j)) + wide(o.d(i, j)) * (o.x(i, j) > 0 ? 1 : wide(slope));
      }),
                                kRounding));
      Matrix gated = o.y;
      kernels::gate(o.x, slope, gated);
      EXPECT_TRUE(matrices_near(
          gated, o.twin([&](Index i, Index j) { return wide(o.y(i, j)) * (o.x(i, j) > 0 ? 1 : wide(slope)); }),
          kRounding));
    }
  });
}

TEST(ElementwiseKernels, EluEqualsPlainTwin) {
  using plain::wide;
  for_all_shapes([](Index rows, Index width) {
    const Operands o(rows, width);
    Matrix y = o.y;
    kernels::elu(o.x, y);
    EXPECT_TRUE(matrices_near(
        y, o.twin([&](Index i, Index j) { return o.x(i, j) > 0 ? wide(o.x(i, j)) : std::exp(wide(o.x(i, j))) - 1; }),
        kRounding));
    Matrix dx = o.y;
    kernels::elu_backward_add(y, o.d, dx);
    EXPECT_TRUE(matrices_near(dx, o.twin([&](Index i, Index j) {
      return wide(o.y(i, j)) + wide(o.d(i, j)) * (o.x(i, j) > 0 ? 1 : std::exp(wide(o.x(i, j))));
    }),
                              kRounding));
  });
}

// e^x - 1 keeps its digits near 0, and large negative numbers saturate.
TEST(ElementwiseKernels, EluIsAccurateAtTheEnds) {
  Matrix y(1, 3);
  kernels::elu(matrix_of({{-1e-6, -1000, 1000}}), y);
  EXPECT_NEAR(static_cast<double>(y(0, 0)) / std::expm1(-1e-6), 1, 4 * kEpsilon);
  EXPECT_EQ(y(0, 1), -1);
  EXPECT_EQ(y(0, 2), 1000);
}

TEST(ElementwiseKernels, GatherAndScatterEqualPlainTwins) {
  for_all_shapes([](Index rows, Index width) {
    const Operands o(rows, width);
    std::vector<Index> order(rows);
    for (Index i = 0; i < rows; ++i) order[i] = i;
    shuffle(order, o.rng);
    for (Index taken : {Index{0}, rows / 2, rows}) {
      const std::span<const Index> picked(order.data(), taken);
      Matrix y(taken, width, 9);
      kernels::gather_rows(o.x, picked, y);
      EXPECT_TRUE(matrices_equal(
          y, plain::each(taken, width, [&](Index i, Index j) { return plain::wide(o.x(picked[i], j)); })));
      Matrix expected = o.d;
      for (Index i = 0; i < taken; ++i)
        for (Index j = 0; j < width; ++j) expected(picked[i], j) += y(i, j);
      Matrix to = o.d;
      kernels::scatter_rows_add(y, picked, to);
      EXPECT_TRUE(matrices_equal(to, expected));
    }
  });
}

}  // namespace gcnh::testing
