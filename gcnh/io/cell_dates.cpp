#include "gcnh/io/cell_dates.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <string>

#include "gcnh/io/cell_times.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

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

// "Mon " or "Mon, " at the front, which is cut off.
bool take_weekday(std::string_view& text) {
  static constexpr std::array<std::string_view, 7> kDays = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  std::string_view rest = text.substr(std::min<std::size_t>(3, text.size()));
  take_mark(rest, ',');
  if (std::find(kDays.begin(), kDays.end(), lower(text.substr(0, 3))) == kDays.end() || !take_mark(rest, ' '))
    return false;
  text = rest;
  return true;
}

// "Jan 06 05:38:00 +0000 2020", as C and its heirs print dates.
std::optional<double> parse_year_at_end(std::string_view text) {
  const std::size_t blank = text.rfind(' ');
  if (blank == text.npos) return std::nullopt;
  std::string_view year = text.substr(blank + 1);
  const auto m = take_month(text);
  if (!m || !take_mark(text, ' ')) return std::nullopt;
  take_mark(text, ' ');
  const auto d = take_digits(text, 1, 2);
  const auto y = take_digits(year, 4, 4);
  if (!d || !y || !year.empty() || !take_mark(text, ' ') || text.size() < 6) return std::nullopt;
  const auto day = days_of(*y, *m, *d), time = parse_time(text.substr(0, text.size() - 5));
  return day && time ? std::optional(*day + *time) : std::nullopt;
}

}  // namespace

std::optional<double> parse_date(std::string_view cell, DateOrder order) {
  if (cell.size() > 40) return std::nullopt;
  if (order == DateOrder::time) {
    const std::optional<double> time = parse_time(cell);
    return time ? time : parse_duration(cell);
  }
  if (take_weekday(cell))
    if (const std::optional<double> date = parse_year_at_end(cell)) return date;
  const std::optional<double> day = take_day(cell, order);
  if (!day || cell.empty()) return day;
  if (cell[0] != ' ' && cell[0] != 'T') return std::nullopt;
  const std::optional<double> time = parse_time(cell.substr(1));
  return time ? std::optional(*day + *time) : std::nullopt;
}

}  // namespace gcnh
