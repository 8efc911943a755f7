#include "gcnh/io/written_number.h"

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

std::string trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return std::string(text.substr(0, text.find_last_not_of(' ') + 1));
}

std::string replaced(std::string_view text, std::string_view what, char with) {
  std::string out;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what)) {
    out.append(text.substr(0, at)) += with;
    text.remove_prefix(at + what.size());
  }
  return out.append(text);
}

// (650) is how accountants write -650.
bool take_brackets(Written& number) {
  if (!number.before.starts_with('(') || !number.after.ends_with(')')) return false;
  number.is_negative = number.in_brackets = true;
  number.before = trimmed(std::string_view(number.before).substr(1));
  number.after = trimmed(std::string_view(number.after).substr(0, number.after.size() - 1));
  return true;
}

// The sign may stand before a currency or behind it, or behind the number.
void take_sign(Written& number) {
  std::string &before = number.before, &after = number.after;
  if (before.starts_with('-') || before.starts_with('+')) {
    number.is_negative = before[0] == '-';
    before = trimmed(std::string_view(before).substr(1));
  } else if (before.ends_with('-')) {
    number.is_negative = true;
    before = trimmed(std::string_view(before).substr(0, before.size() - 1));
  } else if (after == "-" || after.starts_with("- ")) {
    number.is_negative = number.has_minus_behind = true;
    after = trimmed(std::string_view(after).substr(1));
  }
}

// Digits, in threes where the mark stands between them.
bool is_grouped(std::string_view whole, char group) {
  if (whole.find(group) == whole.npos) return true;
  if (whole[0] == '0') return false;
  const std::size_t head = whole.find(group);
  if (head < 1 || head > 3) return false;
  if (whole.substr(0, head).find_first_not_of(kDigits) != whole.npos) return false;
  for (std::size_t at = head; at < whole.size(); at += 4) {
    const std::string_view three = whole.substr(at + 1, 3);
    if (whole[at] != group || three.size() < 3 || three.find_first_not_of(kDigits) != three.npos) return false;
  }
  return true;
}

}  // namespace

std::optional<Written> split_cell(std::string_view cell) {
  if (cell.size() > kLongestNumber) return std::nullopt;
  std::string text(cell);
  for (const char* blank : {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"})
    text = replaced(text, blank, ' ');  // no-break, thin
  text = replaced(replaced(text, "\xE2\x88\x92", '-'), "\xE2\x80\x99", '\'');
  const std::size_t first = text.find_first_of(kDigits), last = text.find_last_of(kDigits);
  if (first == text.npos) return std::nullopt;
  Written out{.before = trimmed(std::string_view(text).substr(0, first)),
              .body = text.substr(first, last + 1 - first),
              .after = trimmed(std::string_view(text).substr(last + 1))};
  out.has_blank = text.substr(last + 1).starts_with(' ');
  if (!take_brackets(out)) take_sign(out);
  return out;
}

bool take_multiple(Written& number) {
  const std::size_t end = std::min(number.after.find(' '), number.after.size());
  const double factor = multiple(number.after.substr(0, end));
  if (factor == 0) return false;
  number.factor = factor;
  number.after = trimmed(std::string_view(number.after).substr(end));
  return true;
}

std::optional<double> value_of(const Written& number, char point, char group) {
  const std::string& body = number.body;
  const std::size_t at = std::min(body.find(point), body.size());
  std::string whole = body.substr(0, at);
  const std::string fraction = at < body.size() ? body.substr(at + 1) : "";
  if (group != '\0' && !is_grouped(whole, group)) return std::nullopt;
  if (group != '\0') std::erase(whole, group);
  if (whole.find_first_not_of(kDigits) != whole.npos || fraction.find_first_not_of(kDigits) != fraction.npos)
    return std::nullopt;
  const auto value = parse_number<double>(join(whole, ".", fraction, "0"));
  return value ? std::optional((number.is_negative ? -*value : *value) * number.factor) : value;
}

bool is_number(const Written& number) {
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](auto marks) { return value_of(number, marks.first, marks.second).has_value(); });
}

}  // namespace gcnh
