// The gradients of the ops in ops/parts.cpp and ops/norms.cpp against central differences, and their special cases.
#include <gtest/gtest.h>

#include "gcnh/ops/ops.h"
#include "tests/support/gradcheck.h"

namespace gcnh::testing {
namespace {

struct PartsOps : ::testing::Test {
  static constexpr Index kRows = 9, kWidth = 5;

  Param x = make_param("x", random_matrix_off_zero(kRows, kWidth, Rng(1)));
  Param y = make_param("y", random_matrix_off_zero(kRows, kWidth, Rng(2)));
  Param z = make_param("z", random_matrix_off_zero(kRows, kWidth, Rng(3)));
  Param narrow = make_param("narrow", random_matrix(kRows, 2, Rng(4)));
  Param theta = make_param("theta", random_matrix(3, 1, Rng(5)));
  Param thetas = make_param("thetas", random_matrix(3, kWidth, Rng(6)));
};

// clang-format off
TEST_F(PartsOps, MixLearned) { check_op({&theta, &x, &y, &z}, [&](Tape& t) { return mix(t, &theta, {&x, &y, &z}); }); }
TEST_F(PartsOps, MixPointwise) { check_op({&thetas, &x, &y, &z}, [&](Tape& t) { return mix(t, &thetas, {&x, &y, &z}); }); }
TEST_F(PartsOps, MixOfAPartTwice) { check_op({&theta, &x, &y}, [&](Tape& t) { return mix(t, &theta, {&x, &y, &x}); }); }
TEST_F(PartsOps, LargestOf) { check_op({&x, &y, &z}, [&](Tape& t) { return largest_of(t, {&x, &y, &z}); }); }
TEST_F(PartsOps, LargestOfOne) { check_op({&x}, [&](Tape& t) { return largest_of(t, {&x}); }); }
TEST_F(PartsOps, Concat) { check_op({&x, &narrow, &z}, [&](Tape& t) { return concat(t, {&x, &narrow, &z}); }); }
TEST_F(PartsOps, ConcatOfAPartTwice) { check_op({&x, &narrow}, [&](Tape& t) { return concat(t, {&narrow, &x, &narrow}); }); }
TEST_F(PartsOps, UnitRows) { check_op({&x}, [&](Tape& t) { return unit_rows(t, &x); }); }
// clang-format on

TEST_F(PartsOps, TwoPartsAreTheMixOfOneNumber) {
  Param two = make_param("two", matrix_of({{0.7}, {-0.2}})), one = make_param("one", matrix_of({{0.9}}));
  Tape t;
  t.start_training(Rng(0));
  EXPECT_TRUE(matrices_near(mix(t, &two, {&x, &y})->value, mix(t, &one, &x, &y)->value, 1e-12));
}

TEST_F(PartsOps, MixIsAMean) {
  Tape t;
  t.start_evaluation();
  for (Param* weights : {&theta, &thetas})
    EXPECT_TRUE(matrices_near(mix(t, weights, {&x, &x, &x})->value, x.value, 1e-12));
  theta.value = Matrix(3, 1);
  const Var thirds = mix(t, &theta, {&x, &y, &z});
  for (std::size_t i = 0; i < x.value.size(); ++i)
    EXPECT_NEAR(thirds->value.values()[i], (x.value.values()[i] + y.value.values()[i] + z.value.values()[i]) / 3,
                1e-12);
}

TEST_F(PartsOps, UnitRowsHaveLengthOneAndRowsOfZerosStay) {
  std::fill_n(x.value.row(4), kWidth, 0);
  x.grad = Matrix(kRows, kWidth);
  Tape t;
  t.start_training(Rng(0));
  const Var unit = unit_rows(t, &x);
  for (Index i = 0; i < kRows; ++i) {
    double square = 0;
    for (Index j = 0; j < kWidth; ++j) square += unit->value(i, j) * unit->value(i, j);
    EXPECT_NEAR(square, i == 4 ? 0 : 1, 1e-12);
  }
  t.backward(weighted_sum(t, unit));
  for (Index j = 0; j < kWidth; ++j) {
    EXPECT_EQ(x.grad(4, j), 0);
    EXPECT_NE(x.grad(3, j), 0);
  }
}

TEST_F(PartsOps, OfEqualPartsTheFirstIsTheLargest) {
  Param same = make_param("same", x.value);
  x.grad = same.grad = Matrix(kRows, kWidth);
  Tape t;
  t.start_training(Rng(0));
  t.backward(weighted_sum(t, largest_of(t, {&x, &same})));
  EXPECT_GT(largest(x.grad), 0);
  EXPECT_EQ(largest(same.grad), 0);
}

TEST_F(PartsOps, ShapesThatDoNotFitAreRefused) {
  Tape t;
  t.start_evaluation();
  Param low = make_param("low", random_matrix(3, kWidth, Rng(7)));
  EXPECT_THROW(mix(t, &theta, {&x, &y}), Error);
  EXPECT_THROW(mix(t, &theta, {&x, &y, &narrow}), Error);
  EXPECT_THROW(largest_of(t, {&x, &narrow}), Error);
  EXPECT_THROW(concat(t, {&x, &low}), Error);
}

}  // namespace
}  // namespace gcnh::testing
