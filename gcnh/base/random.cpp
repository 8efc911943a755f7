#include "gcnh/base/random.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace gcnh {
namespace {

__extension__ using Word128 = unsigned __int128;

std::uint64_t word64(std::uint32_t low, std::uint32_t high) { return low | std::uint64_t{high} << 32; }

// Uniform on (0, 1): never 0, so its logarithm is finite.
double open_unit(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

// Counter words 2 and 3 keep the addresses of draws and of forks apart.
r123::Philox4x32::ctr_type philox(std::uint64_t key, std::uint64_t counter, std::uint32_t space) {
  const r123::Philox4x32::ctr_type c = {
      {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), space, 0}};
  const r123::Philox4x32::key_type k = {{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  return r123::Philox4x32()(c, k);
}

}  // namespace

Rng Rng::fork(std::uint64_t tag) const {
  const auto w = philox(key_, tag, 1);
  return Rng(word64(w[0], w[1]));
}

std::array<std::uint32_t, 4> Rng::block(std::uint64_t i) const {
  const auto w = philox(key_, i, 0);
  return {w[0], w[1], w[2], w[3]};
}

double Rng::uniform(std::uint64_t i) const {
  const auto w = block(i);
  return static_cast<double>(word64(w[0], w[1]) >> 11) * 0x1p-53;
}

double Rng::normal(std::uint64_t i) const {
  const auto w = block(i);
  return std::sqrt(-2 * std::log(open_unit(word64(w[0], w[1])))) *
         std::cos(2 * std::numbers::pi * open_unit(word64(w[2], w[3])));
}

std::uint64_t Rng::below(std::uint64_t n, std::uint64_t i) const {
  const auto w = block(i);
  return static_cast<std::uint64_t>((static_cast<Word128>(word64(w[0], w[1])) * n) >> 64);
}

}  // namespace gcnh
