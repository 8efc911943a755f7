// The fused step against the tape in double, where rounding decides nothing: 200 steps to 1e-9.
#include "tests/train/fused_cases.h"

namespace gcnh::testing {
namespace {

TEST(Fused, EqualsTapeInDouble) {
  for (const FusedCase& c : fused_cases()) expect_fused_equals_tape(fused_dataset(11, true), c, 1e-9, 200);
}

TEST(Fused, EqualsTapeInDoubleOnUnweightedGraph) {
  for (const FusedCase& c : fused_cases()) expect_fused_equals_tape(fused_dataset(12, true), c, 1e-9, 10);
}

TEST(Fused, EqualsTapeInDoubleOnDenseFeatures) {
  for (const FusedCase& c : fused_cases()) expect_fused_equals_tape(fused_dataset(13, false), c, 1e-9, 50);
}

TEST(Fused, EqualsTapeInDoubleOnRealGraphs) { expect_equal_on_real_graphs(1e-9, 200, 50); }

}  // namespace
}  // namespace gcnh::testing
