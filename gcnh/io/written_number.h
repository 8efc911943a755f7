// A cell that holds a number, taken apart: €1.250,50-
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gcnh/io/units.h"

namespace gcnh {

inline constexpr std::string_view kDigits = "0123456789";
inline constexpr std::size_t kLongestNumber = 64;  // bytes of its cell

// What stands before the first digit and behind the last one, without signs, and what is between.
struct Written {
  bool is_negative = false, in_brackets = false;
  bool has_minus_behind = false;  // 650-, as some ledgers write -650
  bool has_blank = false;         // between the number and what is behind it
  double factor = 1;              // that a K or Mio behind it stands for
  std::string before = "", body = "", after = "";

  bool has_unit() const { return !before.empty() || !after.empty(); }
  bool has_unit_of(const std::string& other_before, const std::string& other_after) const {
    return before == other_before && (after == other_after || unit_key(after) == unit_key(other_after));
  }
};

std::optional<Written> split_cell(std::string_view cell);

// Makes the first word behind the number its factor, where it is one: 1.2 Mio €. Says whether it was.
bool take_multiple(Written& number);

// The number, with these marks before its fraction and between thousands (0: nothing), if it can be read so.
std::optional<double> value_of(const Written& number, char point, char group);

// Of the marks before fractions and between thousands; the first that fits is taken.
inline constexpr std::array<std::pair<char, char>, 7> kMarks = {
    {{'.', '\0'}, {'.', ','}, {',', '\0'}, {',', '.'}, {'.', ' '}, {',', ' '}, {'.', '\''}}};

bool is_number(const Written& number);  // with some of these marks

}  // namespace gcnh
