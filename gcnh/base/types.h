// The number types, named once. The double build exists for gradient checks and oracle comparisons.
#pragma once

#include <cstdint>

namespace gcnh {

#ifdef GCNH_DOUBLE
using Real = double;
#else
using Real = float;
#endif

using Index = std::int32_t;   // node, feature and class numbers
using Offset = std::int64_t;  // positions in edge and value arrays

}  // namespace gcnh
