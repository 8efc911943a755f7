#include "gcnh/io/cell_values.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "gcnh/io/cells.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return lower(c); });
  return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

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

// Three numbers with the mark between them at the front, which is cut off. The year has four digits.
std::optional<std::array<int, 3>> take_three(std::string_view& text, char mark, bool year_first) {
  std::string_view rest = text;
  const std::size_t first = year_first ? 4 : 2, last = year_first ? 2 : 4;
  const auto a = take_digits(rest, year_first ? 4 : 1, first);
  if (!a || !take_mark(rest, mark)) return std::nullopt;
  const auto b = take_digits(rest, 1, 2);
  if (!b || !take_mark(rest, mark)) return std::nullopt;
  const auto c = take_digits(rest, year_first ? 1 : 4, last);
  if (!c) return std::nullopt;
  text = rest;
  return std::array{*a, *b, *c};
}

// The date at the front, which is cut off.
std::optional<double> take_day(std::string_view& text, DateOrder order) {
  using namespace std::chrono;
  const auto days = [](int y, int m, int d) -> std::optional<double> {
    const year_month_day date{year{y}, month{static_cast<unsigned>(m)}, day{static_cast<unsigned>(d)}};
    if (!date.ok()) return std::nullopt;
    return static_cast<double>(sys_days(date).time_since_epoch().count());
  };
  for (const char mark : {'-', '/', '.'}) {
    if (mark != '.')
      if (const auto ymd = take_three(text, mark, true)) return days((*ymd)[0], (*ymd)[1], (*ymd)[2]);
    const auto found = take_three(text, mark, false);
    if (!found) continue;
    const auto [a, b, y] = *found;
    return mark == '.' || order == DateOrder::dmy ? days(y, b, a) : days(y, a, b);
  }
  return std::nullopt;
}

// "+02:00" or "-0530" as a part of a day.
std::optional<double> parse_zone(std::string_view text) {
  std::string digits(text.substr(1));
  std::erase(digits, ':');
  const auto number = parse_number<int>(digits);
  if (digits.size() != 4 || !number || *number < 0 || *number > 1400 || *number % 100 > 59) return std::nullopt;
  return (text[0] == '-' ? -1 : 1) * (*number / 100 * 60 + *number % 100) / 1440.0;
}

// "12:30", "12:30:05.25", with Z or +02:00 behind it, as a part of a day.
std::optional<double> parse_time(std::string_view text) {
  double zone = 0;
  if (text.ends_with('Z')) {
    text.remove_suffix(1);
  } else if (const std::size_t sign = text.find_first_of("+-"); sign != std::string_view::npos) {
    const std::optional<double> given = parse_zone(text.substr(sign));
    if (!given) return std::nullopt;
    zone = *given;
    text = text.substr(0, sign);
  }
  const std::string_view minutes_text = text.substr(0, 5);
  if (minutes_text.size() != 5 || minutes_text[2] != ':') return std::nullopt;
  const auto hours = parse_number<int>(minutes_text.substr(0, 2)), minutes = parse_number<int>(minutes_text.substr(3));
  double seconds = 0;
  if (text.size() > 5) {
    const auto given = text[5] == ':' ? parse_number<double>(text.substr(6)) : std::nullopt;
    if (!given || *given < 0 || *given >= 61) return std::nullopt;
    seconds = *given;
  }
  if (!hours || !minutes || *hours < 0 || *hours > 23 || *minutes < 0 || *minutes > 59) return std::nullopt;
  return (*hours * 60 + *minutes + seconds / 60) / 1440.0 - zone;
}

}  // namespace

bool is_missing(std::string_view cell, const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 11> kUsual = {"",    "NA",   "N/A",  "n/a",  "<NA>", "NaN",
                                                              "nan", "NULL", "null", "None", "\\N"};
  return std::find(kUsual.begin(), kUsual.end(), cell) != kUsual.end() ||
         std::find(words.begin(), words.end(), cell) != words.end();
}

std::optional<bool> parse_bool(std::string_view cell) {
  if (cell.empty() || cell.size() > 5) return std::nullopt;
  const std::string word = lower(cell);
  for (const char* yes : {"1", "true", "t", "yes", "y", "1.0"})
    if (word == yes) return true;
  for (const char* no : {"0", "false", "f", "no", "n", "0.0"})
    if (word == no) return false;
  return std::nullopt;
}

std::optional<double> parse_date(std::string_view cell, DateOrder order) {
  if (cell.size() < 8 || cell.size() > 40) return std::nullopt;
  const std::optional<double> day = take_day(cell, order);
  if (!day || cell.empty()) return day;
  if (cell[0] != ' ' && cell[0] != 'T') return std::nullopt;
  const std::optional<double> time = parse_time(cell.substr(1));
  return time ? std::optional(*day + *time) : std::nullopt;
}

std::string_view category(std::string_view cell) {
  const std::size_t dot = cell.find('.');
  if (dot == std::string_view::npos || dot + 1 == cell.size()) return cell;
  const std::string_view whole = cell.substr(cell.starts_with('-') ? 1 : 0, dot - (cell.starts_with('-') ? 1 : 0));
  const std::string_view rest = cell.substr(dot + 1);
  const bool is_whole = !whole.empty() && std::all_of(whole.begin(), whole.end(), is_digit) &&
                        std::all_of(rest.begin(), rest.end(), [](char c) { return c == '0'; });
  return is_whole ? cell.substr(0, dot) : cell;
}

void for_each_member(std::string_view cell, char separator, const std::function<void(std::string_view)>& f) {
  while (!cell.empty()) {
    std::string_view member = take_until(cell, separator);
    constexpr std::string_view kAround = " []{}()'\"";  // lists as programs print them
    member.remove_prefix(std::min(member.find_first_not_of(kAround), member.size()));
    member.remove_suffix(member.size() - std::min(member.find_last_not_of(kAround) + 1, member.size()));
    if (!member.empty()) f(category(member));
  }
}

void for_each_word(std::string_view text, const std::function<void(std::string)>& f) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80); };
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), is_letter);
    at = std::find_if_not(begin, text.end(), is_letter);
    if (at - begin >= 2) f(lower(std::string_view(begin, at)));
  }
}

}  // namespace gcnh
