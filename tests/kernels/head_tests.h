// The head kernel against the plain kernels it joins, on every instruction set. In the float and the double suite.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "gcnh/kernels/head.h"
#include "gcnh/kernels/kernels.h"
#include "tests/kernels/twins.h"
#include "tests/support/matrices.h"
#include "tests/support/simd_target.h"

namespace gcnh::testing {

struct HeadCase {
  HeadCase(Index width, Index num_classes, Index num_rows)
      : k(width),
        classes(num_classes),
        z(random_matrix(num_rows + 3, k, Rng(91))),
        a(random_matrix(num_rows, k, Rng(92))),
        b(random_matrix(1, k, Rng(93), 0, 1)),
        factor(random_matrix(num_rows, k, Rng(94), 0, 2)),
        w(random_matrix(k, classes, Rng(95))),
        c(random_matrix(1, classes, Rng(96))) {
    for (Index i = 0; i < num_rows; ++i) {
      rows.push_back(i + 3);
      labels.push_back(static_cast<int>(Rng(97).below(classes, i)));
    }
    shuffle(rows, Rng(98));
  }
  Index k, classes;
  std::vector<Index> rows;
  std::vector<int> labels;
  Matrix z, a, b, factor, w, c;
  Real scale = Real(0.125), slope = Real(0.01);

  Matrix hidden(bool dropped) const {
    return plain::each(a.rows(), k, [&](Index i, Index j) {
      const plain::Wide weight = plain::wide(b(0, j));
      const plain::Wide h = weight * plain::wide(z(rows[i], j)) + (1 - weight) * plain::wide(a(i, j));
      return dropped ? h * plain::wide(factor(i, j)) : h;
    });
  }
  Matrix logp(bool dropped) const {
    Matrix bias(a.rows(), classes);
    kernels::add_row(c, bias);
    return plain::log_softmax(plain::gemm_add(hidden(dropped), w, bias));
  }
};

struct HeadResult {
  Matrix logp, g, dz;
  kernels::HeadSums sums;
};

inline HeadResult run_head(const HeadCase& h, bool dropped) {
  const kernels::PaddedClassifier classifier(h.w, h.c);
  const kernels::HeadInput in{h.rows, h.z, h.a, h.b, dropped ? h.factor.data() : nullptr, classifier};
  HeadResult r{Matrix(h.a.rows(), h.classes), Matrix(h.z.rows(), h.k, 9), Matrix(h.z.rows(), h.k, 9), {h.k, h.classes}};
  kernels::head_forward(in, r.logp);
  kernels::head_backward(in, h.labels, h.scale, h.slope, r.g, r.dz, r.sums);
  return r;
}

// What the head should give, with the plain kernels.
inline HeadResult plain_head(const HeadCase& h, bool dropped) {
  HeadResult r{h.logp(dropped), Matrix(h.z.rows(), h.k, 9), Matrix(h.z.rows(), h.k, 9), {h.k, h.classes}};
  Matrix d(h.a.rows(), h.classes);
  kernels::softmax_nll_backward_add(r.logp, h.labels, h.scale, d);
  r.sums.weight = plain::gemm_transposed_add(d, h.hidden(dropped), r.sums.weight);
  r.sums.bias = plain::column_sums_add(d, r.sums.bias);
  Matrix wt(h.classes, h.k);
  kernels::transpose(h.w, wt);
  const Matrix dh = plain::gemm(d, wt);
  for (Index i = 0; i < h.a.rows(); ++i) {
    const Index u = h.rows[i];
    r.sums.loss -= static_cast<double>(r.logp(i, h.labels[i]));
    for (Index j = 0; j < h.k; ++j) {
      const Real gradient = dropped ? dh(i, j) * h.factor(i, j) : dh(i, j);
      r.g(u, j) = (1 - h.b(0, j)) * gradient;
      r.dz(u, j) = h.b(0, j) * gradient * (h.z(u, j) > 0 ? 1 : h.slope);
      r.sums.mix(0, j) += gradient * (h.z(u, j) - h.a(i, j));
    }
  }
  return r;
}

TEST(HeadKernel, EqualsPlainKernelsOnEveryInstructionSet) {
  for (const Index width : {16, 32, 64, 80, 512}) {
    for (const Index classes : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 33, 64}) {
      const HeadCase h(width, classes, width == 512 ? 3 : 37);
      for (bool dropped : {false, true}) {
        const HeadResult expected = plain_head(h, dropped);
        for (std::int64_t target : simd_targets()) {
          SCOPED_TRACE(::testing::Message()
                       << width << " wide, " << classes << " classes, " << hwy::TargetName(target));
          const SimdTarget scope(target);
          const HeadResult found = run_head(h, dropped);
          const double tolerance = kEpsilon * (64 + 2 * width);
          EXPECT_TRUE(matrices_near(found.logp, expected.logp, tolerance));
          EXPECT_TRUE(matrices_near(found.g, expected.g, tolerance));
          EXPECT_TRUE(matrices_near(found.dz, expected.dz, tolerance));
          EXPECT_TRUE(matrices_near(found.sums.weight, expected.sums.weight, tolerance));
          EXPECT_TRUE(matrices_near(found.sums.bias, expected.sums.bias, tolerance));
          EXPECT_TRUE(matrices_near(found.sums.mix, expected.sums.mix, 4 * tolerance));
          EXPECT_NEAR(found.sums.loss, expected.sums.loss, 40 * tolerance);
        }
      }
    }
  }
}

// FNV-1a over the bytes of all results.
inline std::uint64_t digest_of(const HeadResult& r, std::uint64_t out) {
  const auto add = [&](const auto& number) {
    for (unsigned char byte : std::bit_cast<std::array<unsigned char, sizeof(number)>>(number))
      out = (out ^ byte) * 1099511628211u;
  };
  for (const Matrix* m : {&r.logp, &r.g, &r.dz, &r.sums.weight, &r.sums.bias, &r.sums.mix})
    for (Real value : m->values()) add(value);
  add(r.sums.loss);
  return out;
}

// The bits are written down, so that a CPU with AVX2 alone is held to what AVX-512 gave elsewhere.
TEST(HeadKernel, Avx2AndAvx512GiveTheSameBits) {
  constexpr std::uint64_t kBits = sizeof(Real) == 4 ? 0x6f104d324871e3e4u : 0xb22874a8d0919b63u;
  for (std::int64_t target : simd_targets()) {
    if (target > HWY_AVX2) continue;  // lower bits: better targets
    SCOPED_TRACE(hwy::TargetName(target));
    const SimdTarget scope(target);
    std::uint64_t digest = 14695981039346656037u;
    for (const Index classes : {2, 3, 5, 7, 8, 9, 15, 16, 17, 33})
      digest = digest_of(run_head(HeadCase(32, classes, 37), true), digest);
    EXPECT_EQ(digest, kBits) << std::hex << digest;
  }
}

}  // namespace gcnh::testing
