// Files that are built into the library: gcnh/report/assets/* and Debian's d3.
#pragma once

#include <string_view>

namespace gcnh {

// By file name; generated at build time.
std::string_view asset(std::string_view name);

}  // namespace gcnh
