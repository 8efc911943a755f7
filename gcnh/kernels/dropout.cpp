// Dropout factors from counter-based draws of 16 bits, eight to a Philox block: element i depends on the stream and on
// i alone. Philox4x32-10 (Salmon et al., SC 2011) is spelled out here over groups of blocks, so that compilers
// vectorise it; the numbers are those of Rng::block.
#include "gcnh/kernels/dropout.h"

#include <cmath>
#include <functional>

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

// Draws the blocks of run after run, as many at a time as a group holds.
void factor_runs(std::uint64_t key, std::uint32_t threshold, Real keep, std::int64_t begin, std::int64_t end,
                 const std::function<DropoutRun(std::int64_t)>& run_at) {
  struct Cut {  // factors from .. to - 1 of a block
    std::int64_t from, to;
    Real* out;
  };
  Cut cuts[kGroup];
  Real drawn[kGroup * kDraws];
  Group g{};
  int waiting = 0;
  const auto flush = [&] {
    factors_of(key, threshold, keep, g, waiting, drawn);
    for (int i = 0; i < waiting; ++i)
      std::copy(drawn + i * kDraws + cuts[i].from, drawn + i * kDraws + cuts[i].to, cuts[i].out);
    waiting = 0;
  };
  for (std::int64_t r = begin; r < end; ++r) {
    DropoutRun run = run_at(r);
    while (run.count > 0) {
      const std::int64_t block = run.draw / kDraws, from = run.draw % kDraws;
      const std::int64_t to = std::min<std::int64_t>(kDraws, from + run.count);
      g.c[0][waiting] = static_cast<std::uint32_t>(block);
      g.c[1][waiting] = static_cast<std::uint32_t>(block >> 32);
      cuts[waiting] = {from, to, run.to};
      run = {run.draw + to - from, run.count - (to - from), run.to + (to - from)};
      if (++waiting == kGroup) flush();
    }
  }
  if (waiting > 0) flush();
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
HWY_EXPORT(factor_runs);

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

void dropout_factors_at(const Rng& rng, double p, std::span<const Offset> places, Matrix& factor) {
  const std::int64_t cols = factor.cols();
  const auto run_at = [&](std::int64_t i) {
    return DropoutRun{places[i] * cols, cols, factor.row(static_cast<Index>(i))};
  };
  parallel_for(static_cast<std::int64_t>(places.size()), 64 + 8 * cols, [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(factor_runs)(rng.key(), threshold_of(p), keep_of(p), begin, end, run_at);
  });
}

void dropout_factors_at(const Rng& rng, double p, std::span<const Offset> first, std::span<const Offset> offsets,
                        std::span<Real> factor) {
  const auto run_at = [&](std::int64_t i) {
    return DropoutRun{first[i], offsets[i + 1] - offsets[i], factor.data() + offsets[i]};
  };
  const auto rows = static_cast<std::int64_t>(first.size());
  parallel_for(rows, 64 + 8 * std::ssize(factor) / std::max<std::int64_t>(1, rows),
               [&](std::int64_t begin, std::int64_t end) {
                 HWY_DYNAMIC_DISPATCH(factor_runs)
                 (rng.key(), threshold_of(p), keep_of(p), begin, end, run_at);
               });
}

}  // namespace gcnh::kernels
#endif
