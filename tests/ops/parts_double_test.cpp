// The gradients of the ops in ops/parts.cpp and ops/norms.cpp against central differences, and their special cases.
#include <gtest/gtest.h>

#include <cmath>

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
  Param scale = make_param("scale", random_matrix(1, kWidth, Rng(8)));
  Param shift = make_param("shift", random_matrix(1, kWidth, Rng(9)));
  Matrix mean = random_matrix(1, kWidth, Rng(10)), variance = Matrix(1, kWidth, 2);
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
TEST_F(PartsOps, StandardRows) { check_op({&x}, [&](Tape& t) { return standard_rows(t, &x); }); }
TEST_F(PartsOps, StandardColumns) { check_op({&x}, [&](Tape& t) { return standard_columns(t, &x, mean, variance); }); }
TEST_F(PartsOps, ScaleAndShift) { check_op({&x, &scale, &shift}, [&](Tape& t) { return scale_and_shift(t, &x, &scale, &shift); }); }
// clang-format on

// Outside of training the running moments are constants.
TEST_F(PartsOps, StandardColumnsByRunningMoments) {
  x.grad = Matrix(kRows, kWidth);
  const Matrix mean_before = mean, variance_before = variance;
  Tape t;
  t.start_gradients();
  const Var standard = standard_columns(t, &x, mean, variance);
  EXPECT_EQ(mean, mean_before);
  EXPECT_EQ(variance, variance_before);
  const Matrix value = standard->value;
  t.backward(weighted_sum(t, standard));
  const double s = 1 / std::sqrt(2 + 1e-5);
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kWidth; ++j) EXPECT_NEAR(value(i, j), s * (x.value(i, j) - mean(0, j)), 1e-12);
  Param again = make_param("again", x.value);
  again.grad = Matrix(kRows, kWidth);
  t.start_training(Rng(0));
  t.backward(weighted_sum(t, add_scaled(t, &again, 0, &again)));
  for (std::size_t i = 0; i < x.grad.size(); ++i) EXPECT_NEAR(x.grad.values()[i], s * again.grad.values()[i], 1e-12);
}

TEST_F(PartsOps, StandardRowsAndColumnsHaveMeanZeroAndVarianceOne) {
  Tape t;
  t.start_training(Rng(0));
  const Matrix rows = standard_rows(t, &x)->value, columns = standard_columns(t, &x, mean, variance)->value;
  for (Index i = 0; i < kRows; ++i) {
    double sum = 0, square = 0;
    for (Index j = 0; j < kWidth; ++j) sum += rows(i, j), square += rows(i, j) * rows(i, j);
    EXPECT_NEAR(sum, 0, 1e-12);
    EXPECT_NEAR(square / kWidth, 1, 1e-3);
  }
  for (Index j = 0; j < kWidth; ++j) {
    double sum = 0, square = 0;
    for (Index i = 0; i < kRows; ++i) sum += columns(i, j), square += columns(i, j) * columns(i, j);
    EXPECT_NEAR(sum, 0, 1e-12);
    EXPECT_NEAR(square / kRows, 1, 1e-3);
  }
}

TEST_F(PartsOps, RowsOfOneNumberAndColumnsOfOneStayFinite) {
  x.value.fill(3);
  Tape t;
  t.start_training(Rng(0));
  EXPECT_EQ(largest(standard_rows(t, &x)->value), 0);
  EXPECT_EQ(largest(standard_columns(t, &x, mean, variance)->value), 0);
  Param row = make_param("row", random_matrix(1, kWidth, Rng(11)));
  EXPECT_EQ(largest(standard_columns(t, &row, mean, variance)->value), 0);
  for (Real v : variance.values()) EXPECT_TRUE(std::isfinite(v));
}

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
