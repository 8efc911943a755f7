// Dropout factors from counter-based draws of 16 bits, eight to a Philox block: element i depends on the stream and on
// i alone. Philox4x32-10 (Salmon et al., SC 2011) is spelled out here over groups of blocks, so that compilers
// vectorise it; the numbers are those of Rng::block.
#include <cmath>

#define HWY_TARGET_INCLUDE "gcnh/kernels/dropout.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

constexpr int kGroup = 16;  // blocks drawn together
constexpr int kDraws = 8;   // per block
constexpr int kRounds = 10;

struct Group {
  std::uint32_t c[4][kGroup];
};

// The blocks whose numbers are in c[0] and c[1] (low and high half); the other counter words are 0.
HWY_INLINE void philox(std::uint64_t key, Group& g) {
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int i = 0; i < kGroup; ++i) g.c[2][i] = g.c[3][i] = 0;
  for (int round = 0; round < kRounds; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
    for (int i = 0; i < kGroup; ++i) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * g.c[0][i], p1 = std::uint64_t{0xCD9E8D57u} * g.c[2][i];
      g.c[0][i] = static_cast<std::uint32_t>(p1 >> 32) ^ g.c[1][i] ^ k0;
      g.c[2][i] = static_cast<std::uint32_t>(p0 >> 32) ^ g.c[3][i] ^ k1;
      g.c[1][i] = static_cast<std::uint32_t>(p1);
      g.c[3][i] = static_cast<std::uint32_t>(p0);
    }
  }
}

// Factors of `count` <= kGroup blocks whose numbers stand in the group.
HWY_INLINE void factors_of(std::uint64_t key, std::uint32_t threshold, Real keep, Group& g, int count, Real* factor) {
  philox(key, g);
  for (int i = 0; i < count; ++i)
    for (int w = 0; w < 4; ++w) {
      const std::uint32_t word = g.c[w][i];
      factor[i * kDraws + 2 * w] = (word & 0xffff) < threshold ? Real{0} : keep;
      factor[i * kDraws + 2 * w + 1] = word >> 16 < threshold ? Real{0} : keep;
    }
}

// Blocks begin .. end - 1 of the concatenated rows: `per_row` blocks for each listed row, or simply all blocks.
void factor_blocks(std::uint64_t key, std::uint32_t threshold, Real keep, const Index* rows, std::int64_t per_row,
                   std::int64_t begin, std::int64_t end, Real* factor) {
  for (std::int64_t first = begin; first < end; first += kGroup) {
    const int count = static_cast<int>(std::min<std::int64_t>(kGroup, end - first));
    Group g;
    for (int i = 0; i < kGroup; ++i) {
      const std::int64_t b = std::min(first + i, end - 1);
      const auto block = static_cast<std::uint64_t>(rows ? rows[b / per_row] * per_row + b % per_row : b);
      g.c[0][i] = static_cast<std::uint32_t>(block);
      g.c[1][i] = static_cast<std::uint32_t>(block >> 32);
    }
    factors_of(key, threshold, keep, g, count, factor + first * kDraws);
  }
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {
namespace {

using HWY_NAMESPACE::kDraws;

std::uint32_t threshold_of(double p) { return static_cast<std::uint32_t>(std::lround(p * 65536)); }
Real keep_of(double p) { return p < 1 ? static_cast<Real>(1 / (1 - p)) : Real{0}; }

}  // namespace

HWY_EXPORT(factor_blocks);

void dropout_factors(const Rng& rng, double p, std::span<Real> factor) {
  const std::int64_t count = std::ssize(factor), whole = count / kDraws;
  parallel_for(whole, 64, [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(factor_blocks)(rng.key(), threshold_of(p), keep_of(p), nullptr, 1, begin, end, factor.data());
  });
  if (whole * kDraws == count) return;
  const auto words = rng.block(static_cast<std::uint64_t>(whole));
  for (std::int64_t i = whole * kDraws; i < count; ++i) {
    const std::int64_t draw = i % kDraws;
    factor[i] = (words[draw / 2] >> (draw % 2 * 16) & 0xffff) < threshold_of(p) ? Real{0} : keep_of(p);
  }
}

void dropout_factor_rows(const Rng& rng, double p, std::span<const Index> rows, Matrix& factor) {
  const std::int64_t per_row = factor.cols() / kDraws;
  const std::int64_t blocks = per_row * static_cast<std::int64_t>(rows.size());
  parallel_for(blocks, 64, [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(factor_blocks)
    (rng.key(), threshold_of(p), keep_of(p), rows.data(), per_row, begin, end, factor.data());
  });
}

}  // namespace gcnh::kernels
#endif
