#include "gcnh/io/cell_dates.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <string>

#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// The digits at the front, which are cut off: so many at least and at most.
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

// 24 is 2024 and 85 is 1985, as POSIX has it.
int full_year(int year, std::size_t digits) { return digits == 4 ? year : year + (year < 69 ? 2000 : 1900); }

// The year at the end of a date: four digits, or two.
std::optional<int> take_year(std::string_view& text) {
  const std::size_t before = text.size();
  const auto year = take_digits(text, 2, 4);
  const std::size_t digits = before - text.size();
  return year && digits != 3 ? std::optional(full_year(*year, digits)) : std::nullopt;
}

// An English name at the front, or its first three letters, which is cut off.
std::optional<int> take_month(std::string_view& text) {
  static constexpr std::array<std::string_view, 12> kNames = {"january",   "february", "march",    "april",
                                                              "may",       "june",     "july",     "august",
                                                              "september", "october",  "november", "december"};
  std::string word;
  while (word.size() < text.size() && std::isalpha(static_cast<unsigned char>(text[word.size()])))
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[word.size()])));
  for (std::size_t m = 0; m < kNames.size(); ++m) {
    if (word != kNames[m] && word != kNames[m].substr(0, 3) && !(word == "sept" && m == 8)) continue;
    text.remove_prefix(word.size());
    take_mark(text, '.');
    return static_cast<int>(m) + 1;
  }
  return std::nullopt;
}

std::optional<double> days_of(int y, int m, int d) {
  using namespace std::chrono;
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)}, day{static_cast<unsigned>(d)}};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(sys_days(date).time_since_epoch().count());
}

// 2024-02-29
std::optional<double> take_year_first(std::string_view& text, char mark) {
  const auto y = take_digits(text, 4, 4);
  if (!y || !take_mark(text, mark)) return std::nullopt;
  const auto m = take_digits(text, 1, 2);
  if (!m || !take_mark(text, mark)) return std::nullopt;
  const auto d = take_digits(text, 1, 2);
  return d ? days_of(*y, *m, *d) : std::nullopt;
}

// 29.2.2024 or 2/29/2024. Years of two digits have two-digit days and months before them, unless the marks are slashes:
// 1.2.10 may be a version.
std::optional<double> take_year_last(std::string_view& text, char mark, DateOrder order) {
  const std::string_view whole = text;
  const auto a = take_digits(text, 1, 2);
  if (!a || !take_mark(text, mark)) return std::nullopt;
  const auto b = take_digits(text, 1, 2);
  if (!b || !take_mark(text, mark)) return std::nullopt;
  const bool is_short = whole.size() - text.size() < 6;
  const std::size_t before = text.size();
  const auto y = take_year(text);
  if (!y || (before - text.size() == 2 && is_short && mark != '/')) return std::nullopt;
  return mark == '.' || order == DateOrder::dmy ? days_of(*y, *b, *a) : days_of(*y, *a, *b);
}

// 29 Feb 2024, 29-Feb-24
std::optional<double> take_day_and_name(std::string_view& text) {
  const auto d = take_digits(text, 1, 2);
  if (d) take_mark(text, '.');
  if (!d || (!take_mark(text, ' ') && !take_mark(text, '-'))) return std::nullopt;
  const auto m = take_month(text);
  if (!m || (!take_mark(text, ' ') && !take_mark(text, '-'))) return std::nullopt;
  const auto y = take_year(text);
  return y ? days_of(*y, *m, *d) : std::nullopt;
}

// Feb 29, 2024
std::optional<double> take_name_and_day(std::string_view& text) {
  const auto m = take_month(text);
  if (!m || !take_mark(text, ' ')) return std::nullopt;
  const auto d = take_digits(text, 1, 2);
  if (d) take_mark(text, ',');
  if (!d || !take_mark(text, ' ')) return std::nullopt;
  const auto y = take_digits(text, 4, 4);
  return y ? days_of(*y, *m, *d) : std::nullopt;
}

// 2024-02 alone: the first of the month.
std::optional<double> take_year_and_month(std::string_view& text) {
  const auto y = take_digits(text, 4, 4);
  if (!y || *y < 1000 || *y >= 3000 || !take_mark(text, '-')) return std::nullopt;
  const auto m = take_digits(text, 2, 2);
  return m && text.empty() ? days_of(*y, *m, 1) : std::nullopt;
}

// The date at the front, which is cut off.
std::optional<double> take_day(std::string_view& text, DateOrder order) {
  const auto attempt = [&](const auto& take) -> std::optional<double> {
    std::string_view rest = text;
    const std::optional<double> out = take(rest);
    if (out) text = rest;
    return out;
  };
  for (const char mark : {'-', '/', '.'}) {
    if (mark != '.')
      if (const auto day = attempt([&](auto& t) { return take_year_first(t, mark); })) return day;
    if (const auto day = attempt([&](auto& t) { return take_year_last(t, mark, order); })) return day;
  }
  if (const auto day = attempt(take_year_and_month)) return day;
  if (const auto day = attempt(take_day_and_name)) return day;
  return attempt(take_name_and_day);
}

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

// "12:30", "9:30 PM", "12:30:05.25", with Z or +02:00 behind it, as a part of a day.
std::optional<double> parse_time(std::string_view text) {
  double zone = 0;
  const std::optional<int> half = take_half(text);
  if (text.ends_with('Z')) {
    text.remove_suffix(1);
  } else if (const std::size_t sign = text.find_first_of("+-"); sign != std::string_view::npos) {
    const std::optional<double> given = parse_zone(text.substr(sign));
    if (!given) return std::nullopt;
    zone = *given;
    text = text.substr(0, sign);
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

}  // namespace

std::optional<double> parse_date(std::string_view cell, DateOrder order) {
  if (cell.size() > 40) return std::nullopt;
  if (order == DateOrder::time) return parse_time(cell);
  const std::optional<double> day = take_day(cell, order);
  if (!day || cell.empty()) return day;
  if (cell[0] != ' ' && cell[0] != 'T') return std::nullopt;
  const std::optional<double> time = parse_time(cell.substr(1));
  return time ? std::optional(*day + *time) : std::nullopt;
}

}  // namespace gcnh
