// The bytes of a pickle, taken from left to right with every length checked against what is left.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "gcnh/base/error.h"

namespace gcnh {

class PickleBytes {
 public:
  PickleBytes(std::string_view bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

  std::size_t left() const { return bytes_.size() - at_; }

  int opcode() {
    opcode_ = -1;  // an error now is about the missing opcode, not the one before
    opcode_at_ = at_;
    opcode_ = static_cast<unsigned char>(take(1)[0]);
    return opcode_;
  }

  std::string_view take(std::int64_t count) {
    if (static_cast<std::uint64_t>(count) > left())
      wrong(join("needs ", count, " bytes, the file has ", left(), " left"));
    const std::string_view out = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += out.size();
    return out;
  }

  std::string_view text_line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) wrong("a name does not end");
    const std::string_view out = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return out;
  }

  std::int64_t unsigned_integer(int width) {
    std::int64_t value = 0;
    int shift = 0;
    for (char c : take(width)) {
      value |= std::int64_t{static_cast<unsigned char>(c)} << shift;
      shift += 8;
    }
    return value;
  }

  std::int64_t signed_integer(std::int64_t width) {
    if (width > 8) wrong(join("an integer of ", width, " bytes; at most 8"));
    std::uint64_t value = 0;
    for (char c : take(width)) value = value >> 8 | std::uint64_t{static_cast<unsigned char>(c)} << 56;
    return width == 0 ? 0 : static_cast<std::int64_t>(value) >> (64 - 8 * width);
  }

  double big_endian_double() {
    std::uint64_t value = 0;
    for (char c : take(8)) value = value << 8 | static_cast<unsigned char>(c);
    return std::bit_cast<double>(value);
  }

  [[noreturn]] void wrong(const std::string& what) const {
    if (opcode_ < 0) fail(Status::data, where_, ": the pickle ends at byte ", opcode_at_, " before its STOP opcode");
    constexpr char kHex[] = "0123456789abcdef";
    fail(Status::data, where_, ": opcode 0x", kHex[opcode_ >> 4], kHex[opcode_ & 15], " at byte ", opcode_at_, ": ",
         what);
  }

 private:
  std::string_view bytes_;
  std::string where_;
  std::size_t at_ = 0;
  std::size_t opcode_at_ = 0;
  int opcode_ = 0;
};

}  // namespace gcnh
