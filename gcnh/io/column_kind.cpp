#include "gcnh/io/column_kind.h"

#include <algorithm>
#include <set>
#include <utility>

#include "gcnh/io/cell_dates.h"
#include "gcnh/io/cell_values.h"
#include "gcnh/io/column_cells.h"
#include "gcnh/io/column_numbers.h"
#include "gcnh/io/column_words.h"
#include "gcnh/io/date_order.h"
#include "gcnh/io/number_form.h"
#include "gcnh/io/number_marks.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// 258,97 or 1,316,640: numbers with commas, and not sets of two or three.
bool are_comma_numbers(const Present& present) {
  return present.count_if([](std::string_view cell) { return cell.find(',') != std::string_view::npos; }) > 0 &&
         present.all([](std::string_view cell) {
           const bool digits = cell.find_first_not_of("+-0123456789.,") == std::string_view::npos;
           const std::size_t comma = cell.find(',');
           if (!digits || comma == 0) return false;
           const bool one = comma == cell.rfind(',');
           bool thousands = true;
           for (std::size_t at = comma; at != std::string_view::npos; at = cell.find(',', at + 1)) {
             const std::size_t next = std::min(cell.find_first_of(",.", at + 1), cell.size());
             thousands = thousands && next - at == 4;
           }
           return comma == std::string_view::npos || one || thousands;
         });
}

// Whether most cells are of a sort, with so many values that they are no codes, and the others are a few words again
// and again, or few at all.
template <class F>
bool are_nearly_all(const Present& present, const F& is_one) {
  std::set<std::string_view> those, others;
  std::int64_t count = 0;
  present.all([&](std::string_view cell) {
    const bool one = is_one(cell);
    count += one ? 1 : 0;
    if (auto& kind = one ? those : others; kind.size() <= kMostCodes) kind.insert(is_bound(cell) ? "<" : cell);
    return true;
  });
  if (10 * count > 9 * present.count) return true;
  return 2 * count > present.count && those.size() > 20 && others.size() <= 3;
}

bool may_be_amount(std::string_view cell) {
  return cell.find_first_of("0123456789") != std::string_view::npos && !is_bound(cell);
}

// Numbers as people write them, and columns that are meant to be of them: parsing names the cells that are not.
bool find_measure(const Present& present, Column& out) {
  const auto take = [&](const NumberForm& form, std::string why, bool is_guess) {
    out.spec.kind = ColumnKind::num, out.spec.form = form;
    out.why = std::move(why), out.is_guess = is_guess;
    return true;
  };
  if (const auto form = find_number_form(for_all(present))) {
    const bool signs = present.count_if(has_minus_behind) > 0;
    return take(*form, describe(*form) + (signs ? ", '-' behind those below 0" : ""), signs || !form->is_plain());
  }
  if (const auto form = find_signed_form(for_all(present))) return take(*form, "numbers with signs", false);
  const auto is_number = [](std::string_view cell) { return parse_plain_number(cell) || is_too_large(cell, {}); };
  if (are_nearly_all(present, is_number) || are_comma_numbers(present)) return take({}, "nearly all numbers", false);
  if (const auto form = find_number_form(for_all(present, may_be_amount));
      form && are_nearly_all(present, [&](std::string_view cell) { return parse_formed(cell, *form).has_value(); }))
    return take(*form, "nearly all numbers", false);
  if (const auto form = find_mixed_form(for_all(present, may_be_amount));
      form && are_nearly_all(present, may_be_amount))
    return take(*form, "numbers in several units", false);
  return false;
}

bool find_date(const Present& present, Column& out) {
  const FoundOrder dates = find_date_order(for_all(present));
  const auto is_date = [&](std::string_view cell) { return parse_date(cell, dates.order).has_value(); };
  if (dates.dates < present.count && !are_nearly_all(present, is_date)) return false;
  const bool all = dates.dates == present.count;
  out.spec.kind = ColumnKind::date, out.spec.order = dates.order;
  out.why = all ? describe(dates) : "nearly all " + describe(dates), out.is_guess = all && dates.is_guess;
  return true;
}

void look_at_marks(const Present& present, Column& out) {
  out.has_unclear_marks = out.spec.kind == ColumnKind::num && has_unclear_marks(for_all(present), *out.spec.form);
  if (!out.has_unclear_marks) return;
  out.is_guess = true;
  if (out.spec.form->group == '\0') out.why = describe(*out.spec.form) + ", '.' before fractions";
}

}  // namespace

Column find_kind(const std::string& name, const Cells& cells, const std::vector<std::string>& missing) {
  Column out;
  out.spec.name = name;
  out.spec.missing = missing;
  const Present present(cells, missing);
  if (present.count == 0) {
    out.spec.kind = ColumnKind::ignore, out.why = "no cell has a value";
  } else if (present.all([](std::string_view cell) { return parse_plain_number(cell).has_value(); })) {
    find_number_kind(present, out);
    out.spec.form = NumberForm{};
  } else if (!find_measure(present, out) && !find_date(present, out)) {
    find_word_kind(present, out);
  }
  look_at_marks(present, out);
  return out;
}

void find_form(const Cells& cells, ColumnSpec& spec) {
  const Present present(cells, spec.missing);
  if (spec.kind == ColumnKind::date) spec.order = find_date_order(for_all(present)).order;
  if (spec.kind != ColumnKind::num) return;
  spec.form = find_number_form(for_all(present, may_be_amount), spec.point);
  if (!spec.form && !spec.point) spec.form = find_mixed_form(for_all(present, may_be_amount));
  if (!spec.form) spec.form = NumberForm{};
}

}  // namespace gcnh
