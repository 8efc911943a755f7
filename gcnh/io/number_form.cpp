#include "gcnh/io/number_form.h"

#include <algorithm>
#include <array>

#include "gcnh/base/error.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr std::string_view kDigits = "0123456789";

// A cell in parts: what stands before the first digit and behind the last one, and what is between.
struct Written {
  bool is_negative = false;
  std::string before, body, after;
};

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

std::optional<Written> split_cell(std::string_view cell) {
  constexpr std::size_t kLongest = 64;
  if (cell.size() > kLongest) return std::nullopt;
  std::string text(cell);
  for (const char* blank : {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"})
    text = replaced(text, blank, ' ');  // no-break, thin
  text = replaced(replaced(text, "\xE2\x88\x92", '-'), "\xE2\x80\x99", '\'');
  const std::size_t first = text.find_first_of(kDigits), last = text.find_last_of(kDigits);
  if (first == text.npos) return std::nullopt;
  Written out{false, trimmed(std::string_view(text).substr(0, first)), text.substr(first, last + 1 - first),
              trimmed(std::string_view(text).substr(last + 1))};
  // The sign may stand before a currency or behind it.
  if (out.before.starts_with('-') || out.before.starts_with('+')) {
    out.is_negative = out.before[0] == '-';
    out.before = trimmed(std::string_view(out.before).substr(1));
  } else if (out.before.ends_with('-')) {
    out.is_negative = true;
    out.before = trimmed(std::string_view(out.before).substr(0, out.before.size() - 1));
  }
  return out;
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
  return value && number.is_negative ? std::optional(-*value) : value;
}

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

// Of the marks before fractions and between thousands; the first that fits is taken.
constexpr std::array<std::pair<char, char>, 7> kMarks = {
    {{'.', '\0'}, {'.', ','}, {',', '\0'}, {',', '.'}, {'.', ' '}, {',', ' '}, {'.', '\''}}};

}  // namespace

std::optional<double> parse_formed(std::string_view cell, const NumberForm& form) {
  if (form.is_plain())
    if (const auto value = parse_number<double>(cell)) return value;
  const auto number = split_cell(cell);
  if (!number || number->before != form.before || number->after != form.after) return std::nullopt;
  return value_of(*number, form.point, form.group);
}

std::optional<NumberForm> find_number_form(const ForAllCells& all, std::optional<char> point) {
  std::optional<Written> first;
  bool short_head = false;  // 1,200 and not 100,200
  std::array<bool, kMarks.size()> fits;
  std::transform(kMarks.begin(), kMarks.end(), fits.begin(),
                 [&](auto marks) { return !point || marks.first == *point; });
  const bool same = all([&](std::string_view cell) {
    const auto number = split_cell(cell);
    if (!number) return false;
    if (!first) first = number;
    if (number->before != first->before || number->after != first->after) return false;
    short_head = short_head || (number->body.find(',') != std::string::npos && number->body.find(',') < 3);
    for (std::size_t k = 0; k < kMarks.size(); ++k)
      fits[k] = fits[k] && value_of(*number, kMarks[k].first, kMarks[k].second);
    return std::find(fits.begin(), fits.end(), true) != fits.end();
  });
  if (!same || !first || (!first->before.empty() && !is_currency(first->before)) || !is_unit(first->after))
    return std::nullopt;
  const auto [mark, group] = kMarks[static_cast<std::size_t>(std::find(fits.begin(), fits.end(), true) - fits.begin())];
  const NumberForm out{first->before, first->after, mark, group};
  const bool may_be_sets = out.before.empty() && out.after.empty() && group == ',' && !short_head && !point;
  return may_be_sets ? std::nullopt : std::optional(out);
}

std::string describe(const NumberForm& form) {
  std::string out = "numbers";
  if (!form.before.empty()) out += join(" behind ", quote(form.before));
  if (!form.after.empty()) out += join(form.before.empty() ? "" : ",", " with ", quote(form.after), " behind them");
  if (form.point == ',') return out + ", decimal commas";
  return form.group == '\0' ? out : join(out, ", '", form.group, "' between thousands");
}

}  // namespace gcnh
