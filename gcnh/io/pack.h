// Bytes packed by gzip. What unpacks them is in unpack.h.
#pragma once

#include <string>
#include <string_view>

namespace gcnh {

// The same bytes give the same file: it names neither a time nor a name.
std::string gzip(std::string_view bytes);

}  // namespace gcnh
