// Every instruction set the library is compiled for and this CPU can run: right against the plain twins, and the same
// bits with AVX2 and AVX-512, so that machines agree. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"
#include "tests/support/simd_target.h"

namespace gcnh::testing {

// Runs a kernel on a copy of its output under every instruction set.
inline void for_all_targets(const Matrix& output, const Matrix& expected, double tolerance,
                            const std::function<void(Matrix&)>& kernel) {
  Matrix fused;  // what the instruction sets with fused multiply-add give
  for (std::int64_t target : simd_targets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    const SimdTarget scope(target);
    ASSERT_STREQ(kernels::simd_name(), hwy::TargetName(target));
    Matrix y = output;
    kernel(y);
    EXPECT_TRUE(matrices_near(y, expected, tolerance));
    if (target > HWY_AVX2) continue;  // lower bits: better targets
    if (fused.empty()) fused = y;
    EXPECT_TRUE(matrices_equal(y, fused));
  }
}

TEST(SimdTargets, ThereIsMoreThanOne) {
#if defined(__aarch64__)
  GTEST_SKIP() << "arm64 has NEON alone";
#endif
  EXPECT_GE(simd_targets().size(), 2u);
}

TEST(SimdTargets, SparseProduct) {
  const Csr a = random_sparse(60, 40, 6, true, Rng(41));
  const double tolerance = kEpsilon * (16 + a.cols);
  for (Index width : kWidths) {
    SCOPED_TRACE(width);
    const Matrix x = random_matrix(a.cols, width, Rng(42)), y = random_matrix(a.rows, width, Rng(43));
    for (const std::span<const Real> values : {std::span<const Real>(a.values), std::span<const Real>()}) {
      for_all_targets(y, plain::spmm(a, values, x), tolerance, [&](Matrix& out) { kernels::spmm(a, values, x, out); });
      for_all_targets(y, plain::spmm_add(a, values, x, y), tolerance,
                      [&](Matrix& out) { kernels::spmm_add(a, values, x, out); });
    }
  }
}

TEST(SimdTargets, DenseProducts) {
  for (Index width : kWidths) {
    SCOPED_TRACE(width);
    const Matrix x = random_matrix(303, 13, Rng(44)), w = random_matrix(13, width, Rng(45)),
                 y = random_matrix(303, width, Rng(46));
    const double tolerance = kEpsilon * (16 + 303);
    for_all_targets(y, plain::gemm(x, w), tolerance, [&](Matrix& out) { kernels::gemm(x, w, out); });
    for_all_targets(y, plain::gemm_add(x, w, y), tolerance, [&](Matrix& out) { kernels::gemm_add(x, w, out); });
    for_all_targets(w, plain::gemm_transposed_add(x, y, w), tolerance,
                    [&](Matrix& out) { kernels::gemm_transposed_add(x, y, out); });
  }
}

// The sums' epilogues, the listed rows and the pushing product.
TEST(SimdTargets, ListedRows) {
  const Csr a = random_sparse(60, 40, 6, true, Rng(51)), at = transpose(a);
  std::vector<Index> list(60);
  for (Index i = 0; i < 60; ++i) list[i] = i;
  shuffle(list, Rng(52));
  const auto rows = kernels::RowMap::listed(list);
  const double tolerance = kEpsilon * (16 + 60);
  for (Index width : kWidths) {
    SCOPED_TRACE(width);
    const Matrix x = random_matrix(40, width, Rng(53)), y = random_matrix(60, width, Rng(54)), bias(1, width, 0),
                 left = random_matrix(60, 13, Rng(55)), w = random_matrix(13, width, Rng(56));
    const auto leaky = [&](const Matrix& sum) {
      return plain::each(60, width,
                         [&](Index i, Index j) { return plain::wide(sum(i, j)) * (sum(i, j) > 0 ? 1 : 0.25L); });
    };
    const kernels::Epilogue activate{&bias, nullptr, Real(0.25)};
    for_all_targets(y, leaky(plain::spmm(a, a.values, x)), tolerance,
                    [&](Matrix& out) { kernels::spmm_rows(a, a.values, rows, x, activate, out); });
    for_all_targets(y, leaky(plain::gemm(left, w)), tolerance,
                    [&](Matrix& out) { kernels::gemm_rows(rows, left, w, activate, out); });
    for_all_targets(w, plain::gemm_transposed_add(left, y, w), tolerance,
                    [&](Matrix& out) { kernels::gemm_transposed_rows_add(list, left, y, out); });
    for_all_targets(x, plain::spmm_add(at, at.values, y, x), tolerance,
                    [&](Matrix& out) { kernels::spmm_push_add(a, a.values, list, y, out); });
    for_all_targets(y, plain::spmm(a, a.values, x), tolerance,
                    [&](Matrix& out) { kernels::spmm_gather_rows(a, a.values, list, x, out); });
  }
}

// Kernels without sums over many terms: every instruction set gives the bits of the first.
TEST(SimdTargets, MapsGiveTheSameBitsEverywhere) {
  std::vector<Index> list = {5, 0, 3, 8};
  for (Index width : kWidths) {
    SCOPED_TRACE(width);
    const Matrix x = random_matrix(9, width, Rng(61)), d = random_matrix(9, width, Rng(62)),
                 y = random_matrix(9, width, Rng(63)), row = random_matrix(1, width, Rng(64), 0, 1),
                 factor = random_matrix(4, width, Rng(65), 0, 2);
    const auto run = [&] {
      std::vector<Matrix> out(13, y);
      out[8] = out[9] = out[12] = row;
      kernels::add(x, out[0]);
      kernels::multiply(x, d.values(), out[1]);
      kernels::multiply_add(x, d.values(), out[2]);
      kernels::leaky_relu(x, Real(0.01), out[3]);
      kernels::leaky_relu_backward_add(x, Real(0.01), d, out[4]);
      kernels::elu_backward_add(x, d, out[6]);
      kernels::add_row(row, out[7]);
      kernels::column_sums_add(x, out[8]);
      kernels::column_sums_rows_add(list, x, out[9]);
      kernels::add_rows(list, x, out[10]);
      kernels::gate_rows(list, x, Real(0.01), out[10]);
      kernels::mix_rows(list, row, x, d, &factor, out[11]);
      Matrix g = y, dz = y;
      kernels::mix_rows_backward(list, row, x, d, &factor, y, Real(0.01), g, dz, out[12]);
      out.push_back(g);
      out.push_back(dz);
      return out;
    };
    std::vector<Matrix> first;
    for (std::int64_t target : simd_targets()) {
      const SimdTarget scope(target);
      const std::vector<Matrix> found = run();
      if (first.empty()) first = found;
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(matrices_equal(found[i], first[i])) << hwy::TargetName(target) << " output " << i;
    }
  }
}

// Its exponential is a polynomial in fused products.
TEST(SimdTargets, Elu) {
  for (Index width : kWidths) {
    SCOPED_TRACE(width);
    const Matrix x = random_matrix(9, width, Rng(66), -9, 3);
    const Matrix expected = plain::each(9, width, [&](Index i, Index j) {
      return x(i, j) > 0 ? plain::wide(x(i, j)) : std::expm1(plain::wide(x(i, j)));
    });
    for_all_targets(Matrix(9, width), expected, 4 * kEpsilon, [&](Matrix& out) { kernels::elu(x, out); });
  }
}

TEST(SimdTargets, DropoutFactors) {
  for (std::size_t count : {7, 8, 200, 1003}) {
    const std::vector<Real> expected = plain::dropout_factors(Rng(57), 0.3, count);
    for (std::int64_t target : simd_targets()) {
      const SimdTarget scope(target);
      std::vector<Real> found(count, 9);
      kernels::dropout_factors(Rng(57), 0.3, found);
      EXPECT_EQ(found, expected) << hwy::TargetName(target);
    }
  }
}

TEST(SimdTargets, Adam) {
  for (Index width : kWidths) {
    SCOPED_TRACE(width);
    const Matrix w = random_matrix(3, width, Rng(47)), grad = random_matrix_off_zero(3, width, Rng(48));
    const plain::AdamSettings step{0.005, 0.005, 1};
    const Matrix expected = plain::each(3, width, [&](Index i, Index j) {
      plain::AdamState p{plain::wide(w(i, j))};
      plain::adam(step, plain::wide(grad(i, j)), p);
      return p.w;
    });
    for_all_targets(w, expected, 4 * kEpsilon, [&](Matrix& out) {
      Matrix g = grad, m(3, width), v(3, width);
      kernels::adam(step.made(), out.values(), g.values(), m.values(), v.values());
      EXPECT_TRUE(matrices_equal(g, Matrix(3, width)));
    });
  }
}

}  // namespace gcnh::testing
