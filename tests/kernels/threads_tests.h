// Every kernel gives the same bits without a pool and with pools of 1, 2, 3 and 8 threads, on sizes that parallel_for
// splits. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"
#include "tests/support/matrices.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {

// Calls the kernel on copies of its outputs, filled with random numbers, and compares all outputs.
inline void expect_same_bits(std::vector<Matrix> outputs, const std::function<void(std::vector<Matrix>&)>& kernel) {
  std::vector<Matrix> serial = outputs;
  kernel(serial);
  for (int threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(::testing::Message() << threads << " threads");
    Pool pool(threads);
    const PoolScope scope(&pool);
    std::vector<Matrix> parallel = outputs;
    kernel(parallel);
    for (std::size_t i = 0; i < serial.size(); ++i)
      EXPECT_TRUE(matrices_equal(parallel[i], serial[i])) << "output " << i;
  }
}

// 20001 rows: more than one piece for every kernel, and an odd last one.
constexpr Index kManyRows = 20001;
constexpr Index kWidth = 19;

struct ThreadsTest : ::testing::Test {
  Matrix random(int stream, Index rows = kManyRows, Index cols = kWidth) const {
    return random_matrix(rows, cols, Rng(31).fork(stream));
  }
  const Csr graph = random_graph({.nodes = kManyRows, .edges_per_node = 3}, Rng(30));
  const Matrix x = random(0), d = random(1), y = random(2);
};

TEST_F(ThreadsTest, ProbeSeesTheWorkSplit) {
  Pool pool(2);
  const PoolScope scope(&pool);
  std::atomic<int> pieces = 0;
  parallel_for(kManyRows, kWidth, [&](std::int64_t, std::int64_t) { ++pieces; });
  EXPECT_GT(pieces, 1);
}

TEST_F(ThreadsTest, SparseProducts) {
  expect_same_bits({y}, [&](auto& out) { kernels::spmm(graph, graph.values, x, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::spmm(graph, {}, x, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::spmm_add(graph, graph.values, x, out[0]); });
}

TEST_F(ThreadsTest, Maximum) {
  std::vector<Index> serial;
  Matrix largest_serial = y;
  kernels::spmax(graph, x, true, largest_serial, serial);
  expect_same_bits({y}, [&](auto& out) {
    std::vector<Index> winner;
    kernels::spmax(graph, x, true, out[0], winner);
    EXPECT_EQ(winner, serial);
  });
  const Csr transposed = transpose(graph);
  expect_same_bits({y}, [&](auto& out) { kernels::spmax_backward_add(transposed, serial, d, out[0]); });
}

TEST_F(ThreadsTest, DenseProducts) {
  const Matrix w = random(3, kWidth, 33), wide = random(4, kManyRows, 33);
  expect_same_bits({wide}, [&](auto& out) { kernels::gemm(x, w, out[0]); });
  expect_same_bits({wide}, [&](auto& out) { kernels::gemm_add(x, w, out[0]); });
  expect_same_bits({w}, [&](auto& out) { kernels::gemm_transposed_add(x, wide, out[0]); });
  expect_same_bits({random(5, kWidth, kManyRows)}, [&](auto& out) { kernels::transpose(x, out[0]); });
}

TEST_F(ThreadsTest, ListedRows) {
  std::vector<Index> list;
  for (Index i = 0; i < kManyRows; i += 1 + i % 2) list.push_back(i);
  shuffle(list, Rng(36));
  const auto rows = kernels::RowMap::listed(list), packed = kernels::RowMap::packed_from(list);
  const Matrix w = random(11, kWidth, kWidth), bias = random(12, 1),
               factor = random(13, static_cast<Index>(list.size()));
  const kernels::Epilogue activate{&bias, nullptr, Real(0.01)}, gate{nullptr, &d, Real(0.01)};
  expect_same_bits({y}, [&](auto& out) { kernels::spmm_rows(graph, graph.values, rows, x, activate, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::spmm_rows(graph, {}, packed, x, gate, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::spmm_push_add(graph, graph.values, list, x, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::spmm_gather_rows(graph, graph.values, list, x, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::gemm_rows(rows, x, w, activate, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::gemm_rows_add(rows, x, w, out[0]); });
  expect_same_bits({w}, [&](auto& out) { kernels::gemm_transposed_rows_add(list, x, d, out[0]); });
  expect_same_bits({y}, [&](auto& out) {
    std::vector<Index> winner(y.size());
    kernels::spmax_rows(graph, packed, x, false, out[0], winner.data());
  });
  expect_same_bits({y}, [&](auto& out) { kernels::mix_rows(list, bias, x, d, &factor, out[0]); });
  expect_same_bits({y, random(14), random(15, 1)}, [&](auto& out) {
    kernels::mix_rows_backward(list, bias, x, d, &factor, random(16), Real(0.01), out[0], out[1], out[2]);
  });
  expect_same_bits({y}, [&](auto& out) { kernels::zero_rows(list, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::gate_rows(list, x, Real(0.01), out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::add_rows(list, x, out[0]); });
  expect_same_bits({bias}, [&](auto& out) { kernels::column_sums_rows_add(list, x, out[0]); });
  expect_same_bits({random(17, static_cast<Index>(list.size()), 16)},
                   [&](auto& out) { kernels::dropout_factor_rows(Rng(37), 0.3, list, out[0]); });
}

TEST_F(ThreadsTest, ElementwiseMaps) {
  const Matrix row = random(6, 1);
  expect_same_bits({y}, [&](auto& out) { kernels::add_row(row, out[0]); });
  expect_same_bits({row}, [&](auto& out) { kernels::column_sums_add(x, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::add(x, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::multiply(x, d.values(), out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::multiply_add(x, d.values(), out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::leaky_relu(x, Real(0.01), out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::leaky_relu_backward_add(x, Real(0.01), d, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::gate(x, Real(0.01), out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::elu(x, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::elu_backward_add(x, d, out[0]); });
}

TEST_F(ThreadsTest, GatherAndScatter) {
  std::vector<Index> rows(kManyRows);
  for (Index i = 0; i < kManyRows; ++i) rows[i] = i;
  shuffle(rows, Rng(32));
  expect_same_bits({y}, [&](auto& out) { kernels::gather_rows(x, rows, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::scatter_rows_add(x, rows, out[0]); });
}

TEST_F(ThreadsTest, Mix) {
  const Matrix b = random(7, 1);
  expect_same_bits({y}, [&](auto& out) { kernels::mix(b, x, d, out[0]); });
  expect_same_bits({y, random(8), random(9, 1)},
                   [&](auto& out) { kernels::mix_backward_add(b, x, random(10), d, out[0], out[1], out[2]); });
}

TEST_F(ThreadsTest, Parts) {
  const Matrix w = random(18, 2);
  const kernels::Parts parts = {&x, &d};
  expect_same_bits({y}, [&](auto& out) { kernels::weighted_sum(w, parts, out[0]); });
  expect_same_bits({y, random(19), random(20, 2)}, [&](auto& out) {
    kernels::weighted_sum_backward_add(w, parts, random(21), {&out[0], &out[1]}, out[2]);
  });
  std::vector<Index> winner;
  expect_same_bits({y}, [&](auto& out) { kernels::largest_part(parts, out[0], winner); });
  expect_same_bits({y}, [&](auto& out) { kernels::largest_part_backward_add(1, winner, d, out[0]); });
  const Matrix wide = random(22, kManyRows, 2 * kWidth);
  expect_same_bits({wide}, [&](auto& out) { kernels::put_columns(x, 3, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::take_columns_add(wide, 3, out[0]); });
}

TEST_F(ThreadsTest, UnitRows) {
  expect_same_bits({y, random(23, 1, kManyRows)}, [&](auto& out) { kernels::unit_rows(x, out[0], out[1].values()); });
  const Matrix scale = random(24, 1, kManyRows);
  expect_same_bits({y}, [&](auto& out) { kernels::unit_rows_backward_add(x, scale.values(), d, out[0]); });
}

TEST_F(ThreadsTest, StandardRowsAndColumns) {
  expect_same_bits({y, random(25, 1, kManyRows)},
                   [&](auto& out) { kernels::standard_rows(x, out[0], out[1].values()); });
  const Matrix scale = random(26, 1, kManyRows), mean = random(27, 1), factor = random(28, 1);
  expect_same_bits({y}, [&](auto& out) { kernels::standard_rows_backward_add(x, scale.values(), d, out[0]); });
  expect_same_bits({mean, factor}, [&](auto& out) { kernels::column_moments(x, out[0], out[1]); });
  expect_same_bits({y}, [&](auto& out) { kernels::standard_columns(x, mean, factor, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::standard_columns_backward_add(x, factor, d, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::scale_columns_add(x, factor, out[0]); });
  expect_same_bits({mean}, [&](auto& out) { kernels::column_products_add(x, d, out[0]); });
}

TEST_F(ThreadsTest, SoftmaxAndLoss) {
  std::vector<int> labels(kManyRows);
  for (Index i = 0; i < kManyRows; ++i) labels[i] = static_cast<int>(Rng(33).below(kWidth, i));
  expect_same_bits({y}, [&](auto& out) { kernels::log_softmax(x, out[0]); });
  expect_same_bits({y}, [&](auto& out) { kernels::softmax_nll_backward_add(x, labels, Real(0.1), out[0]); });
  expect_same_bits({Matrix(1, 1)}, [&](auto& out) { out[0](0, 0) = static_cast<Real>(kernels::nll(x, labels)); });
}

TEST_F(ThreadsTest, DropoutFactors) {
  expect_same_bits({y}, [&](auto& out) { kernels::dropout_factors(Rng(34), 0.3, out[0].values()); });
}

TEST_F(ThreadsTest, Adam) {
  const Matrix v = random_matrix(kManyRows, kWidth, Rng(35), 0, 1);
  expect_same_bits({y, d, x, v}, [&](auto& out) {
    kernels::adam({0.005, 0.005, 3}, out[0].values(), out[1].values(), out[2].values(), out[3].values());
  });
}

}  // namespace gcnh::testing
