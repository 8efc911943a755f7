// Sparse matrices against their dense form.
#include "gcnh/base/csr.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "gcnh/base/error.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

// What every Csr promises.
void check_form(const Csr& a) {
  ASSERT_EQ(a.offsets.size(), static_cast<std::size_t>(a.rows) + 1);
  EXPECT_EQ(a.offsets.front(), 0);
  EXPECT_EQ(a.offsets.back(), a.nnz());
  EXPECT_TRUE(a.values.empty() || a.values.size() == a.indices.size());
  for (Index i = 0; i < a.rows; ++i) {
    Index last = -1;
    for (Index j : a.row(i)) {
      EXPECT_GT(j, last);  // ascending, no repeats
      EXPECT_LT(j, a.cols);
      last = j;
    }
  }
}

std::vector<Triple> random_triples(Index rows, Index cols, int count, const Rng& rng) {
  std::vector<Triple> out;
  for (int e = 0; e < count; ++e)
    out.push_back({static_cast<Index>(rng.fork(0).below(rows, e)), static_cast<Index>(rng.fork(1).below(cols, e)),
                   static_cast<Real>(rng.fork(2).uniform(e))});
  return out;
}

TEST(Csr, EntriesOutsideOfTheMatrixAreRefused) {
  const auto refusal_of = [](Index rows, Index cols, std::vector<Triple> entries) {
    try {
      make_csr(rows, cols, std::move(entries), Repeats::add);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal_of(3, 3, {{0, 2, 1}, {2, 0, 1}}), "");
  EXPECT_EQ(refusal_of(3, 3, {{7, 0, 1}}), "entry (7, 0) outside of a matrix of 3 x 3");
  EXPECT_EQ(refusal_of(3, 3, {{0, 5, 1}}), "entry (0, 5) outside of a matrix of 3 x 3");
  EXPECT_EQ(refusal_of(3, 3, {{-1, 0, 1}}), "entry (-1, 0) outside of a matrix of 3 x 3");
  EXPECT_EQ(refusal_of(3, 3, {{0, -1, 1}}), "entry (0, -1) outside of a matrix of 3 x 3");
  EXPECT_EQ(refusal_of(-1, 3, {}), "a matrix of -1 x 3");
}

TEST(Csr, MadeFromTriples) {
  for (int count : {0, 1, 10, 300}) {
    const std::vector<Triple> triples = random_triples(12, 7, count, Rng(1).fork(count));
    Matrix added(12, 7), last(12, 7);
    for (const Triple& t : triples) {
      added(t.row, t.col) += t.value;
      last(t.row, t.col) = t.value;
    }
    const Csr sum = make_csr(12, 7, triples, Repeats::add), one = make_csr(12, 7, triples, Repeats::keep_one);
    check_form(sum);
    check_form(one);
    EXPECT_TRUE(matrices_near(to_dense(sum), added, 16 * kEpsilon));
    EXPECT_TRUE(matrices_equal(to_dense(one), last));
  }
}

TEST(Csr, UnitValuesAreNotStored) {
  EXPECT_TRUE(make_csr(2, 2, {{0, 1, 1}, {1, 0, 1}}, Repeats::add).values.empty());
  EXPECT_TRUE(make_csr(2, 2, {{0, 1, 1}, {0, 1, 1}}, Repeats::keep_one).values.empty());
  const Csr twice = make_csr(2, 2, {{0, 1, 1}, {0, 1, 1}, {1, 0, 1}}, Repeats::add);
  EXPECT_EQ(twice.values, (std::vector<Real>{2, 1}));
  EXPECT_EQ(twice.value(0), 2);
}

TEST(Csr, TransposeSwapsRowsAndColumns) {
  for (bool values : {false, true}) {
    const Csr a = random_sparse(15, 9, 4, values, Rng(2));
    std::vector<Offset> source;
    const Csr t = transpose(a, &source);
    check_form(t);
    const Matrix from = to_dense(a), to = to_dense(t);
    ASSERT_EQ(to.rows(), 9);
    for (Index i = 0; i < 15; ++i)
      for (Index j = 0; j < 9; ++j) EXPECT_EQ(to(j, i), from(i, j));
    ASSERT_EQ(source.size(), static_cast<std::size_t>(a.nnz()));
    for (Index j = 0; j < t.rows; ++j)
      for (Offset e = t.offsets[j]; e < t.offsets[j + 1]; ++e) {
        EXPECT_EQ(a.indices[source[e]], j);
        EXPECT_EQ(a.value(source[e]), t.value(e));
      }
    const Csr back = transpose(t);
    EXPECT_EQ(back.offsets, a.offsets);
    EXPECT_EQ(back.indices, a.indices);
    EXPECT_EQ(back.values, a.values);
  }
}

TEST(Csr, SymmetryMeansPatternAndValues) {
  EXPECT_TRUE(is_symmetric(random_graph({.directed = false}, Rng(3))));
  EXPECT_FALSE(is_symmetric(random_graph({.directed = true}, Rng(3))));
  EXPECT_TRUE(is_symmetric(make_csr(2, 2, {{0, 1, 3}, {1, 0, 3}}, Repeats::add)));
  EXPECT_FALSE(is_symmetric(make_csr(2, 2, {{0, 1, 3}, {1, 0, 2}}, Repeats::add)));
  EXPECT_FALSE(is_symmetric(make_csr(2, 3, {}, Repeats::add)));
  EXPECT_TRUE(is_symmetric(make_csr(0, 0, {}, Repeats::add)));
}

TEST(Csr, TakeRowsKeepsTheGivenOrder) {
  for (bool values : {false, true}) {
    const Csr a = random_sparse(15, 9, 4, values, Rng(4));
    const std::vector<Index> rows = {14, 0, 3, 3};
    const Csr taken = take_rows(a, rows);
    check_form(taken);
    EXPECT_EQ(taken.cols, 9);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (Index j = 0; j < 9; ++j) EXPECT_EQ(to_dense(taken)(static_cast<Index>(i), j), to_dense(a)(rows[i], j));
  }
}

TEST(Matrix, RowsStartOnCacheLines) {
  for (Index rows : {1, 3, 100}) {
    const Matrix m(rows, 64 / static_cast<Index>(sizeof(Real)));
    for (Index i = 0; i < rows; ++i) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.row(i)) % 64, 0u);
  }
}

TEST(Matrix, ResizeKeepsMemory) {
  Matrix m(10, 10, 1);
  const Real* data = m.data();
  m.resize(3, 4);
  EXPECT_EQ(m.data(), data);
  EXPECT_EQ(m.rows(), 3);
  EXPECT_EQ(m.cols(), 4);
  EXPECT_EQ(m.size(), 12u);
  EXPECT_FALSE(m == Matrix(4, 3, 1));
  EXPECT_TRUE(Matrix(2, 2, 5) == Matrix(2, 2, 5));
}

}  // namespace
}  // namespace gcnh::testing
