// The head of an .npy file: magic, version, length, and a Python literal with the three keys descr, fortran_order,
// shape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gcnh {

constexpr std::string_view kNpyMagic = "\x93NUMPY";

struct NpyHeader {
  std::string dtype;
  std::vector<std::int64_t> shape;
  bool column_major = false;
  std::size_t end = 0;  // where the data begins
};

NpyHeader parse_npy_header(std::string_view file, const std::string& where);

// As a Python tuple: (), (3,), (3, 2).
std::string format_shape(const std::vector<std::int64_t>& shape);

}  // namespace gcnh
