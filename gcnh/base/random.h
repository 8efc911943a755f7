// Counter-based random numbers (Philox4x32-10 of Random123): every number has an address (seed, path of tags, index),
// so it never depends on threads, on the order of calls or on where a run was resumed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gcnh/base/types.h"

namespace gcnh {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : key_(seed) {}

  // An independent stream; the same tag always gives the same stream.
  Rng fork(std::uint64_t tag) const;

  // Block number i of the stream: 128 random bits.
  std::array<std::uint32_t, 4> block(std::uint64_t i) const;

  double uniform(std::uint64_t i) const;                        // [0, 1), 53 bits
  double normal(std::uint64_t i) const;                         // mean 0, variance 1
  std::uint64_t below(std::uint64_t n, std::uint64_t i) const;  // 0..n-1

  std::uint64_t key() const { return key_; }

 private:
  std::uint64_t key_;
};

// Fisher-Yates.
template <class T>
void shuffle(std::vector<T>& items, const Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[rng.below(i, i)]);
}

}  // namespace gcnh
