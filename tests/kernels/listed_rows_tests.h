// Kernels that work on listed rows, and what becomes of their sums, against plain twins. In the float and the double
// suite.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "gcnh/kernels/kernels.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {

// About half of the rows, in random order.
inline std::vector<Index> random_rows(Index rows, const Rng& rng) {
  std::vector<Index> out;
  for (Index i = 0; i < rows; ++i)
    if (rng.uniform(i) < 0.5) out.push_back(i);
  shuffle(out, rng.fork(0));
  return out;
}

inline std::vector<kernels::RowMap> row_maps(Index rows, const std::vector<Index>& list) {
  return {kernels::RowMap::all(rows), kernels::RowMap::listed(list), kernels::RowMap::packed_from(list)};
}

// y with row target(i) = epilogue(product[source(i)]), the other rows as they were.
inline Matrix place(const Matrix& product, const kernels::RowMap& rows, const kernels::Epilogue& epilogue, Matrix y) {
  for (Index i = 0; i < rows.count; ++i) {
    const Index from = rows.list ? rows.list[i] : i, to = rows.packed ? i : from;
    for (Index j = 0; j < y.cols(); ++j) {
      plain::Wide sum = plain::wide(product(from, j));
      if (epilogue.bias) sum += plain::wide((*epilogue.bias)(0, j));
      const bool positive = epilogue.gate ? (*epilogue.gate)(from, j) > 0 : sum > 0;
      const bool active = epilogue.bias || epilogue.gate;
      y(to, j) = plain::narrow(active && !positive ? sum * plain::wide(epilogue.slope) : sum);
    }
  }
  return y;
}

// Calls check(map, epilogue) for all maps and for no epilogue, bias and gate.
template <class Check>
void for_all_maps(Index rows, Index width, const Rng& rng, const Check& check) {
  const std::vector<Index> list = random_rows(rows, rng.fork(100));
  const Matrix bias = random_matrix(1, width, rng.fork(101)), gate = random_matrix(rows, width, rng.fork(102));
  const Real slope = Real(0.01);
  for (const kernels::RowMap& map : row_maps(rows, list))
    for (const kernels::Epilogue& epilogue :
         {kernels::Epilogue{}, kernels::Epilogue{&bias, nullptr, slope}, kernels::Epilogue{nullptr, &gate, slope}})
      check(map, epilogue);
}

TEST(RowKernels, SparseProduct) {
  for_all_shapes([](Index rows, Index width) {
    const Rng rng = Rng(81).fork(rows).fork(width);
    const Csr a = random_sparse(rows, 30, 6, width % 2 == 0, rng.fork(0));
    const Matrix x = random_matrix(30, width, rng.fork(1)), before = random_matrix(rows, width, rng.fork(2));
    const Matrix product = plain::spmm(a, a.values, x);
    for_all_maps(rows, width, rng, [&](const kernels::RowMap& map, const kernels::Epilogue& epilogue) {
      Matrix y = before;
      kernels::spmm_rows(a, a.values, map, x, epilogue, y);
      EXPECT_TRUE(matrices_near(y, place(product, map, epilogue, before), kEpsilon * 64));
    });
  });
}

TEST(RowKernels, DenseProduct) {
  for_all_shapes([](Index rows, Index width) {
    const Rng rng = Rng(82).fork(rows).fork(width);
    const Matrix x = random_matrix(rows, 13, rng.fork(0)), w = random_matrix(13, width, rng.fork(1)),
                 before = random_matrix(rows, width, rng.fork(2));
    const Matrix product = plain::gemm(x, w), sum = plain::gemm_add(x, w, before);
    for_all_maps(rows, width, rng, [&](const kernels::RowMap& map, const kernels::Epilogue& epilogue) {
      Matrix y = before;
      kernels::gemm_rows(map, x, w, epilogue, y);
      EXPECT_TRUE(matrices_near(y, place(product, map, epilogue, before), kEpsilon * 64));
      if (map.packed) return;
      y = before;
      kernels::gemm_rows_add(map, x, w, y);
      EXPECT_TRUE(matrices_near(y, place(sum, map, {}, before), kEpsilon * 64));
    });
  });
}

TEST(RowKernels, TransposedProducts) {
  for_all_shapes([](Index rows, Index width) {
    const Rng rng = Rng(83).fork(rows).fork(width);
    const std::vector<Index> list = random_rows(rows, rng.fork(3));
    Matrix x = random_matrix(rows, width, rng.fork(0)), listed(rows, width);
    for (Index u : list)
      for (Index j = 0; j < width; ++j) listed(u, j) = x(u, j);  // zeros elsewhere
    const double tolerance = kEpsilon * (16 + rows);

    const Csr a = random_sparse(rows, 30, 6, width % 2 == 0, rng.fork(1));
    const Csr at = transpose(a);
    const Matrix before = random_matrix(30, width, rng.fork(2));
    Matrix y = before;
    kernels::spmm_push_add(a, a.values, list, x, y);
    EXPECT_TRUE(matrices_near(y, plain::spmm_add(at, at.values, listed, before), tolerance));
    Matrix gathered = before;
    kernels::spmm_gather_rows(at, at.values, std::vector<Index>{4, 17, 29}, listed, gathered);
    const Matrix product = plain::spmm(at, at.values, listed);
    for (Index v = 0; v < 30; ++v)
      for (Index j = 0; j < width; ++j)
        EXPECT_NEAR(gathered(v, j), v == 4 || v == 17 || v == 29 ? product(v, j) : before(v, j), tolerance);

    const Matrix left = random_matrix(rows, 30, rng.fork(4));
    Matrix dw = before;
    kernels::gemm_transposed_rows_add(list, left, x, dw);
    EXPECT_TRUE(matrices_near(dw, plain::gemm_transposed_add(left, listed, before), tolerance));
  });
}

// More listed rows than one part (8192) and than one cached piece (256).
TEST(RowKernels, TransposedProductOfManyRows) {
  std::vector<Index> list(20001);
  for (Index i = 0; i < 20001; ++i) list[i] = i;
  shuffle(list, Rng(84));
  const Matrix x = random_matrix(20001, 5, Rng(85)), dy = random_matrix(20001, 9, Rng(86));
  Matrix dw(5, 9, 1);
  kernels::gemm_transposed_rows_add(list, x, dy, dw);
  EXPECT_TRUE(matrices_near(dw, plain::gemm_transposed_add(x, dy, Matrix(5, 9, 1)), kEpsilon * 20001));
}

TEST(RowKernels, Maximum) {
  for_all_shapes([](Index rows, Index width) {
    const Rng rng = Rng(87).fork(rows).fork(width);
    const Csr a = random_sparse(rows, 30, 6, false, rng.fork(0));
    const Matrix x = random_matrix(30, width, rng.fork(1), -1.5, 0.5), before = random_matrix(rows, width, rng.fork(2));
    const std::vector<Index> list = random_rows(rows, rng.fork(3));
    for (bool floor : {false, true}) {
      const plain::Maximum expected = plain::spmax(a, x, floor);
      for (const kernels::RowMap& map : row_maps(rows, list)) {
        Matrix y = before;
        std::vector<Index> winner(before.size(), -7), wanted(before.size(), -7);
        kernels::spmax_rows(a, map, x, floor, y, winner.data());
        EXPECT_TRUE(matrices_equal(y, place(expected.y, map, {}, before)));
        for (Index i = 0; i < map.count; ++i)
          for (Index j = 0; j < width; ++j)
            wanted[static_cast<std::size_t>(map.target(i)) * width + j] =
                expected.winner[static_cast<std::size_t>(map.source(i)) * width + j];
        EXPECT_EQ(winner, wanted);
      }
    }
  });
}

TEST(RowKernels, Mix) {
  using plain::wide;
  for_all_shapes([](Index rows, Index k) {
    const Rng rng = Rng(88).fork(rows).fork(k);
    const Matrix b = random_matrix(1, k, rng.fork(0), 0, 1), z = random_matrix(rows, k, rng.fork(1)),
                 a = random_matrix(rows, k, rng.fork(2)), dh = random_matrix(rows, k, rng.fork(3)),
                 before = random_matrix(rows, k, rng.fork(4)), db_before = random_matrix(1, k, rng.fork(5));
    const std::vector<Index> list = random_rows(rows, rng.fork(6));
    const Matrix factors = random_matrix(static_cast<Index>(list.size()), k, rng.fork(7), 0, 2);
    const Real slope = Real(0.01);
    for (const Matrix* factor : {static_cast<const Matrix*>(nullptr), &factors}) {
      Matrix h = before, g = before, dz = before, db = db_before, h1 = before, g1 = before, dz1 = before,
             db1 = db_before;
      kernels::mix_rows(list, b, z, a, factor, h);
      kernels::mix_rows_backward(list, b, z, a, factor, dh, slope, g, dz, db);
      for (std::size_t i = 0; i < list.size(); ++i) {
        for (Index j = 0; j < k; ++j) {
          const Index u = list[i];
          const plain::Wide f = factor ? wide((*factor)(static_cast<Index>(i), j)) : 1, w = wide(b(0, j));
          const plain::Wide d = f * wide(dh(u, j));
          h1(u, j) = plain::narrow(f * (w * wide(z(u, j)) + (1 - w) * wide(a(u, j))));
          g1(u, j) = plain::narrow((1 - w) * d);
          dz1(u, j) = plain::narrow(w * d * (z(u, j) > 0 ? 1 : wide(slope)));
          db1(0, j) += plain::narrow(d * (wide(z(u, j)) - wide(a(u, j))));
        }
      }
      EXPECT_TRUE(matrices_near(h, h1, 8 * kEpsilon));
      EXPECT_TRUE(matrices_near(g, g1, 8 * kEpsilon));
      EXPECT_TRUE(matrices_near(dz, dz1, 8 * kEpsilon));
      EXPECT_TRUE(matrices_near(db, db1, kEpsilon * (16 + 4 * rows)));
    }
  });
}

TEST(RowKernels, SmallMaps) {
  for_all_shapes([](Index rows, Index k) {
    const Rng rng = Rng(89).fork(rows).fork(k);
    const Matrix x = random_matrix(rows, k, rng.fork(0)), before = random_matrix(rows, k, rng.fork(1)),
                 row = random_matrix(1, k, rng.fork(2));
    const std::vector<Index> list = random_rows(rows, rng.fork(3));
    Matrix zeroed = before, gated = before, added = before, sums = row;
    Matrix zeroed1 = before, gated1 = before, added1 = before, sums1 = row;
    kernels::zero_rows(list, zeroed);
    kernels::gate_rows(list, x, Real(0.25), gated);
    kernels::add_rows(list, x, added);
    kernels::column_sums_rows_add(list, x, sums);
    for (Index u : list) {
      for (Index j = 0; j < k; ++j) {
        zeroed1(u, j) = 0;
        if (x(u, j) <= 0) gated1(u, j) /= 4;
        added1(u, j) += x(u, j);
        sums1(0, j) += x(u, j);
      }
    }
    EXPECT_TRUE(matrices_equal(zeroed, zeroed1));
    EXPECT_TRUE(matrices_equal(gated, gated1));
    EXPECT_TRUE(matrices_equal(added, added1));
    EXPECT_TRUE(matrices_near(sums, sums1, kEpsilon * (16 + rows)));
  });
}

// The factors of listed rows are those that the whole matrix would get.
TEST(RowKernels, DropoutFactors) {
  for (Index rows : kRows) {
    for (Index width : {8, 16, 64, 128}) {
      const Rng rng = Rng(90).fork(rows);
      const std::vector<Index> list = random_rows(rows, rng.fork(0));
      const std::vector<Real> all = plain::dropout_factors(rng, 0.3, static_cast<std::size_t>(rows) * width);
      Matrix factor(static_cast<Index>(list.size()), width, 9);
      kernels::dropout_factor_rows(rng, 0.3, list, factor);
      for (Index i = 0; i < factor.rows(); ++i)
        for (Index j = 0; j < width; ++j) ASSERT_EQ(factor(i, j), all[static_cast<std::size_t>(list[i]) * width + j]);
    }
  }
}

// Rows of every length, so that a sum made of interleaved parts would show.
TEST(RowKernels, GatheringMakesTheAdditionsOfPushing) {
  for (bool weighted : {false, true}) {
    for (Index width : {1, 7, 16, 32, 48, 64, 77}) {
      SCOPED_TRACE(::testing::Message() << "width " << width << (weighted ? ", weighted" : ""));
      const Csr a = random_sparse(200, 40, 12, weighted, Rng(84));
      std::vector<Index> list, all(40);
      for (Index u = 0; u < 200; ++u)
        if (u % 7 != 3) list.push_back(u);
      for (Index v = 0; v < 40; ++v) all[v] = v;
      Matrix x = random_matrix(200, width, Rng(85));
      for (Index u = 0; u < 200; ++u)
        if (u % 7 == 3) std::fill_n(x.row(u), width, Real{0});
      Matrix pushed(40, width), gathered = random_matrix(40, width, Rng(86));
      kernels::spmm_push_add(a, a.values, list, x, pushed);
      const Csr at = transpose(a);
      kernels::spmm_gather_rows(at, at.values, all, x, gathered);
      EXPECT_TRUE(matrices_equal(gathered, pushed));
    }
  }
}

}  // namespace gcnh::testing
