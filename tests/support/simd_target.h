// Restricts the kernels to one of Highway's instruction sets for as long as the scope lives.
#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <vector>

namespace gcnh::testing {

class SimdTarget {
 public:
  explicit SimdTarget(std::int64_t target) { choose(target); }
  ~SimdTarget() { choose(0); }  // 0: whatever the CPU has
  SimdTarget(const SimdTarget&) = delete;
  SimdTarget& operator=(const SimdTarget&) = delete;

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

// Those compiled into the library that this CPU can run, best first.
inline std::vector<std::int64_t> simd_targets() { return hwy::SupportedAndGeneratedTargets(); }

}  // namespace gcnh::testing
