#include "gcnh/graph/features.h"

#include <gtest/gtest.h>

#include "tests/graph/graph_tools.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

Csr sparse_of(const Matrix& m) {
  std::vector<Triple> triples;
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) {
      if (m(i, j) != 0) triples.push_back({i, j, m(i, j)});
    }
  }
  return make_csr(m.rows(), m.cols(), std::move(triples), Repeats::keep_one);
}

Matrix content(const Features& f) { return f.is_sparse() ? to_dense(f.sparse()) : f.dense(); }

// Both forms of the same features.
std::vector<Features> forms(const Matrix& m) { return {sparse_features(sparse_of(m)), dense_features(m)}; }

TEST(GraphFeatures, NonzerosSkipStoredZeros) {
  for (const Features& f : forms(matrix_of({{1, 0, 1}, {0, 0, 1}}))) EXPECT_EQ(f.nonzeros(), 3);
  Features stored = sparse_features(sparse_of(matrix_of({{1, 0, 2}})));
  stored.sparse().values[0] = 0;
  EXPECT_EQ(stored.nonzeros(), 1);
  EXPECT_EQ(Features{}.nonzeros(), 0);
}

TEST(GraphFeatures, ScaleRowsDividesByTheSum) {
  for (Features f : forms(matrix_of({{1, 0, 3}, {0, 0, 0}, {0, 2, 0}}))) {
    scale_rows(f);
    EXPECT_TRUE(matrices_near(content(f), matrix_of({{0.25, 0, 0.75}, {0, 0, 0}, {0, 1, 0}}), 1e-7));
  }
}

TEST(GraphFeatures, ScaleRowsOfOnes) {
  for (Features f : forms(matrix_of({{1, 1, 0, 1}, {0, 0, 0, 0}, {1, 0, 1, 0}}))) {
    scale_rows(f);
    const double third = 1.0 / 3;
    EXPECT_TRUE(matrices_near(content(f), matrix_of({{third, third, 0, third}, {0, 0, 0, 0}, {0.5, 0, 0.5, 0}}), 1e-7));
  }
}

TEST(GraphFeatures, ScaleRowsLeavesRowsThatCancel) {
  for (Features f : forms(matrix_of({{2, -2}, {3, 1}}))) {
    scale_rows(f);
    EXPECT_TRUE(matrices_near(content(f), matrix_of({{2, -2}, {0.75, 0.25}}), 1e-7));
  }
}

TEST(GraphFeatures, TakeRowsInTheOrderAsked) {
  const std::vector<Index> rows = {2, 0, 2};
  for (const Features& f : forms(matrix_of({{1, 2}, {3, 4}, {0, 6}}))) {
    EXPECT_TRUE(matrices_equal(content(take_rows(f, rows)), matrix_of({{0, 6}, {1, 2}, {0, 6}})));
  }
}

TEST(GraphFeatures, ShiftMovesColumnZeroOntoTheLast) {
  // Row 0 has both ends, row 1 the first only, row 2 the last only, row 3 neither, row 4 nothing.
  const Matrix before = matrix_of({{1, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}, {0, 1, 1, 0}, {0, 0, 0, 0}});
  const Matrix after = matrix_of({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 0}, {0, 0, 0}});
  for (const Features& f : forms(before)) {
    const Features shifted = shift_columns(f);
    EXPECT_EQ(shifted.is_sparse(), f.is_sparse());
    EXPECT_EQ(shifted.cols(), 3);
    EXPECT_TRUE(matrices_equal(content(shifted), after));
    EXPECT_TRUE(!shifted.is_sparse() || shifted.sparse().values.empty());
  }
}

TEST(GraphFeatures, ShiftKeepsTheLargerValueWhereTwoMeet) {
  for (const Features& f : forms(matrix_of({{5, 0, 2}, {3, 1, 4}}))) {
    EXPECT_TRUE(matrices_equal(content(shift_columns(f)), matrix_of({{0, 5}, {1, 4}})));
  }
}

TEST(GraphFeatures, ShiftNeedsTwoColumns) {
  EXPECT_EQ(error_text([] { shift_columns(dense_features(Matrix(2, 1))); }),
            "65: columns=shifted: features have 1 column; at least 2 are needed");
}

}  // namespace
}  // namespace gcnh::testing
