#include "gcnh/io/cell_times.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// "+02:00" or "-0530" as a part of a day.
std::optional<double> parse_zone(std::string_view text) {
  std::string digits(text.substr(1));
  std::erase(digits, ':');
  const auto number = parse_number<int>(digits);
  if (digits.size() != 4 || !number || *number < 0 || *number > 1400 || *number % 100 > 59) return std::nullopt;
  return (text[0] == '-' ? -1 : 1) * (*number / 100 * 60 + *number % 100) / 1440.0;
}

// Cuts off AM or PM, and says how many hours it adds to those of the clock.
std::optional<int> take_half(std::string_view& text) {
  if (text.size() < 3) return std::nullopt;
  const auto upper = [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); };
  const char half = upper(text[text.size() - 2]);
  if (upper(text.back()) != 'M' || (half != 'A' && half != 'P')) return std::nullopt;
  text.remove_suffix(text[text.size() - 3] == ' ' ? 3 : 2);
  return half == 'P' ? 12 : 0;
}

// Z, UTC or GMT behind a time, which is cut off.
bool take_utc(std::string_view& text) {
  for (const std::string_view name : {" UTC", " GMT", " Z", "Z"}) {
    if (!text.ends_with(name)) continue;
    text.remove_suffix(name.size());
    return true;
  }
  return false;
}

}  // namespace

std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  const std::size_t digits =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  if (digits < least || digits > most) return std::nullopt;
  const int value = *parse_number<int>(text.substr(0, digits));
  text.remove_prefix(digits);
  return value;
}

bool take_mark(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<double> parse_time(std::string_view text) {
  double zone = 0;
  const std::optional<int> half = take_half(text);
  const bool is_utc = take_utc(text);
  if (const std::size_t sign = text.find_first_of("+-"); !is_utc && sign != std::string_view::npos) {
    const std::optional<double> given = parse_zone(text.substr(sign));
    if (!given) return std::nullopt;
    zone = *given;
    text = text.substr(0, sign);
    if (text.ends_with(' ')) text.remove_suffix(1);
  }
  auto hours = take_digits(text, 1, 2);
  if (!hours || !take_mark(text, ':')) return std::nullopt;
  const auto minutes = take_digits(text, 2, 2);
  double seconds = 0;
  if (minutes && !text.empty()) {
    const auto given = take_mark(text, ':') ? parse_number<double>(text) : std::nullopt;
    if (!given || *given < 0 || *given >= 61) return std::nullopt;
    seconds = *given;
  }
  if (half && (*hours < 1 || *hours > 12)) return std::nullopt;
  if (half) hours = *hours % 12 + *half;
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return (*hours * 60 + *minutes + seconds / 60) / 1440.0 - zone;
}

std::optional<double> parse_duration(std::string_view text) {
  double days = 0;
  if (const std::size_t word = text.find(" day"); word != text.npos) {
    const auto count = parse_number<int>(text.substr(0, word));
    text.remove_prefix(word + 4);
    take_mark(text, 's');
    take_mark(text, ',');
    if (!count || !take_mark(text, ' ')) return std::nullopt;
    take_mark(text, '+');
    days = *count;
  }
  const auto hours = take_digits(text, 1, 5);
  if (!hours || !take_mark(text, ':')) return std::nullopt;
  const auto minutes = take_digits(text, 2, 2);
  if (!minutes || *minutes > 59 || !take_mark(text, ':')) return std::nullopt;
  const auto seconds = text.size() >= 2 && is_digit(text[0]) ? parse_number<double>(text) : std::nullopt;
  if (!seconds || *seconds >= 61) return std::nullopt;
  return days + (*hours * 60 + *minutes + *seconds / 60) / 1440.0;
}

}  // namespace gcnh
