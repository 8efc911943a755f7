#include "gcnh/io/number_marks.h"

#include <algorithm>

namespace gcnh {
namespace {

constexpr std::string_view kDigitsOnly = "0123456789";

std::string_view from_first_to_last_digit(std::string_view cell) {
  const std::size_t first = cell.find_first_of(kDigitsOnly);
  if (first == cell.npos) return {};
  return cell.substr(first, cell.find_last_of(kDigitsOnly) + 1 - first);
}

}  // namespace

bool may_be_grouped(std::string_view digits, char mark) {
  const std::size_t head = std::min(digits.find(mark), digits.size());
  if (head < 1 || head > 3 || (digits[0] == '0' && head < digits.size())) return false;
  if (digits.substr(0, head).find_first_not_of(kDigitsOnly) != digits.npos) return false;
  for (digits.remove_prefix(head); !digits.empty(); digits.remove_prefix(4)) {
    const std::string_view three = digits.substr(1, 3);
    if (digits[0] != mark || three.size() < 3 || three.find_first_not_of(kDigitsOnly) != three.npos) return false;
  }
  return true;
}

bool has_unclear_marks(const ForAllCells& all, const NumberForm& form) {
  const bool point = form.point == '.' && form.group == '\0', comma = form.point == '.' && form.group == ',';
  if (!point && !comma) return false;
  const char mark = point ? '.' : ',';
  bool is_there = false;
  const bool fits = all([&](std::string_view cell) {
    const std::string_view digits = from_first_to_last_digit(cell);
    is_there = is_there || digits.find(mark) != digits.npos;
    return digits.find(mark) == digits.rfind(mark) && may_be_grouped(digits, mark);
  });
  return fits && is_there;
}

NumberForm other_reading(const NumberForm& form) {
  return {form.before, form.after, ',', form.group == ',' ? '\0' : '.', form.has_multiples};
}

std::string name_of_commas(const std::vector<Column>& columns) {
  for (const Column& column : columns)
    if (column.spec.kind == ColumnKind::num && column.spec.form && column.spec.form->point == ',')
      return column.spec.name;
  return "";
}

}  // namespace gcnh
