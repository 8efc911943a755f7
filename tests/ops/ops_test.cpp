// What ops promise beside their gradients: shape checks, evaluation without gradients or dropout, dropout's meaning.
#include "gcnh/ops/ops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/base/error.h"
#include "tests/kernels/twins.h"
#include "tests/support/gradcheck.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

struct OpsTest : ::testing::Test {
  OpsTest() { tape.start_training(Rng(3)); }
  Tape tape;
  Param x = make_param("x", random_matrix(6, 3, Rng(1)));
  Param w = make_param("w", random_matrix(3, 2, Rng(2)));
};

TEST_F(OpsTest, WrongShapesAreRefused) {
  const Propagator p(random_graph({.nodes = 5}, Rng(4)));
  const Features features = sparse_features(random_sparse(6, 4, 2, false, Rng(5)));
  const Input input(features);
  EXPECT_THROW(matmul(tape, &x, &x), Error);
  EXPECT_THROW(add_bias(tape, &x, &w), Error);
  EXPECT_THROW(spmm(tape, p, &x), Error);
  EXPECT_THROW(spmax(tape, p, &x, false), Error);
  EXPECT_THROW(mix(tape, &w, &x, &x), Error);
  EXPECT_THROW(softmax_nll(tape, &x, {0, 1}), Error);
  EXPECT_THROW(softmax_nll(tape, gather_rows(tape, &x, {}), {}), Error);
  EXPECT_THROW(input.times(tape, &w), Error);
}

TEST_F(OpsTest, EvaluationRecordsNoGradients) {
  tape.start_evaluation();
  EXPECT_FALSE(elu(tape, matmul(tape, &x, &w))->has_grad());
}

TEST_F(OpsTest, ConstantsHaveNoGradients) {
  Node constant{random_matrix(6, 3, Rng(6)), {}};
  Node other{random_matrix(3, 2, Rng(7)), {}};
  EXPECT_FALSE(matmul(tape, &constant, &other)->has_grad());
  EXPECT_TRUE(matmul(tape, &constant, &w)->has_grad());
}

TEST_F(OpsTest, DropoutIsTheIdentityOutsideTrainingAndAtZero) {
  EXPECT_EQ(dropout(tape, &x, 0), &x);
  tape.start_evaluation();
  EXPECT_EQ(dropout(tape, &x, 0.5), &x);
}

// The k-th dropout of a pass takes factors from fork k of the pass's stream, element by element.
TEST_F(OpsTest, DropoutsDrawFromForksInOrder) {
  for (std::uint64_t k = 0; k < 3; ++k) {
    const std::vector<Real> factor = plain::dropout_factors(Rng(3).fork(k), 0.5, x.value.size());
    const Var y = dropout(tape, &x, 0.5);
    for (std::size_t i = 0; i < factor.size(); ++i) EXPECT_EQ(y->value.values()[i], factor[i] * x.value.values()[i]);
  }
  const Matrix first = dropout(tape, &x, 0.5)->value;
  tape.start_training(Rng(4));
  EXPECT_FALSE(matrices_equal(dropout(tape, &x, 0.5)->value, first)) << "another stream, the same mask";
}

TEST_F(OpsTest, InputDropoutTouchesStoredEntriesOnly) {
  const Csr a = random_sparse(6, 3, 2, true, Rng(5));
  const Features features = sparse_features(a);
  const Input input(features);
  const Matrix found = input.times(tape, &w, 0.5)->value;
  std::vector<Real> values = plain::dropout_factors(Rng(3).fork(0), 0.5, a.values.size());
  for (std::size_t e = 0; e < values.size(); ++e) values[e] *= a.values[e];
  EXPECT_TRUE(matrices_near(found, plain::spmm(a, values, w.value), 16 * kEpsilon));
  tape.start_evaluation();
  EXPECT_TRUE(matrices_near(input.times(tape, &w, 0.5)->value, plain::spmm(a, a.values, w.value), 16 * kEpsilon));
}

TEST_F(OpsTest, InputIsTheSameSparseAndDense) {
  const Csr a = random_sparse(6, 3, 2, true, Rng(5));
  const Features sparse = sparse_features(a), dense = dense_features(to_dense(a));
  EXPECT_TRUE(matrices_near(Input(sparse).times(tape, &w)->value, Input(dense).times(tape, &w)->value, 16 * kEpsilon));
  EXPECT_EQ(Input(sparse).cols(), Input(dense).cols());
  EXPECT_EQ(Input(sparse).rows(), Input(dense).rows());
}

TEST_F(OpsTest, InputIsTheFeaturesOrAHiddenMatrix) {
  const Features features = random_matrix(6, 3, Rng(5));
  const Input input(features);
  Node hidden{features.dense(), {}};
  for (double p : {0.0, 0.5}) {
    tape.start_training(Rng(3));
    const Matrix from_features = input.times(tape, &w, p)->value;
    tape.start_training(Rng(3));
    EXPECT_TRUE(matrices_equal(Input(&hidden).times(tape, &w, p)->value, from_features)) << p;
  }
}

TEST_F(OpsTest, APropagatorMayBeATemporary) {
  const Csr a = random_graph({.nodes = 6, .directed = true}, Rng(4));
  Param one = make_param("one", random_matrix(6, 1, Rng(5))), other = one;
  const Propagator kept(a);
  for (Param* p : {&one, &other}) {
    tape.start_training(Rng(3));
    Var sums = p == &one ? spmm(tape, Propagator(a), p) : spmm(tape, kept, p);
    tape.backward(softmax_nll(tape, reshape(tape, sums, 1, 6), {2}));
  }
  EXPECT_TRUE(matrices_equal(one.grad, other.grad));
}

// What would leave a reference to a temporary does not compile.
static_assert(!std::is_constructible_v<Input, Features> && std::is_constructible_v<Input, const Features&>);
template <class Matrix>
concept HasPropagator = requires(Matrix a) {
  Propagator::of(std::forward<Matrix>(a));
};
static_assert(!HasPropagator<Csr> && HasPropagator<const Csr&>);

TEST_F(OpsTest, InputWithoutEntriesGivesZeros) {
  const Features features = sparse_features(make_csr(6, 3, {}, Repeats::add));
  const Input input(features);
  EXPECT_TRUE(matrices_equal(input.times(tape, &w, 0.5)->value, Matrix(6, 2)));
  EXPECT_TRUE(matrices_equal(input.times(tape, &w)->value, Matrix(6, 2)));
}

TEST_F(OpsTest, MixTakesTheSigmoid) {
  Param theta = make_param("theta", matrix_of({{0, 1000, -1000}}));
  Node ones{Matrix(6, 3, 1), {}}, zeros{Matrix(6, 3, 0), {}};
  const Var shares = mix(tape, &theta, &ones, &zeros);
  for (Index i = 0; i < 6; ++i) {
    EXPECT_EQ(shares->value(i, 0), Real(0.5));
    EXPECT_EQ(shares->value(i, 1), 1);
    EXPECT_EQ(shares->value(i, 2), 0);
  }
}

// Equal passes reuse memory: the second pass returns the same nodes with zeroed gradients.
TEST_F(OpsTest, PassesReuseMemory) {
  const Var first = matmul(tape, &x, &w);
  const Real* data = first->value.data();
  first->grad.fill(7);
  tape.start_training(Rng(3));
  const Var second = matmul(tape, &x, &w);
  EXPECT_EQ(second, first);
  EXPECT_EQ(second->value.data(), data);
  EXPECT_EQ(largest(second->grad), 0);
}

TEST_F(OpsTest, BackwardStepsOfEarlierPassesAreForgotten) {
  const auto gradient = [&] {
    tape.start_training(Rng(3));
    w.grad.fill(0);
    tape.backward(softmax_nll(tape, matmul(tape, &x, &w), {0, 1, 0, 1, 0, 1}));
    return w.grad;
  };
  const Matrix first = gradient();
  EXPECT_GT(largest(first), 0);
  EXPECT_TRUE(matrices_equal(gradient(), first));
}

}  // namespace
}  // namespace gcnh::testing
