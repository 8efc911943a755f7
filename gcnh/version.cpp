#include "gcnh/version.h"

#include "gcnh/kernels/kernels.h"

namespace gcnh {

const char* version() { return GCNH_VERSION; }
const char* simd() { return kernels::simd_name(); }

}  // namespace gcnh
