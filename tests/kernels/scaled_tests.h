// Scaled sums against their plain twins, and the same bits for any number of threads. In the float and the double
// suite.
#pragma once

#include <gtest/gtest.h>

#include "gcnh/base/parallel.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {

struct ScaledOperands {
  ScaledOperands(Index rows, Index width)
      : x(random_matrix(rows, width, Rng(81).fork(rows).fork(width))),
        y(random_matrix(rows, width, Rng(82).fork(rows).fork(width))),
        scale(random_matrix(1, rows, Rng(83).fork(rows))) {}
  Matrix x, y, scale;
};

TEST(ScaledKernels, EqualPlainTwins) {
  using plain::wide;
  for_all_shapes([](Index rows, Index width) {
    SCOPED_TRACE(::testing::Message() << rows << " rows, width " << width);
    const ScaledOperands o(rows, width);
    const auto expect = [&](const Matrix& found, const auto& twin) {
      EXPECT_TRUE(matrices_near(found, plain::each(rows, width, twin), 4 * kEpsilon));
    };
    Matrix y = o.y;
    kernels::add_scaled(Real(0.7), o.x, y);
    expect(y, [&](Index i, Index j) { return wide(o.y(i, j)) + wide(Real(0.7)) * wide(o.x(i, j)); });
    y = o.y;
    kernels::scale_rows(o.scale.values(), o.x, y);
    expect(y, [&](Index i, Index j) { return wide(o.scale(0, i)) * wide(o.x(i, j)); });
    y = o.y;
    kernels::scale_rows_add(o.scale.values(), o.x, y);
    expect(y, [&](Index i, Index j) { return wide(o.y(i, j)) + wide(o.scale(0, i)) * wide(o.x(i, j)); });
    for (Index other : {width + 3, width / 2}) {
      Matrix z(rows, other, 9);
      const auto product = [&](Index i, Index j) { return j < width ? wide(o.scale(0, i)) * wide(o.x(i, j)) : 0; };
      kernels::scale_rows(o.scale.values(), o.x, z);
      EXPECT_TRUE(matrices_near(z, plain::each(rows, other, product), 4 * kEpsilon));
      z.fill(2);
      kernels::scale_rows_add(o.scale.values(), o.x, z);
      EXPECT_TRUE(matrices_near(z, plain::each(rows, other, [&](Index i, Index j) { return 2 + product(i, j); }),
                                8 * kEpsilon));
    }
    plain::Wide sum = 0;
    for (std::size_t i = 0; i < o.x.size(); ++i) sum += wide(o.x.values()[i]) * wide(o.y.values()[i]);
    EXPECT_NEAR(kernels::dot(o.x, o.y), static_cast<double>(sum), 1e-15 * (16.0 + static_cast<double>(o.x.size())));
  });
}

TEST(ScaledKernels, SameBitsForAnyNumberOfThreads) {
  const ScaledOperands o(20001, 19);
  const auto run = [&] {
    std::vector<Matrix> out(3, o.y);
    kernels::add_scaled(Real(0.7), o.x, out[0]);
    kernels::scale_rows(o.scale.values(), o.x, out[1]);
    kernels::scale_rows_add(o.scale.values(), o.x, out[2]);
    out.emplace_back(1, 1, static_cast<Real>(kernels::dot(o.x, o.y)));
    return out;
  };
  const std::vector<Matrix> serial = run();
  for (int threads : {2, 3}) {
    Pool pool(threads);
    const PoolScope scope(&pool);
    const std::vector<Matrix> found = run();
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(matrices_equal(found[i], serial[i])) << i;
  }
}

}  // namespace gcnh::testing
