#include "gcnh/io/cell_values.h"

#include <algorithm>
#include <array>

#include "gcnh/io/cells.h"
#include "gcnh/io/text.h"

namespace gcnh {
bool is_missing(std::string_view cell, const std::vector<std::string>& words) {
  static constexpr auto kUsual = std::to_array<std::string_view>(
      {"", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None", "\\N",  // as programs write it
       "#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!"});         // and spreadsheets
  if (std::find(words.begin(), words.end(), cell) != words.end()) return true;
  if (std::find(kUsual.begin(), kUsual.end(), cell) == kUsual.end()) return false;
  const auto keeps = [&](std::string_view word) { return word.starts_with('!') && word.substr(1) == cell; };
  return cell.empty() || std::none_of(words.begin(), words.end(), keeps);
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
