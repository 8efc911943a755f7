// Random matrices and comparisons with a readable message.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/base/random.h"

namespace gcnh::testing {

constexpr double kEpsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());

// Uniform in [low, high).
inline Matrix random_matrix(Index rows, Index cols, const Rng& rng, double low = -1, double high = 1) {
  Matrix m(rows, cols);
  for (std::size_t i = 0; i < m.size(); ++i) m.values()[i] = static_cast<Real>(low + (high - low) * rng.uniform(i));
  return m;
}

// Uniform in [-1, 1) but at least `gap` away from 0, where activations have their kink.
inline Matrix random_matrix_off_zero(Index rows, Index cols, const Rng& rng, double gap = 0.01) {
  Matrix m = random_matrix(rows, cols, rng);
  for (Real& v : m.values()) v = static_cast<Real>((1 - gap) * static_cast<double>(v) + (v < 0 ? -gap : gap));
  return m;
}

// All entries distinct, at least `gap` apart and off 0, in random order: the winner of a maximum is safe from small
// steps.
inline Matrix distinct_matrix(Index rows, Index cols, const Rng& rng, double gap = 0.01) {
  Matrix m(rows, cols);
  std::vector<double> values(m.size());
  const double middle = std::floor(static_cast<double>(m.size()) / 2) - 0.5;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = gap * (static_cast<double>(i) - middle);
  shuffle(values, rng);
  for (std::size_t i = 0; i < values.size(); ++i) m.values()[i] = static_cast<Real>(values[i]);
  return m;
}

inline Matrix matrix_of(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix m(static_cast<Index>(rows.size()), rows.size() == 0 ? 0 : static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    Index j = 0;
    for (double v : row) m(i, j++) = static_cast<Real>(v);
    ++i;
  }
  return m;
}

// |found - expected| <= absolute + relative * |expected|, everywhere. Only the first difference is reported.
inline ::testing::AssertionResult matrices_near(const Matrix& found, const Matrix& expected, double absolute,
                                                double relative = 0) {
  if (!found.same_shape(expected))
    return ::testing::AssertionFailure() << "shape " << found.rows() << " x " << found.cols() << ", expected "
                                         << expected.rows() << " x " << expected.cols();
  for (Index i = 0; i < found.rows(); ++i) {
    for (Index j = 0; j < found.cols(); ++j) {
      const double f = static_cast<double>(found(i, j)), e = static_cast<double>(expected(i, j));
      if (std::abs(f - e) <= absolute + relative * std::abs(e)) continue;
      return ::testing::AssertionFailure() << "[" << i << "][" << j << "] is " << ::testing::PrintToString(f)
                                           << ", expected " << ::testing::PrintToString(e) << ", off by " << f - e;
    }
  }
  return ::testing::AssertionSuccess();
}

// The same bits up to the sign of zero.
inline ::testing::AssertionResult matrices_equal(const Matrix& found, const Matrix& expected) {
  return matrices_near(found, expected, 0);
}

inline double largest(const Matrix& m) {
  double most = 0;
  for (Real v : m.values()) most = std::max(most, std::abs(static_cast<double>(v)));
  return most;
}

}  // namespace gcnh::testing
