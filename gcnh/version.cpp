#include "gcnh/version.h"

#include <fstream>

#include "gcnh/kernels/kernels.h"

namespace gcnh {

const char* version() { return GCNH_VERSION; }
const char* simd() { return kernels::simd_name(); }

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "an unknown processor";
}

}  // namespace gcnh
