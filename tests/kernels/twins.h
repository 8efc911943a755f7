// Plain twins of the kernels, written from the equations in kernels.h: no blocking, no vectors, sums in long double.
// Each returns what the kernel should leave in its output; those named _add take the output's value before the call.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "gcnh/base/csr.h"
#include "gcnh/base/matrix.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh::testing::plain {

using Wide = long double;

inline Wide wide(Real v) { return static_cast<Wide>(v); }
inline Real narrow(Wide v) { return static_cast<Real>(v); }

// y(i, j) = f(i, j)
template <class F>
Matrix each(Index rows, Index cols, const F& f) {
  Matrix y(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) y(i, j) = narrow(f(i, j));
  return y;
}

inline Matrix spmm_add(const Csr& a, std::span<const Real> values, const Matrix& x, const Matrix& y) {
  return each(a.rows, x.cols(), [&](Index i, Index j) {
    Wide sum = wide(y(i, j));
    for (Offset e = a.offsets[i]; e < a.offsets[i + 1]; ++e)
      sum += (values.empty() ? Wide{1} : wide(values[e])) * wide(x(a.indices[e], j));
    return sum;
  });
}

inline Matrix spmm(const Csr& a, std::span<const Real> values, const Matrix& x) {
  return spmm_add(a, values, x, Matrix(a.rows, x.cols()));
}

struct Maximum {
  Matrix y;
  std::vector<Index> winner;
};

inline Maximum spmax(const Csr& a, const Matrix& x, bool floor_at_zero) {
  Maximum out{Matrix(a.rows, x.cols()), {}};
  for (Index u = 0; u < a.rows; ++u) {
    for (Index j = 0; j < x.cols(); ++j) {
      Index winner = -1;
      for (Index v : a.row(u))
        if (winner < 0 || x(v, j) > x(winner, j)) winner = v;
      if (winner >= 0 && floor_at_zero && x(winner, j) <= 0) winner = -1;
      out.y(u, j) = winner < 0 ? Real{0} : x(winner, j);
      out.winner.push_back(winner);
    }
  }
  return out;
}

// A push along the winners, where the kernel pulls along the columns of A.
inline Matrix spmax_backward_add(const std::vector<Index>& winner, const Matrix& dy, Matrix dx) {
  for (Index u = 0; u < dy.rows(); ++u) {
    for (Index j = 0; j < dy.cols(); ++j) {
      const Index v = winner[static_cast<std::size_t>(u) * dy.cols() + j];
      if (v >= 0) dx(v, j) += dy(u, j);
    }
  }
  return dx;
}

inline Matrix gemm_add(const Matrix& x, const Matrix& w, const Matrix& y) {
  return each(x.rows(), w.cols(), [&](Index i, Index j) {
    Wide sum = wide(y(i, j));
    for (Index c = 0; c < x.cols(); ++c) sum += wide(x(i, c)) * wide(w(c, j));
    return sum;
  });
}

inline Matrix gemm(const Matrix& x, const Matrix& w) { return gemm_add(x, w, Matrix(x.rows(), w.cols())); }

inline Matrix gemm_transposed_add(const Matrix& x, const Matrix& dy, const Matrix& dw) {
  return each(x.cols(), dy.cols(), [&](Index i, Index j) {
    Wide sum = wide(dw(i, j));
    for (Index r = 0; r < x.rows(); ++r) sum += wide(x(r, i)) * wide(dy(r, j));
    return sum;
  });
}

inline Matrix column_sums_add(const Matrix& x, const Matrix& row) {
  return each(1, x.cols(), [&](Index, Index j) {
    Wide sum = wide(row(0, j));
    for (Index r = 0; r < x.rows(); ++r) sum += wide(x(r, j));
    return sum;
  });
}

inline Matrix log_softmax(const Matrix& logits) {
  Matrix out(logits.rows(), logits.cols());
  for (Index i = 0; i < logits.rows(); ++i) {
    Wide top = wide(logits(i, 0)), sum = 0;
    for (Index c = 0; c < logits.cols(); ++c) top = std::max(top, wide(logits(i, c)));
    for (Index c = 0; c < logits.cols(); ++c) sum += std::exp(wide(logits(i, c)) - top);
    for (Index c = 0; c < logits.cols(); ++c) out(i, c) = narrow(wide(logits(i, c)) - top - std::log(sum));
  }
  return out;
}

// Element i of the stream: 16 bits of word i / 2 % 4 of block i / 8, low half first; dropped when below p.
inline std::vector<Real> dropout_factors(const Rng& rng, double p, std::size_t count) {
  std::vector<Real> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t word = rng.block(i / 8)[i / 2 % 4];
    const std::uint32_t draw = i % 2 == 0 ? word % 65536 : word / 65536;
    out.push_back(draw < std::round(p * 65536) ? Real{0} : static_cast<Real>(1 / (1 - p)));
  }
  return out;
}

struct AdamState {
  Wide w, m = 0, v = 0;
};

struct AdamSettings {
  double lr, weight_decay;
  std::int64_t step;
  kernels::AdamForm form = kernels::AdamForm::torch;

  kernels::AdamStep made() const { return {lr, weight_decay, step, form}; }
};

inline void adam(const AdamSettings& s, Wide gradient, AdamState& p) {
  const Wide g = gradient + static_cast<Wide>(s.weight_decay) * p.w;
  p.m = 0.9L * p.m + 0.1L * g;
  p.v = 0.999L * p.v + 0.001L * g * g;
  const Wide t = static_cast<Wide>(s.step);
  const Wide lr = static_cast<Wide>(s.lr) / (1 - std::pow(0.9L, t)), correction = std::sqrt(1 - std::pow(0.999L, t));
  p.w -= s.form == kernels::AdamForm::torch ? lr * p.m / (std::sqrt(p.v) / correction + 1e-8L)
                                            : lr * correction * p.m / (std::sqrt(p.v) + 1e-7L);
}

}  // namespace gcnh::testing::plain
