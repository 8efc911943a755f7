// A cell that holds a number, taken apart: €1.250,50-
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gcnh/io/units.h"

namespace gcnh {

inline constexpr std::string_view kDigits = "0123456789";
inline constexpr std::size_t kLongestNumber = 64;  // bytes of its cell

// What stands before the first digit and behind the last one, without signs, and what is between.
struct Written {
  bool is_negative = false, in_brackets = false;
  bool has_minus_behind = false;  // 650-, as some ledgers write -650
  std::string before = "", body = "", after = "";

  bool has_unit() const { return !before.empty() || !after.empty(); }
  bool has_unit_of(const std::string& other_before, const std::string& other_after) const {
    return before == other_before && (after == other_after || unit_key(after) == unit_key(other_after));
  }
};

std::optional<Written> split_cell(std::string_view cell);

// The number, with these marks before its fraction and between thousands (0: nothing), if it can be read so.
std::optional<double> value_of(const Written& number, char point, char group);

}  // namespace gcnh
