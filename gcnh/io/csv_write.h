// Writing CSV by RFC 4180.
#pragma once

#include <string>
#include <string_view>

namespace gcnh {

// One field, quoted where it must be.
std::string csv_field(std::string_view text);

}  // namespace gcnh
