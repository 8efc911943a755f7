// The gradients of the ops in ops/propagate.cpp against central differences, and their values against plain products.
#include <gtest/gtest.h>

#include "gcnh/graph/adjacency.h"
#include "gcnh/ops/ops.h"
#include "tests/kernels/twins.h"
#include "tests/support/gradcheck.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

struct PropagateOps : ::testing::Test {
  static constexpr Index kNodes = 9, kWidth = 5;

  Param x = make_param("x", random_matrix(kNodes, kWidth, Rng(1)));
  Param z = make_param("z", random_matrix(kNodes, kWidth, Rng(2)));
  Param gamma = make_param("gamma", random_matrix(1, 4, Rng(3)));
  Param constant = make_param("constant", random_matrix(1, 1, Rng(4)));

  static Csr graph(bool directed) { return random_graph({.nodes = kNodes, .directed = directed}, Rng(5)); }
  const Propagator undirected{graph(false)}, directed{graph(true)};
  const Csr simple = simple_graph(graph(false));
  const NormalizedPattern pattern{simple};
  const std::vector<Index> some = {7, 0, 3}, all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
};

// clang-format off
TEST_F(PropagateOps, PowerSumUndirected) { check_op({&gamma, &x}, [&](Tape& t) { return power_sum(t, undirected, &gamma, &x); }); }
TEST_F(PropagateOps, PowerSumDirected) { check_op({&gamma, &x}, [&](Tape& t) { return power_sum(t, directed, &gamma, &x); }); }
TEST_F(PropagateOps, PowerSumWithoutSteps) { check_op({&constant, &x}, [&](Tape& t) { return power_sum(t, directed, &constant, &x); }); }
TEST_F(PropagateOps, Add) { check_op({&x, &z}, [&](Tape& t) { return add(t, &x, &z); }); }
TEST_F(PropagateOps, AddToItself) { check_op({&x}, [&](Tape& t) { return add(t, &x, &x); }); }
TEST_F(PropagateOps, NormalizedPatternAllRows) { check_op({&x}, [&](Tape& t) { return pattern.times(t, &x, all); }); }
TEST_F(PropagateOps, NormalizedPatternSomeRows) { check_op({&x}, [&](Tape& t) { return pattern.times(t, &x, some); }); }
TEST_F(PropagateOps, NormalizedPatternTwice) { check_op({&x}, [&](Tape& t) { return pattern.times(t, pattern.times(t, &x, all), some); }); }
// clang-format on

TEST_F(PropagateOps, PowerSumIsTheSumOfPowers) {
  Tape t;
  t.start_evaluation();
  const Csr& p = directed.forward();
  Matrix power = x.value, expected(kNodes, kWidth);
  for (Index k = 0; k < gamma.cols(); ++k) {
    for (std::size_t i = 0; i < power.size(); ++i) expected.values()[i] += gamma.value(0, k) * power.values()[i];
    power = plain::spmm(p, p.values, power);
  }
  EXPECT_TRUE(matrices_near(power_sum(t, directed, &gamma, &x)->value, expected, 1e-9));
}

TEST_F(PropagateOps, NormalizedWeightsDivideByBothSums) {
  Csr a = symmetric_max(random_graph({.nodes = kNodes, .directed = true}, Rng(6)));
  drop_loops(a);
  ASSERT_FALSE(a.values.empty());
  const NormalizedPattern weighted(a);
  const Matrix dense = to_dense(a);
  std::vector<double> sum(kNodes, 0);
  for (Index u = 0; u < kNodes; ++u)
    for (Index v = 0; v < kNodes; ++v) sum[u] += dense(u, v);
  Tape t;
  t.start_evaluation();
  const Var y = weighted.times(t, &x, all);
  for (Index u = 0; u < kNodes; ++u) {
    for (Index j = 0; j < kWidth; ++j) {
      double expected = 0;
      for (Index v = 0; v < kNodes; ++v)
        if (dense(u, v) > 0) expected += dense(u, v) * x.value(v, j) / std::sqrt(sum[u] * sum[v]);
      EXPECT_NEAR(y->value(u, j), expected, 1e-12);
    }
  }
  check_op({&x}, [&](Tape& tape) { return weighted.times(tape, weighted.times(tape, &x, all), some); });
}

TEST_F(PropagateOps, NormalizedPatternDividesByBothDegrees) {
  Tape t;
  t.start_evaluation();
  const Var y = pattern.times(t, &x, some);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < kWidth; ++j) {
      double sum = 0;
      for (Index v : simple.row(some[i]))
        sum += x.value(v, j) / std::sqrt(static_cast<double>(simple.row(some[i]).size() * simple.row(v).size()));
      EXPECT_NEAR(y->value(i, j), sum, 1e-12);
    }
  }
}

}  // namespace
}  // namespace gcnh::testing
