// Kernels of several matrices of one shape, and of rows of unit length, against their plain twins. In the float and the
// double suite.
#pragma once

#include <gtest/gtest.h>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

struct PartsOperands {
  PartsOperands(Index rows, Index k) : rng(Rng(91).fork(rows).fork(k)), w(random_matrix(3, k, rng.fork(0))) {
    for (int c = 0; c < 3; ++c) z.push_back(random_matrix(rows, k, rng.fork(1 + c)));
    for (const Matrix& part : z) parts.push_back(&part);
  }
  const Rng rng;
  const Matrix w;
  std::vector<Matrix> z;
  kernels::Parts parts;
};

TEST(PartsKernels, WeightedSumEqualsItsPlainTwin) {
  using plain::wide;
  for_all_shapes([](Index rows, Index k) {
    const PartsOperands o(rows, k);
    Matrix h(rows, k, 9);
    kernels::weighted_sum(o.w, o.parts, h);
    EXPECT_TRUE(matrices_near(h,
                              plain::each(rows, k,
                                          [&](Index i, Index j) {
                                            return wide(o.w(0, j)) * wide(o.z[0](i, j)) +
                                                   wide(o.w(1, j)) * wide(o.z[1](i, j)) +
                                                   wide(o.w(2, j)) * wide(o.z[2](i, j));
                                          }),
                              8 * kEpsilon));

    const Matrix dh = random_matrix(rows, k, o.rng.fork(5)), before = random_matrix(rows, k, o.rng.fork(6)),
                 row_before = random_matrix(3, k, o.rng.fork(7));
    std::vector<Matrix> dz = {before, Matrix(), before};
    Matrix dw = row_before;
    kernels::weighted_sum_backward_add(o.w, o.parts, dh, {&dz[0], &dz[1], &dz[2]}, dw);
    EXPECT_TRUE(dz[1].empty());
    for (Index c : {0, 2})
      EXPECT_TRUE(matrices_near(
          dz[c],
          plain::each(rows, k, [&](Index i, Index j) { return wide(before(i, j)) + wide(o.w(c, j)) * wide(dh(i, j)); }),
          4 * kEpsilon));
    EXPECT_TRUE(matrices_near(dw,
                              plain::each(3, k,
                                          [&](Index c, Index j) {
                                            plain::Wide sum = wide(row_before(c, j));
                                            for (Index i = 0; i < rows; ++i) sum += wide(dh(i, j)) * wide(o.z[c](i, j));
                                            return sum;
                                          }),
                              kEpsilon * (16 + 2 * rows)));
  });
}

TEST(PartsKernels, LargestPartEqualsItsPlainTwin) {
  for_all_shapes([](Index rows, Index k) {
    PartsOperands o(rows, k);
    if (rows > 0) std::copy_n(o.z[0].row(0), k, o.z[2].row(0));  // of equals the first
    const auto first_largest = [&](Index i, Index j) {
      Index best = 0;
      for (Index c = 1; c < 3; ++c) best = o.z[c](i, j) > o.z[best](i, j) ? c : best;
      return best;
    };
    Matrix y(rows, k, 9);
    std::vector<Index> winner;
    kernels::largest_part(o.parts, y, winner);
    const Matrix dy = random_matrix(rows, k, o.rng.fork(8)), before = random_matrix(rows, k, o.rng.fork(9));
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < k; ++j) {
        EXPECT_EQ(winner[static_cast<std::size_t>(i) * static_cast<std::size_t>(k) + j], first_largest(i, j));
        EXPECT_EQ(y(i, j), o.z[first_largest(i, j)](i, j));
      }
    for (Index c = 0; c < 3; ++c) {
      Matrix dz = before;
      kernels::largest_part_backward_add(c, winner, dy, dz);
      EXPECT_TRUE(matrices_equal(dz, plain::each(rows, k, [&](Index i, Index j) {
                                   return plain::wide(first_largest(i, j) == c ? before(i, j) + dy(i, j)
                                                                               : before(i, j));
                                 })));
    }
  });
}

TEST(PartsKernels, ColumnsArePutAndTaken) {
  for_all_shapes([](Index rows, Index k) {
    const Matrix x = random_matrix(rows, k, Rng(92)), wide = random_matrix(rows, k + 5, Rng(93));
    Matrix y = wide;
    kernels::put_columns(x, 3, y);
    EXPECT_TRUE(matrices_equal(y, plain::each(rows, k + 5, [&](Index i, Index j) {
                                 return plain::wide(j >= 3 && j < 3 + k ? x(i, j - 3) : wide(i, j));
                               })));
    Matrix taken = x;
    kernels::take_columns_add(wide, 3, taken);
    EXPECT_TRUE(matrices_equal(
        taken, plain::each(rows, k, [&](Index i, Index j) { return plain::wide(x(i, j) + wide(i, j + 3)); })));
  });
}

TEST(NormKernels, UnitRowsEqualTheirPlainTwins) {
  using plain::wide;
  for_all_shapes([](Index rows, Index k) {
    const Rng rng = Rng(94).fork(rows).fork(k);
    Matrix x = random_matrix(rows, k, rng.fork(0));
    if (rows > 1) std::fill_n(x.row(1), k, Real{0});
    const auto dot = [k](const Matrix& a, const Matrix& b, Index i) {
      plain::Wide sum = 0;
      for (Index j = 0; j < k; ++j) sum += wide(a(i, j)) * wide(b(i, j));
      return sum;
    };
    const auto scale_of = [&](Index i) { return dot(x, x, i) > 0 ? 1 / std::sqrt(dot(x, x, i)) : 0; };
    Matrix y(rows, k, 9), scale(1, rows, 9);
    kernels::unit_rows(x, y, scale.values());
    const double tolerance = kEpsilon * (16 + 2 * k);
    EXPECT_TRUE(matrices_near(y, plain::each(rows, k, [&](Index i, Index j) { return scale_of(i) * wide(x(i, j)); }),
                              tolerance));
    EXPECT_TRUE(matrices_near(scale, plain::each(1, rows, [&](Index, Index i) { return scale_of(i); }), tolerance));
    const Matrix dy = random_matrix(rows, k, rng.fork(1)), before = random_matrix(rows, k, rng.fork(2));
    Matrix dx = before;
    kernels::unit_rows_backward_add(y, scale.values(), dy, dx);
    EXPECT_TRUE(matrices_near(dx,
                              plain::each(rows, k,
                                          [&](Index i, Index j) {
                                            return wide(before(i, j)) +
                                                   wide(scale(0, i)) * (wide(dy(i, j)) - dot(y, dy, i) * wide(y(i, j)));
                                          }),
                              tolerance * 16));
  });
}

// Mean and variance of what f gives for 0 .. count - 1.
template <class F>
std::pair<plain::Wide, plain::Wide> moments_of(Index count, const F& f) {
  plain::Wide sum = 0, square = 0;
  for (Index i = 0; i < count; ++i) sum += f(i);
  const plain::Wide mean = sum / std::max<Index>(1, count);
  for (Index i = 0; i < count; ++i) square += (f(i) - mean) * (f(i) - mean);
  return {mean, square / std::max<Index>(1, count)};
}

TEST(NormKernels, StandardRowsEqualTheirPlainTwins) {
  using plain::wide;
  for_all_shapes([](Index rows, Index k) {
    const Rng rng = Rng(95).fork(rows).fork(k);
    const Matrix x = random_matrix(rows, k, rng.fork(0)), dy = random_matrix(rows, k, rng.fork(1)),
                 before = random_matrix(rows, k, rng.fork(2));
    const auto moments = [&](Index i) { return moments_of(k, [&](Index j) { return wide(x(i, j)); }); };
    const double tolerance = 16 * kEpsilon * (64 + 2 * k);  // few numbers may have next to no variance
    Matrix y(rows, k, 9), scale(1, rows, 9);
    kernels::standard_rows(x, y, scale.values());
    EXPECT_TRUE(matrices_near(y,
                              plain::each(rows, k,
                                          [&](Index i, Index j) {
                                            return (wide(x(i, j)) - moments(i).first) /
                                                   std::sqrt(moments(i).second + 1e-5L);
                                          }),
                              tolerance));
    Matrix dx = before;
    kernels::standard_rows_backward_add(y, scale.values(), dy, dx);
    EXPECT_TRUE(matrices_near(
        dx,
        plain::each(rows, k,
                    [&](Index i, Index j) {
                      const auto mean = moments_of(k, [&](Index q) { return wide(dy(i, q)); }).first;
                      const auto along = moments_of(k, [&](Index q) { return wide(dy(i, q)) * wide(y(i, q)); }).first;
                      return wide(before(i, j)) + wide(scale(0, i)) * (wide(dy(i, j)) - mean - along * wide(y(i, j)));
                    }),
        tolerance * 4));
  });
}

TEST(NormKernels, StandardColumnsEqualTheirPlainTwins) {
  using plain::wide;
  for_all_shapes([](Index rows, Index k) {
    const Rng rng = Rng(96).fork(rows).fork(k);
    const Matrix x = random_matrix(rows, k, rng.fork(0)), dy = random_matrix(rows, k, rng.fork(1)),
                 before = random_matrix(rows, k, rng.fork(2)), factor = random_matrix(1, k, rng.fork(3));
    Matrix mean(1, k, 9), variance(1, k, 9), scale(1, k, 9), y(rows, k, 9);
    kernels::column_moments(x, mean, variance);
    const auto moments = [&](Index j) { return moments_of(rows, [&](Index i) { return wide(x(i, j)); }); };
    EXPECT_TRUE(matrices_near(mean, plain::each(1, k, [&](Index, Index j) { return moments(j).first; }), 8 * kEpsilon));
    EXPECT_TRUE(
        matrices_near(variance, plain::each(1, k, [&](Index, Index j) { return moments(j).second; }), 8 * kEpsilon));
    kernels::scales_of(variance, scale);
    EXPECT_TRUE(matrices_near(
        scale, plain::each(1, k, [&](Index, Index j) { return 1 / std::sqrt(wide(variance(0, j)) + 1e-5L); }),
        512 * kEpsilon, 64 * kEpsilon));
    kernels::standard_columns(x, mean, scale, y);
    EXPECT_TRUE(matrices_near(
        y,
        plain::each(rows, k, [&](Index i, Index j) { return wide(scale(0, j)) * (wide(x(i, j)) - wide(mean(0, j))); }),
        64 * kEpsilon));
    Matrix dx = before;
    kernels::standard_columns_backward_add(y, scale, dy, dx);
    EXPECT_TRUE(matrices_near(
        dx,
        plain::each(rows, k,
                    [&](Index i, Index j) {
                      const auto slope = moments_of(rows, [&](Index u) { return wide(dy(u, j)); }).first;
                      const auto along =
                          moments_of(rows, [&](Index u) { return wide(dy(u, j)) * wide(y(u, j)); }).first;
                      return wide(before(i, j)) + wide(scale(0, j)) * (wide(dy(i, j)) - slope - along * wide(y(i, j)));
                    }),
        512 * kEpsilon, 64 * kEpsilon));
    Matrix scaled = before;
    kernels::scale_columns_add(x, factor, scaled);
    EXPECT_TRUE(matrices_near(
        scaled,
        plain::each(rows, k, [&](Index i, Index j) { return wide(before(i, j)) + wide(factor(0, j)) * wide(x(i, j)); }),
        4 * kEpsilon));
    Matrix products = factor;
    kernels::column_products_add(x, dy, products);
    EXPECT_TRUE(matrices_near(products,
                              plain::each(1, k,
                                          [&](Index, Index j) {
                                            return wide(factor(0, j)) + rows * moments_of(rows, [&](Index i) {
                                                                                 return wide(x(i, j)) * wide(dy(i, j));
                                                                               }).first;
                                          }),
                              kEpsilon * (16 + 2 * rows)));
  });
}

}  // namespace gcnh::testing
