// The largest neighbour against its plain twin. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {

inline void check_spmax(const Csr& a, const Matrix& x, bool floor, const Rng& rng) {
  Matrix y = random_matrix(a.rows, x.cols(), rng.fork(1));
  std::vector<Index> winner = {7};
  kernels::spmax(a, x, floor, y, winner);
  const plain::Maximum expected = plain::spmax(a, x, floor);
  EXPECT_TRUE(matrices_equal(y, expected.y));
  EXPECT_EQ(winner, expected.winner);

  const Matrix dy = random_matrix(a.rows, x.cols(), rng.fork(2));
  const Matrix before = random_matrix(a.cols, x.cols(), rng.fork(3));
  Matrix dx = before;
  kernels::spmax_backward_add(transpose(a), winner, dy, dx);
  EXPECT_TRUE(matrices_near(dx, plain::spmax_backward_add(winner, dy, before), kEpsilon * (16 + a.rows)));
}

TEST(SparseKernels, MaximumEqualsPlainTwin) {
  for_all_shapes([](Index rows, Index width) {
    SCOPED_TRACE(::testing::Message() << rows << " rows, width " << width);
    const Rng rng = Rng(7).fork(rows).fork(width);
    const Csr a = random_sparse(rows, 40, 6, true, rng);
    // Shifted down, so that the floor wins often.
    const Matrix x = random_matrix(40, width, rng.fork(0), -1.5, 0.5);
    check_spmax(a, x, false, rng);
    check_spmax(a, x, true, rng);
  });
}

TEST(SparseKernels, FirstOfEqualNeighboursWins) {
  const Csr a = make_csr(2, 4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}}, Repeats::add);
  const Matrix x = matrix_of({{9}, {0.5}, {0.5}, {0.25}});
  for (bool floor : {false, true}) {
    Matrix y(2, 1);
    std::vector<Index> winner;
    kernels::spmax(a, x, floor, y, winner);
    EXPECT_EQ(winner, (std::vector<Index>{1, -1}));
    EXPECT_TRUE(matrices_equal(y, matrix_of({{0.5}, {0}})));
  }
}

TEST(SparseKernels, FloorWinsAgainstNegativeAndAgainstZero) {
  const Csr a = make_csr(1, 2, {{0, 0, 1}, {0, 1, 1}}, Repeats::add);
  const Matrix x = matrix_of({{-1, 0}, {-2, -1}});
  Matrix y(1, 2, 5);
  std::vector<Index> winner;
  kernels::spmax(a, x, true, y, winner);
  EXPECT_EQ(winner, (std::vector<Index>{-1, -1}));
  EXPECT_TRUE(matrices_equal(y, matrix_of({{0, 0}})));
  kernels::spmax(a, x, false, y, winner);
  EXPECT_EQ(winner, (std::vector<Index>{0, 0}));
  EXPECT_TRUE(matrices_equal(y, matrix_of({{-1, 0}})));
}

}  // namespace gcnh::testing
