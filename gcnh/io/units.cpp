#include "gcnh/io/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace gcnh {

bool is_currency(const std::string& word) {
  static constexpr std::array<std::string_view, 16> kCodes = {"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "CAD",
                                                              "AUD", "SEK", "NOK", "DKK", "PLN", "BRL", "KRW", "ZAR"};
  const bool symbol =
      word.size() <= 6 && std::any_of(word.begin(), word.end(), [](char c) { return c == '$' || (c & 0x80); });
  return symbol || std::find(kCodes.begin(), kCodes.end(), word) != kCodes.end();
}

bool is_unit(const std::string& word) {
  return word.size() <= 16 && word.find_first_of("()[]{}:;#,\"'_=") == word.npos;
}

bool is_known_unit(const std::string& word) {
  static constexpr auto kUnits = std::to_array<std::string_view>(
      {"%",  "mg",   "g",    "kg",    "t",     "oz",   "lb",   "ton",   "pound",  "mm",   "cm",     "m",
       "km", "in",   "inch", "inche", "ft",    "feet", "foot", "yd",    "yard",   "mi",   "mile",   "ml",
       "cl", "l",    "gal",  "litre", "liter", "ms",   "s",    "sec",   "second", "min",  "minute", "h",
       "hr", "hour", "d",    "day",   "wk",    "week", "mo",   "month", "yr",     "year", "kb",     "mb",
       "Mb", "gb",   "tb",   "km/h",  "mph",   "kwh",  "kcal", "euro",  "dollar"});
  return is_currency(word) || std::find(kUnits.begin(), kUnits.end(), unit_key(word)) != kUnits.end();
}

bool is_sign(const std::string& word) {
  static constexpr auto kSigns = std::to_array<std::string_view>({"CR", "DR", "Cr", "Dr", "H", "S"});
  return std::find(kSigns.begin(), kSigns.end(), word) != kSigns.end();
}

double multiple(const std::string& word) {
  static constexpr auto kMultiples = std::to_array<std::pair<std::string_view, double>>(
      {{"K", 1e3}, {"k", 1e3}, {"Tsd", 1e3}, {"M", 1e6}, {"Mio", 1e6}, {"B", 1e9}, {"bn", 1e9}, {"Mrd", 1e9}});
  const std::string_view name = std::string_view(word).substr(0, word.ends_with('.') ? word.size() - 1 : word.size());
  for (const auto& [known, factor] : kMultiples)
    if (name == known) return factor;
  return 0;
}

std::string unit_key(std::string word) {
  if (word.ends_with('.')) word.pop_back();
  const bool is_mega = word.size() <= 2 && word.starts_with('M');
  for (std::size_t i = is_mega ? 1 : 0; i < word.size(); ++i)
    word[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[i])));
  if (word.size() > 2 && word.ends_with('s')) word.pop_back();
  return word;
}

}  // namespace gcnh
