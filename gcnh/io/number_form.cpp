#include "gcnh/io/number_form.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/text.h"
#include "gcnh/io/units.h"
#include "gcnh/io/written_number.h"

namespace gcnh {
namespace {

std::string_view without_plus(std::string_view cell) {
  const bool is_sign = cell.size() > 1 && cell[0] == '+' && (cell[1] == '.' || kDigits.find(cell[1]) != kDigits.npos);
  return cell.substr(is_sign ? 1 : 0);
}

// What a double has no place for: 1e999 and 1e-999.
bool is_out_of_range(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return text.size() <= kLongestNumber && problem == std::errc::result_out_of_range && end == text.data() + text.size();
}

bool has_negative_exponent(std::string_view text) {
  return text.find("e-") != text.npos || text.find("E-") != text.npos;
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
  bool minus_behind = false, has_long = false;
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
    minus_behind = minus_behind || number->has_minus_behind;
    has_long = has_long || number->body.size() > 1;
    short_head = short_head || (number->body.find(',') != std::string::npos && number->body.find(',') < 3);
    for (std::size_t k = 0; k < kMarks.size(); ++k)
      fits[k] = fits[k] && value_of(*number, kMarks[k].first, kMarks[k].second);
    return std::find(fits.begin(), fits.end(), true) != fits.end();
  }
  // 2+, 2- and 3 are marks at school.
  bool are_grades() const { return minus_behind && (!has_long || (first && first->after.starts_with('+'))); }
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
  if (search.are_grades() || (search.without > 0 && is_sign(unit.after))) return std::nullopt;
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

std::optional<NumberForm> find_signed_form(const ForAllCells& all) {
  std::set<std::string> words;
  bool are_amounts = false;  // 12 H may be a seat, 12 CR and 12.50 H are none
  const bool known = all([&](std::string_view cell) {
    const auto number = split_cell(cell);
    if (!number || !is_number(*number) || (!number->after.empty() && !is_sign(number->after))) return false;
    are_amounts = are_amounts || number->after.size() > 1 || number->body.find_first_of(".,") != std::string::npos;
    return words.insert(number->after), true;
  });
  if (!known || words.size() < 2 || !are_amounts) return std::nullopt;
  return find_number_form([&](const std::function<bool(std::string_view)>& f) {
           return all([&](std::string_view cell) { return !split_cell(cell)->after.empty() || f(cell); });
         })
      .value_or(NumberForm{});
}

bool has_minus_behind(std::string_view cell) {
  const auto number = split_cell(cell);
  return number && number->has_minus_behind;
}

std::string sign_behind(std::string_view cell) {
  const auto number = split_cell(cell);
  return number && is_number(*number) && is_sign(number->after) ? number->after : "";
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
