// Loops over plain arrays: pure functions, inputs first, outputs last. A kernel pulls along rows, so every output is
// written by one thread in a fixed order and the bits do not depend on the number of threads. Names ending in _add add
// to their output. SIMD width is chosen at run time (Highway); one binary serves every x86-64.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gcnh/base/csr.h"
#include "gcnh/base/matrix.h"
#include "gcnh/base/options.h"
#include "gcnh/base/random.h"

namespace gcnh::kernels {

// Which rows a kernel works on: row source(i) is read and row target(i) written, for i = 0 .. count - 1.
struct RowMap {
  const Index* list;  // null: all rows
  Index count;
  bool packed;  // results in rows 0 .. count - 1 instead of the listed ones

  static RowMap all(Index rows) { return {nullptr, rows, false}; }
  static RowMap listed(std::span<const Index> rows) { return {rows.data(), static_cast<Index>(rows.size()), false}; }
  static RowMap packed_from(std::span<const Index> rows) {
    return {rows.data(), static_cast<Index>(rows.size()), true};
  }
  Index source(Index i) const { return list ? list[i] : i; }
  Index target(Index i) const { return packed ? i : source(i); }
};

// What becomes of a finished sum on its way to memory: LeakyReLU(sum + bias), or sum * LeakyReLU'(gate) with the row of
// the gate that was read. Both null: the sum itself.
struct Epilogue {
  const Matrix* bias = nullptr;  // (1, k)
  const Matrix* gate = nullptr;  // (n, k); only the sign matters
  Real slope = 1;
};

// Sparse products (spmm.cpp). `values` stands in for the matrix's own values; empty: all ones.
// y = A x          A (m, n), x (n, k), y (m, k)
void spmm(const Csr& a, std::span<const Real> values, const Matrix& x, Matrix& y);
void spmm_add(const Csr& a, std::span<const Real> values, const Matrix& x, Matrix& y);
// y[target] = epilogue(A[source] x) for the rows of the map; other rows of y are left alone.
void spmm_rows(const Csr& a, std::span<const Real> values, const RowMap& rows, const Matrix& x,
               const Epilogue& epilogue, Matrix& y);
// Transposed products that add one row after the other (push.cpp), so that it does not matter which of the two is used.
// Without a transpose: y[v] += a_uv x[u] for the listed rows u and their entries v.
void spmm_push_add(const Csr& a, std::span<const Real> values, std::span<const Index> rows, const Matrix& x, Matrix& y);
// With it: y[v] = sum over u of a_uv x[u] for the listed v.   at = A'; rows u that do not count have x[u] = 0.
void spmm_gather_rows(const Csr& at, std::span<const Real> values, std::span<const Index> rows, const Matrix& x,
                      Matrix& y);

// Largest neighbour (spmax.cpp). y[u][j] = max over v in row u of x[v][j], winner[u][j] = the first such v. Rows
// without entries, and with `floor_at_zero` all maxima below 0, give y = 0 and winner = -1.
void spmax(const Csr& a, const Matrix& x, bool floor_at_zero, Matrix& y, std::vector<Index>& winner);
// The same for the rows of the map; winner[i k + j] belongs to row target(i) and has been given room by the caller.
void spmax_rows(const Csr& a, const RowMap& rows, const Matrix& x, bool floor_at_zero, Matrix& y, Index* winner);
// dx[v][j] += sum of dy[u][j] over u with winner[u][j] = v;   at = A'
void spmax_backward_add(const Csr& at, const std::vector<Index>& winner, const Matrix& dy, Matrix& dx);

// Dense products (gemm.cpp).
// y = x w          x (n, k), w (k, m), y (n, m)
void gemm(const Matrix& x, const Matrix& w, Matrix& y);
void gemm_add(const Matrix& x, const Matrix& w, Matrix& y);
// y[target] (+)= epilogue(x[source] w) for the rows of the map
void gemm_rows(const RowMap& rows, const Matrix& x, const Matrix& w, const Epilogue& epilogue, Matrix& y);
void gemm_rows_add(const RowMap& rows, const Matrix& x, const Matrix& w, Matrix& y);
// dw += x' dy      x (n, k), dy (n, m), dw (k, m)
void gemm_transposed_add(const Matrix& x, const Matrix& dy, Matrix& dw);
// The same over the listed rows only: dw += sum over u of x[u]' dy[u]
void gemm_transposed_rows_add(std::span<const Index> rows, const Matrix& x, const Matrix& dy, Matrix& dw);
// wt = w'
void transpose(const Matrix& w, Matrix& wt);

// Element-wise and row-wise maps (elementwise.cpp, rows.cpp).
void add_row(const Matrix& row, Matrix& y);                                   // y[i] += row
void column_sums_add(const Matrix& x, Matrix& row);                           // row += sum_i x[i]
void add(const Matrix& x, Matrix& y);                                         // y += x
void add_scaled(Real c, const Matrix& x, Matrix& y);                          // y += c x
void multiply(const Matrix& x, std::span<const Real> factor, Matrix& y);      // y = x * factor
void multiply_add(const Matrix& x, std::span<const Real> factor, Matrix& y);  // y += x * factor
void leaky_relu(const Matrix& x, Real slope, Matrix& y);                      // y = x > 0 ? x : slope x
void leaky_relu_backward_add(const Matrix& x, Real slope, const Matrix& dy, Matrix& dx);
void gate(const Matrix& x, Real slope, Matrix& y);                     // y *= LeakyReLU'(x)
void elu(const Matrix& x, Matrix& y);                                  // y = x > 0 ? x : e^x - 1
void elu_backward_add(const Matrix& y, const Matrix& dy, Matrix& dx);  // takes the output: dy/dx = y + 1 where x <= 0
void gather_rows(const Matrix& x, std::span<const Index> rows, Matrix& y);       // y[i] = x[rows[i]]
void scatter_rows_add(const Matrix& y, std::span<const Index> rows, Matrix& x);  // x[rows[i]] += y[i], rows distinct
void take_columns(const Matrix& x, Index begin, Matrix& y);                      // y[i][j] = x[i][begin + j]
void put_columns_add(const Matrix& y, Index begin, Matrix& x);                   // x[i][begin + j] += y[i][j]

// Inner products and scaled rows (scaled.cpp).
double dot(const Matrix& x, const Matrix& y);  // sum_ij x_ij y_ij
// y[i] = scale[i] x[i];  a wider y is filled up with zeros, a narrower one takes the first columns
void scale_rows(std::span<const Real> scale, const Matrix& x, Matrix& y);
// y[i] += scale[i] x[i], in the columns that both have
void scale_rows_add(std::span<const Real> scale, const Matrix& x, Matrix& y);

// Convex combination (mix.cpp).  h = b z + (1 - b) a, b (1, k): one weight per column
void mix(const Matrix& b, const Matrix& z, const Matrix& a, Matrix& h);
// dz += b dh, da += (1 - b) dh, db += sum_i dh[i] (z[i] - a[i]);  an empty gradient is skipped
void mix_backward_add(const Matrix& b, const Matrix& z, const Matrix& a, const Matrix& dh, Matrix& dz, Matrix& da,
                      Matrix& db);

// The same row by row, on the way through one layer of the fused step (rows.cpp): u runs over the listed rows, factor
// is packed (null: none). h[u] = (b z[u] + (1 - b) a[u]) * factor[i]
void mix_rows(std::span<const Index> rows, const Matrix& b, const Matrix& z, const Matrix& a, const Matrix* factor,
              Matrix& h);
// d = dh[u] * factor[i]:  g[u] = (1 - b) d,  dz[u] = b d * LeakyReLU'(z[u]),  db += d (z[u] - a[u])
void mix_rows_backward(std::span<const Index> rows, const Matrix& b, const Matrix& z, const Matrix& a,
                       const Matrix* factor, const Matrix& dh, Real slope, Matrix& g, Matrix& dz, Matrix& db);

// Several matrices of one shape (parts.cpp), and matrices side by side.
using Parts = std::vector<const Matrix*>;
// h = sum_c w[c] z_c      w (parts, k): one weight per part and column
void weighted_sum(const Matrix& w, const Parts& z, Matrix& h);
// dz_c += w[c] dh, dw[c] += sum_i dh[i] z_c[i];  an empty gradient is skipped
void weighted_sum_backward_add(const Matrix& w, const Parts& z, const Matrix& dh, const std::vector<Matrix*>& dz,
                               Matrix& dw);
// y = the largest of z_c, entry by entry, winner = the first c that has it
void largest_part(const Parts& z, Matrix& y, std::vector<Index>& winner);
// dz += dy where c is the winner
void largest_part_backward_add(Index c, const std::vector<Index>& winner, const Matrix& dy, Matrix& dz);
void put_columns(const Matrix& x, Index begin, Matrix& y);       // y[i][begin + j] = x[i][j]
void take_columns_add(const Matrix& x, Index begin, Matrix& y);  // y[i][j] += x[i][begin + j]

// Norms (norms.cpp). y[i] = x[i] / |x[i]|, 0 for a row of zeros;  scale[i] = 1 / |x[i]|, or 0
void unit_rows(const Matrix& x, Matrix& y, std::span<Real> scale);
// dx[i] += scale[i] (dy[i] - <y[i], dy[i]> y[i])
void unit_rows_backward_add(const Matrix& y, std::span<const Real> scale, const Matrix& dy, Matrix& dx);
// y[i] = scale[i] (x[i] - mean of x[i]),  scale[i] = 1 / sqrt(variance of x[i] + 1e-5)
void standard_rows(const Matrix& x, Matrix& y, std::span<Real> scale);
// dx[i] += scale[i] (dy[i] - mean of dy[i] - (mean of y[i] dy[i]) y[i])
void standard_rows_backward_add(const Matrix& y, std::span<const Real> scale, const Matrix& dy, Matrix& dx);
// The same by columns: mean, variance and scale are (1, k).
void column_moments(const Matrix& x, Matrix& mean, Matrix& variance);
void scales_of(const Matrix& variance, Matrix& scale);  // scale = 1 / sqrt(variance + 1e-5)
void standard_columns(const Matrix& x, const Matrix& mean, const Matrix& scale,
                      Matrix& y);  // y[i] = scale (x[i] - mean)
void standard_columns_backward_add(const Matrix& y, const Matrix& scale, const Matrix& dy, Matrix& dx);
void scale_columns_add(const Matrix& x, const Matrix& scale, Matrix& y);  // y[i] += scale x[i]
void column_products_add(const Matrix& x, const Matrix& y, Matrix& sum);  // sum += sum_i x[i] y[i]

// Rows of the list: set to 0; times LeakyReLU'(gate); y += x; sums (rows.cpp)
void zero_rows(std::span<const Index> rows, Matrix& y);
void gate_rows(std::span<const Index> rows, const Matrix& gate, Real slope, Matrix& y);
void add_rows(std::span<const Index> rows, const Matrix& x, Matrix& y);
void column_sums_rows_add(std::span<const Index> rows, const Matrix& x, Matrix& row);

// Classification (softmax.cpp).
void log_softmax(const Matrix& logits, Matrix& logp);
// Mean over rows of -logp[i][label[i]].
double nll(const Matrix& logp, std::span<const int> labels);
// dlogits[i] += scale (exp(logp[i]) - onehot(label[i]))
void softmax_nll_backward_add(const Matrix& logp, std::span<const int> labels, Real scale, Matrix& dlogits);

// Dropout (dropout.cpp).  factor[i] = 0 with probability p, else 1 / (1 - p), from draw i of the stream
void dropout_factors(const Rng& rng, double p, std::span<Real> factor);
// Row i of factor (packed) = factors of row rows[i] of a matrix of that width, which must be a multiple of 8.
void dropout_factor_rows(const Rng& rng, double p, std::span<const Index> rows, Matrix& factor);

// Adam with coupled weight decay (adam.cpp). What all updates of one step share; steps count from 1.
enum class AdamForm { torch, keras };
inline Words words_of(AdamForm) {
  return {{"torch"}, {"keras", "epsilon 1e-7, beside the root before its correction"}};
}
struct AdamStep {
  AdamStep(double lr, double weight_decay_, std::int64_t step, AdamForm form = AdamForm::torch);
  Real weight_decay, step_size, root_factor, epsilon;
};
// The gradient is set to 0 on the way.
void adam(const AdamStep& s, std::span<Real> w, std::span<Real> grad, std::span<Real> m, std::span<Real> v);

// Name of the instruction set in use, for reports.
const char* simd_name();

}  // namespace gcnh::kernels
