// Principal components: the plane in which points differ most.
#pragma once

#include <array>
#include <vector>

namespace gcnh::report {

struct Plane {
  std::vector<std::array<double, 2>> points;  // one per row
  std::array<double, 2> share = {0, 0};       // of the variance along each axis
};

// Rows of equal length. Signs are fixed (the largest loading of an axis is positive), so that equal input gives an
// equal picture everywhere.
Plane principal_plane(const std::vector<std::vector<double>>& rows);

}  // namespace gcnh::report
