#include "gcnh/io/number_form.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/text.h"
#include "gcnh/io/units.h"

namespace gcnh {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kLongest = 64;  // that a number is

// A cell in parts: what stands before the first digit and behind the last one, and what is between.
struct Written {
  bool is_negative = false, in_brackets = false;
  std::string before, body, after;

  bool has_unit() const { return !before.empty() || !after.empty(); }
  bool has_unit_of(const std::string& other_before, const std::string& other_after) const {
    return before == other_before && (after == other_after || unit_key(after) == unit_key(other_after));
  }
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
  if (cell.size() > kLongest) return std::nullopt;
  std::string text(cell);
  for (const char* blank : {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"})
    text = replaced(text, blank, ' ');  // no-break, thin
  text = replaced(replaced(text, "\xE2\x88\x92", '-'), "\xE2\x80\x99", '\'');
  const std::size_t first = text.find_first_of(kDigits), last = text.find_last_of(kDigits);
  if (first == text.npos) return std::nullopt;
  Written out{false, false, trimmed(std::string_view(text).substr(0, first)), text.substr(first, last + 1 - first),
              trimmed(std::string_view(text).substr(last + 1))};
  // (650) is how accountants write -650.
  if (out.before.starts_with('(') && out.after.ends_with(')')) {
    out.is_negative = out.in_brackets = true;
    out.before = trimmed(std::string_view(out.before).substr(1));
    out.after = trimmed(std::string_view(out.after).substr(0, out.after.size() - 1));
    return out;
  }
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

std::string_view without_plus(std::string_view cell) {
  const bool is_sign = cell.size() > 1 && cell[0] == '+' && (cell[1] == '.' || kDigits.find(cell[1]) != kDigits.npos);
  return cell.substr(is_sign ? 1 : 0);
}

// What a double has no place for: 1e999 and 1e-999.
bool is_out_of_range(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return text.size() <= kLongest && problem == std::errc::result_out_of_range && end == text.data() + text.size();
}

bool has_negative_exponent(std::string_view text) {
  return text.find("e-") != text.npos || text.find("E-") != text.npos;
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

// Of the marks before fractions and between thousands; the first that fits is taken.
constexpr std::array<std::pair<char, char>, 7> kMarks = {
    {{'.', '\0'}, {'.', ','}, {',', '\0'}, {',', '.'}, {'.', ' '}, {',', ' '}, {'.', '\''}}};

bool is_number(const Written& number) {
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](auto marks) { return value_of(number, marks.first, marks.second).has_value(); });
}

// The marks that fit all cells of a column, and what stands beside the numbers.
struct Search {
  std::optional<Written> first;  // that has a unit
  std::int64_t with_unit = 0, without = 0;
  bool short_head = false;    // 1,200 and not 100,200
  bool only_brackets = true;  // (1) and (2) are codes
  std::array<bool, kMarks.size()> fits;

  explicit Search(std::optional<char> point) {
    std::transform(kMarks.begin(), kMarks.end(), fits.begin(),
                   [&](auto marks) { return !point || marks.first == *point; });
  }
  // Whether the cell can be of the column.
  bool add(std::string_view cell) {
    const auto number = split_cell(cell);
    if (!number) return false;
    if (number->has_unit()) {
      if (!first) first = number;
      if (!number->has_unit_of(first->before, first->after)) return false;
    }
    ++(number->has_unit() ? with_unit : without);
    only_brackets = only_brackets && number->in_brackets;
    short_head = short_head || (number->body.find(',') != std::string::npos && number->body.find(',') < 3);
    for (std::size_t k = 0; k < kMarks.size(); ++k)
      fits[k] = fits[k] && value_of(*number, kMarks[k].first, kMarks[k].second);
    return std::find(fits.begin(), fits.end(), true) != fits.end();
  }
};

}  // namespace

std::optional<double> parse_plain_number(std::string_view cell) {
  const std::string_view text = without_plus(cell);
  if (const auto value = parse_number<double>(text)) return value;
  return has_negative_exponent(text) && is_out_of_range(text) ? std::optional(0.0) : std::nullopt;
}

bool is_too_large(std::string_view cell, const NumberForm& form) {
  const std::string_view text = without_plus(cell);
  if (is_out_of_range(text)) return !has_negative_exponent(text);
  const auto value = parse_formed(cell, form);
  return value && std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max());
}

std::optional<double> parse_formed(std::string_view cell, const NumberForm& form) {
  if (form.is_plain())
    if (const auto value = parse_plain_number(cell)) return value;
  const auto number = split_cell(cell);
  if (!number || (number->has_unit() && !number->has_unit_of(form.before, form.after))) return std::nullopt;
  return value_of(*number, form.point, form.group);
}

bool is_bound(std::string_view cell) {
  for (const std::string_view mark : {"<=", ">=", "<", ">", "\xE2\x89\xA4", "\xE2\x89\xA5"}) {
    if (!cell.starts_with(mark)) continue;
    const std::size_t at = cell.find_first_not_of(' ', mark.size());
    return at != cell.npos && kDigits.find(cell[at]) != kDigits.npos;
  }
  return false;
}

bool lacks_unit(std::string_view cell, const NumberForm& form) {
  if (!form.has_unit()) return false;
  const auto number = split_cell(cell);
  return number && !number->has_unit();
}

std::optional<NumberForm> find_number_form(const ForAllCells& all, std::optional<char> point) {
  Search search(point);
  if (!all([&](std::string_view cell) { return search.add(cell); })) return std::nullopt;
  if (search.only_brackets || search.with_unit + search.without == 0) return std::nullopt;
  if (search.with_unit > 0 && search.with_unit <= search.without) return std::nullopt;  // the unit is the exception
  const Written unit = search.first.value_or(Written{});
  if ((!unit.before.empty() && !is_currency(unit.before)) || !is_unit(unit.after)) return std::nullopt;
  const auto fitting = std::find(search.fits.begin(), search.fits.end(), true) - search.fits.begin();
  const auto [mark, group] = kMarks[static_cast<std::size_t>(fitting)];
  const NumberForm out{unit.before, unit.after, mark, group};
  const bool may_be_sets = !out.has_unit() && group == ',' && !search.short_head && !point;
  return may_be_sets ? std::nullopt : std::optional(out);
}

std::optional<NumberForm> find_mixed_form(const ForAllCells& all) {
  const auto unit_of = [](const Written& number) { return std::pair(number.before, unit_key(number.after)); };
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  const bool known = all([&](std::string_view cell) {
    const auto number = split_cell(cell);
    if (!number || !is_number(*number)) return false;
    if (!number->has_unit()) return true;
    ++counts[unit_of(*number)];
    return (number->before.empty() || is_currency(number->before)) &&
           (number->after.empty() || is_known_unit(number->after));
  });
  if (!known || counts.size() < 2) return std::nullopt;
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return find_number_form([&](const std::function<bool(std::string_view)>& f) {
    return all([&](std::string_view cell) { return unit_of(*split_cell(cell)) != most->first || f(cell); });
  });
}

std::string describe(const NumberForm& form) {
  std::string out = "numbers";
  if (!form.before.empty()) out += join(" behind ", quote(form.before));
  if (!form.after.empty()) out += join(form.before.empty() ? "" : ",", " with ", quote(form.after), " behind them");
  if (form.group == '.') return out + ", '.' between thousands, decimal commas";
  if (form.point == ',') return out + ", decimal commas";
  return form.group == '\0' ? out : join(out, ", '", form.group, "' between thousands");
}

std::string example_of(const NumberForm& form) {
  std::string out = form.before + "1";
  if (form.group != '\0') out += form.group;
  out += join("234", form.point, "5");
  return form.after.empty() ? out : join(out, form.after == "%" ? "" : " ", form.after);
}

}  // namespace gcnh
