// Principal components: the directions in which points differ most.
#pragma once

#include <vector>

namespace gcnh {

struct Components {
  std::vector<std::vector<double>> points;  // one per row, a coordinate per direction
  std::vector<double> share;                // of the variance along each direction
};

// Rows of equal length. Directions beyond that length are 0 everywhere. Signs are fixed (the largest loading of a
// direction is positive), so that equal input gives an equal picture everywhere.
Components principal_components(const std::vector<std::vector<double>>& rows, int count);

}  // namespace gcnh
