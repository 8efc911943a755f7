#include "gcnh/graph/scaling.h"

#include <gtest/gtest.h>

#include "tests/graph/graph_tools.h"
#include "tests/io/io_tools.h"
#include "tests/support/matrices.h"

namespace gcnh::testing {
namespace {

Features sparse_counts() { return make_csr(3, 4, {{0, 0, 1}, {0, 1, -5000}, {1, 1, 2500}, {2, 2, 0.5}}, Repeats::add); }

TEST(Scaling, LargestDividesColumnsAndKeepsZeros) {
  const Matrix expected = matrix_of({{1, -1, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}});
  Features sparse = sparse_counts(), dense = filled(sparse_counts().sparse());
  const Scaling scaling = fit_scaling(Scale::largest, sparse);
  EXPECT_TRUE(matrices_equal(scaling.deviation, matrix_of({{1, 5000, 0.5, 1}})));  // an empty column stays
  EXPECT_TRUE(matrices_equal(fit_scaling(Scale::largest, dense).deviation, scaling.deviation));
  apply_scaling(scaling, sparse);
  apply_scaling(scaling, dense);
  ASSERT_TRUE(sparse.is_sparse());
  EXPECT_EQ(sparse.nonzeros(), 4);
  EXPECT_TRUE(matrices_equal(filled(sparse.sparse()), expected));
  EXPECT_TRUE(matrices_equal(dense.dense(), expected));
}

// A graph whose counts are all 1 stores no values; training may have seen larger ones.
TEST(Scaling, LargestOfTrainingIsAppliedToOnes) {
  const Scaling scaling = fit_scaling(Scale::largest, sparse_counts());
  Csr ones = make_csr(1, 4, {{0, 1, 1}, {0, 2, 1}}, Repeats::add);
  drop_unit_values(ones);
  Features features = ones;
  apply_scaling(scaling, features);
  EXPECT_EQ(features.sparse().values, std::vector<Real>({Real(1) / 5000, 2}));
  EXPECT_TRUE(matrices_equal(fit_scaling(Scale::largest, Features(ones)).deviation, matrix_of({{1, 1, 1, 1}})));
}

TEST(Scaling, StandardNeedsDenseFeatures) {
  EXPECT_ERROR(fit_scaling(Scale::standard, sparse_counts()),
               "scale: 'standard' would fill the zeros of sparse features; 'largest' keeps them");
  EXPECT_EQ(fit_scaling(Scale::automatic, sparse_counts()).kind, Scale::none);
}

}  // namespace
}  // namespace gcnh::testing
