// Comparisons in words.
#pragma once

#include <string>

#include "gcnh/study/comparison.h"

namespace gcnh {

std::string points_text(double share);              // +5.14, percentage points
std::string points_text(const Interval& interval);  // +1.43 to +6.09
std::string p_text(double p);                       // 0.0053, or <0.0001

// What the comparison shows, in one sentence with its evidence. With a model that does not see the
// graph among them: whether the graph helps. Else whether the best model by validation is better than the next one.
// Empty for a single model.
std::string verdict(const Comparison& comparison);

}  // namespace gcnh
