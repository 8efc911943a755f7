// The shapes every kernel is tried on: widths around each vector length, rows from none to many.
#pragma once

#include <vector>

#include "gcnh/base/types.h"

namespace gcnh::testing {

inline const std::vector<Index> kWidths = {1, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100, 128};
inline const std::vector<Index> kRows = {0, 1, 2, 5, 37, 300};

template <class F>
void for_all_shapes(const F& f) {
  for (Index rows : kRows)
    for (Index width : kWidths) f(rows, width);
}

}  // namespace gcnh::testing
