// The gradient of every op in ops.h against central differences, one line per op and variant. Inputs keep away from
// kinks.
#include <gtest/gtest.h>

#include "gcnh/ops/ops.h"
#include "tests/support/gradcheck.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

struct OpGradients : ::testing::Test {
  static constexpr Index kNodes = 9, kFeatures = 7, kWidth = 5;

  Param x = make_param("x", random_matrix_off_zero(kNodes, kWidth, Rng(1)));
  Param distinct = make_param("distinct", distinct_matrix(kNodes, kWidth, Rng(2)));
  Param z = make_param("z", random_matrix(kNodes, kWidth, Rng(3)));
  Param w = make_param("w", random_matrix(kWidth, 4, Rng(4)));
  Param bias = make_param("bias", random_matrix(1, kWidth, Rng(5)));
  Param narrow = make_param("narrow", random_matrix(1, 4, Rng(10)));
  Param theta = make_param("theta", matrix_of({{0.4}}));
  Param thetas = make_param("thetas", random_matrix(1, kWidth, Rng(6)));
  Param first = make_param("first", random_matrix(kFeatures, kWidth, Rng(7)));

  const Csr entries = random_sparse(kNodes, kFeatures, 3, true, Rng(8));
  const Features sparse = sparse_features(entries);
  const Features ones = sparse_features(random_sparse(kNodes, kFeatures, 3, false, Rng(8)));
  const Features dense = dense_features(to_dense(entries));
  const Input sparse_input{sparse}, ones_input{ones}, dense_input{dense};

  static Propagator graph(bool directed, bool weights) {
    return Propagator(random_graph({.nodes = kNodes, .directed = directed, .weights = weights}, Rng(9)));
  }
  const Propagator undirected = graph(false, false), directed = graph(true, false), weighted = graph(false, true),
                   directed_weighted = graph(true, true);
  const std::vector<Index> rows = {7, 0, 3};
};

TEST_F(OpGradients, FixturesAreWhatTheyClaim) {
  EXPECT_TRUE(ones.sparse().values.empty() && !sparse.sparse().values.empty());
  EXPECT_TRUE(undirected.forward().values.empty() && !weighted.forward().values.empty());
  EXPECT_EQ(&undirected.forward(), &undirected.backward());
  EXPECT_EQ(&weighted.forward(), &weighted.backward());
  EXPECT_NE(&directed.forward(), &directed.backward());
  EXPECT_NE(&directed_weighted.forward(), &directed_weighted.backward());
}

// clang-format off
TEST_F(OpGradients, InputSparse) { check_op({&first}, [&](Tape& t) { return sparse_input.times(t, &first); }); }
TEST_F(OpGradients, InputSparseDropped) { check_op({&first}, [&](Tape& t) { return sparse_input.times(t, &first, 0.4); }); }
TEST_F(OpGradients, InputOnes) { check_op({&first}, [&](Tape& t) { return ones_input.times(t, &first); }); }
TEST_F(OpGradients, InputOnesDropped) { check_op({&first}, [&](Tape& t) { return ones_input.times(t, &first, 0.4); }); }
TEST_F(OpGradients, InputDense) { check_op({&first}, [&](Tape& t) { return dense_input.times(t, &first); }); }
TEST_F(OpGradients, InputDenseDropped) { check_op({&first}, [&](Tape& t) { return dense_input.times(t, &first, 0.4); }); }
TEST_F(OpGradients, EncodeSparse) { check_op({&first, &bias}, [&](Tape& t) { return sparse_input.encode(t, &first, &bias, 0.01); }); }
TEST_F(OpGradients, EncodeOnes) { check_op({&first, &bias}, [&](Tape& t) { return ones_input.encode(t, &first, &bias, 1); }); }
TEST_F(OpGradients, EncodeDense) { check_op({&first, &bias}, [&](Tape& t) { return dense_input.encode(t, &first, &bias, 0.3); }); }
TEST_F(OpGradients, EncodeHidden) { check_op({&x, &w, &narrow}, [&](Tape& t) { return Input(&x).encode(t, &w, &narrow, 0.01); }); }
TEST_F(OpGradients, EncodeRowsOfAnOperator) { check_op({&z, &bias}, [&](Tape& t) { return Input(directed_weighted).encode(t, &z, &bias, 0.01); }); }
TEST_F(OpGradients, Matmul) { check_op({&x, &w}, [&](Tape& t) { return matmul(t, &x, &w); }); }
TEST_F(OpGradients, AddBias) { check_op({&x, &bias}, [&](Tape& t) { return add_bias(t, &x, &bias); }); }
TEST_F(OpGradients, SpmmUndirected) { check_op({&x}, [&](Tape& t) { return spmm(t, undirected, &x); }); }
TEST_F(OpGradients, SpmmDirected) { check_op({&x}, [&](Tape& t) { return spmm(t, directed, &x); }); }
TEST_F(OpGradients, SpmmWeighted) { check_op({&x}, [&](Tape& t) { return spmm(t, weighted, &x); }); }
TEST_F(OpGradients, SpmmDirectedWeighted) { check_op({&x}, [&](Tape& t) { return spmm(t, directed_weighted, &x); }); }
TEST_F(OpGradients, Spmax) { check_op({&distinct}, [&](Tape& t) { return spmax(t, weighted, &distinct, false); }); }
TEST_F(OpGradients, SpmaxFloor) { check_op({&distinct}, [&](Tape& t) { return spmax(t, weighted, &distinct, true); }); }
TEST_F(OpGradients, SpmaxDirected) { check_op({&distinct}, [&](Tape& t) { return spmax(t, directed, &distinct, false); }); }
TEST_F(OpGradients, SpmaxDirectedFloor) { check_op({&distinct}, [&](Tape& t) { return spmax(t, directed, &distinct, true); }); }
TEST_F(OpGradients, LeakyRelu) { check_op({&x}, [&](Tape& t) { return leaky_relu(t, &x, 0.01); }); }
TEST_F(OpGradients, Relu) { check_op({&x}, [&](Tape& t) { return relu(t, &x); }); }
TEST_F(OpGradients, Elu) { check_op({&x}, [&](Tape& t) { return elu(t, &x); }); }
TEST_F(OpGradients, Dropout) { check_op({&x}, [&](Tape& t) { return dropout(t, &x, 0.4); }); }
TEST_F(OpGradients, DropoutNone) { check_op({&x}, [&](Tape& t) { return dropout(t, &x, 0); }); }
TEST_F(OpGradients, GatherRows) { check_op({&x}, [&](Tape& t) { return gather_rows(t, &x, rows); }); }
TEST_F(OpGradients, MixLearned) { check_op({&theta, &x, &z}, [&](Tape& t) { return mix(t, &theta, &x, &z); }); }
TEST_F(OpGradients, MixPointwise) { check_op({&thetas, &x, &z}, [&](Tape& t) { return mix(t, &thetas, &x, &z); }); }
TEST_F(OpGradients, MixConstant) { check_op({&x, &z}, [&](Tape& t) { return mix(t, Real(0.3), &x, &z); }); }
TEST_F(OpGradients, SoftmaxNllWeighted) { check_op({&x}, [&](Tape& t) { return softmax_nll(t, &x, {0, 1, 2, 3, 4, 0, 0, 4, 2}, {1, 3, 0.5, 2, 7}); }); }
TEST_F(OpGradients, SoftmaxNll) { check_op({&x}, [&](Tape& t) { return softmax_nll(t, &x, {0, 1, 2, 3, 4, 0, 0, 4, 2}); }); }
// clang-format on

// In one step and in three: the same values, and the same gradients.
TEST_F(OpGradients, EncodeEqualsItsParts) {
  for (double slope : {0.01, 1.0}) {
    for (const Input* input : {&sparse_input, &ones_input, &dense_input}) {
      std::vector<Matrix> values;
      for (bool whole : {true, false}) {
        first.grad = Matrix(kFeatures, kWidth);
        bias.grad = Matrix(1, kWidth);
        Tape t;
        t.start_training(Rng(0));
        Var y = whole ? input->encode(t, &first, &bias, slope)
                      : leaky_relu(t, add_bias(t, input->times(t, &first), &bias), slope);
        t.backward(weighted_sum(t, y));
        values.insert(values.end(), {y->value, first.grad, bias.grad});
      }
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(values[i], values[i + 3]);
    }
  }
}

// A value used several times collects the sum of its gradients.
TEST_F(OpGradients, ValuesUsedTwice) {
  check_op({&x, &theta}, [&](Tape& t) {
    Var y = elu(t, &x);
    return mix(t, &theta, spmm(t, directed, y), mix(t, &theta, y, &x));
  });
}

}  // namespace
}  // namespace gcnh::testing
