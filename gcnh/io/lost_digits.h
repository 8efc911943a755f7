// Columns of a matrix whose numbers are told apart by digits that a Real does not have.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gcnh/base/error.h"
#include "gcnh/base/types.h"

namespace gcnh {

class LostDigits {
 public:
  // A number as it was written.
  void add(Index column, double x) {
    const double loss = std::abs(x - static_cast<double>(static_cast<Real>(x)));
    if (loss == 0 || column >= kMostColumns) return;
    const auto at = static_cast<std::size_t>(column);
    if (at >= ranges_.size()) ranges_.resize(at + 1);
    Range& range = ranges_[at];
    range.low = std::min(range.low, x);
    range.high = std::max(range.high, x);
    range.loss = std::max(range.loss, loss);
  }

  // Tells of the first such column, if there is one; columns are counted from `first`.
  void note(const std::string& path, std::vector<std::string>& notes, Index first = 1) const {
    const auto is_lost = [](const Range& r) { return r.high > r.low && r.loss > kMuch * (r.high - r.low); };
    const auto found = std::find_if(ranges_.begin(), ranges_.end(), is_lost);
    if (found == ranges_.end()) return;
    notes.push_back(join(path, ": column ", found - ranges_.begin() + first,
                         ": its numbers differ in digits that the features of a matrix do not have; subtract what all "
                         "of them have in common, or give it as a table"));
  }

 private:
  static constexpr Index kMostColumns = 1'000'000;
  static constexpr double kMuch = 1e-3;  // of the distance between the least and the largest

  struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low, loss = 0;
  };
  std::vector<Range> ranges_;  // by column, of numbers that a Real does not hold
};

}  // namespace gcnh
