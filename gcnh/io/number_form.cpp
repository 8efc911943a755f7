#include "gcnh/io/number_form.h"

#include <charconv>
#include <cmath>
#include <limits>

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
  auto number = split_cell(cell);
  if (number && form.has_multiples) take_multiple(*number);
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
  auto number = split_cell(cell);
  if (number && form.has_multiples) take_multiple(*number);
  return number && !number->has_unit();
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
  if (form.has_multiples) out += ", K, M and B for thousands, millions and billions";
  if (form.group == '.') return out + ", '.' between thousands, decimal commas";
  if (form.point == ',') return out + ", decimal commas";
  return form.group == '\0' ? out : join(out, ", '", form.group, "' between thousands");
}

std::string example_of(const NumberForm& form) {
  std::string out = form.before + "1";
  if (form.group != '\0') out += form.group;
  out += join("234", form.point, "5");
  if (form.has_multiples) out += "K";
  return form.after.empty() ? out : join(out, form.after == "%" ? "" : " ", form.after);
}

}  // namespace gcnh
