// The cells of a column that have a value, as those who look for its kind go through them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gcnh/io/cells.h"

namespace gcnh {

inline constexpr std::int64_t kFewCells = 20;   // below so many nothing is said about how values are spread
inline constexpr std::size_t kMostCodes = 300;  // codes have no more values than this

struct Present {
  const Cells& cells;
  const std::vector<std::string>& missing;
  std::int64_t count = 0;

  Present(const Cells& from, const std::vector<std::string>& words) : cells(from), missing(words) {
    all([&](std::string_view) { return ++count, true; });
  }
  // Whether f holds for all of them; stops at the first for which it does not.
  template <class F>
  bool all(const F& f) const {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (const std::string_view cell = cells[i]; !is_missing(cell, missing) && !f(cell)) return false;
    return true;
  }
  template <class F>
  std::int64_t count_if(const F& f) const {
    std::int64_t out = 0;
    all([&](std::string_view cell) { return out += f(cell) ? 1 : 0, true; });
    return out;
  }
};

// Of the cells that have a value, those for which `counts` holds.
inline ForAllCells for_all(const Present& present, bool (*counts)(std::string_view) = nullptr) {
  return [&present, counts](const std::function<bool(std::string_view)>& f) {
    return present.all([&](std::string_view cell) { return (counts && !counts(cell)) || f(cell); });
  };
}

}  // namespace gcnh
