#include "gcnh/io/column_kind.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/cell_values.h"
#include "gcnh/io/date_order.h"
#include "gcnh/io/number_form.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr std::int64_t kFew = 20;        // below so many cells nothing is said about how values are spread
constexpr std::size_t kMostCodes = 300;  // codes have no more values than this
constexpr std::size_t kShortCodes = 12;  // so few whole numbers are taken for codes however they are spread
constexpr std::size_t kFlatCodes = 60;   // nor so many that occur about equally often
constexpr std::int64_t kCellsPerCode = 5;

using Found = std::pair<ColumnKind, std::string>;

// The cells that have a value.
struct Present {
  const Cells& cells;
  const std::vector<std::string>& missing;
  std::int64_t count = 0;

  Present(const Cells& from, const std::vector<std::string>& words) : cells(from), missing(words) {
    all([&](std::string_view) { return ++count, true; });
  }
  // Whether f holds for all of them; stops at the first for which it does not.
  template <class F>
  bool all(const F& f) const {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (const std::string_view cell = cells[i]; !is_missing(cell, missing) && !f(cell)) return false;
    return true;
  }
  template <class F>
  std::int64_t count_if(const F& f) const {
    std::int64_t out = 0;
    all([&](std::string_view cell) { return out += f(cell) ? 1 : 0, true; });
    return out;
  }
};

// How often each whole number occurs; empty when a cell is none, or when there are more than codes have.
std::map<std::int64_t, std::int64_t> count_whole_numbers(const Present& present) {
  std::map<std::int64_t, std::int64_t> out;
  const bool whole = present.all([&](std::string_view cell) {
    const auto number = parse_number<std::int64_t>(category(cell));
    if (number) ++out[*number];
    return number && out.size() <= kMostCodes;
  });
  return whole ? out : std::map<std::int64_t, std::int64_t>{};
}

// Neighbouring numbers of a measure, such as an age, occur about equally often; codes do not. Adds up how much the
// counts rise and fall from one number to the next, and compares with one hill and the noise of counting.
bool rises_and_falls(const std::map<std::int64_t, std::int64_t>& counts) {
  double change = 0, noise = 0, most = 0, before = 0;
  std::int64_t last = counts.begin()->first;
  for (const auto& [number, count] : counts) {
    const double now = static_cast<double>(count);
    const bool gap = number - last > 1;
    change += gap ? before + now : std::abs(now - before);
    noise += std::sqrt(now + before);
    most = std::max(most, now);
    before = now;
    last = number;
  }
  change += before;
  return change > 2 * most + 1.1 * noise;
}

// All about equally often, as measures hardly are: they have a middle, or become rarer.
bool is_flat(const std::map<std::int64_t, std::int64_t>& counts, std::int64_t cells) {
  std::int64_t most = 0;
  for (const auto& [number, count] : counts) most = std::max(most, count);
  return counts.size() <= kFlatCodes && most * std::ssize(counts) <= 2 * cells;
}

bool look_like_codes(const std::map<std::int64_t, std::int64_t>& counts, std::int64_t cells) {
  if (counts.size() < 3 || cells < kCellsPerCode * std::ssize(counts)) return false;
  return counts.size() <= kShortCodes || is_flat(counts, cells) || rises_and_falls(counts);
}

// Every cell another whole number, without a gap: somebody's numbering of the rows.
bool counts_the_rows(const Present& present) {
  std::vector<std::int64_t> numbers;
  const bool whole = present.all([&](std::string_view cell) {
    const auto number = parse_number<std::int64_t>(cell);
    if (number) numbers.push_back(*number);
    return number.has_value();
  });
  if (!whole || present.count < kFew || present.count < std::ssize(present.cells)) return false;
  std::sort(numbers.begin(), numbers.end());
  const bool distinct = std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
  return distinct && numbers.back() - numbers.front() == std::ssize(numbers) - 1;
}

// As postcodes have them, and numbers never.
bool has_leading_zeros(const Present& present) {
  return present.count_if([](std::string_view cell) {
    return cell.size() > 1 && cell[0] == '0' && cell.find_first_not_of("0123456789") == std::string_view::npos;
  }) > 0;
}

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

// For a column of numbers.
void find_number_kind(const Present& present, Column& out) {
  ColumnKind& kind = out.spec.kind;
  if (present.all([](std::string_view cell) { return parse_bool(cell).has_value(); })) {
    kind = ColumnKind::boolean, out.why = "only 0 and 1";
  } else if (counts_the_rows(present)) {
    kind = ColumnKind::ignore, out.why = "numbers the rows", out.is_guess = true;
  } else if (has_leading_zeros(present)) {
    kind = ColumnKind::cat, out.why = "codes with leading zeros";
  } else if (const auto counts = count_whole_numbers(present); look_like_codes(counts, present.count)) {
    kind = ColumnKind::cat, out.is_guess = true;
    out.why = join(counts.size(), " whole numbers that look like codes");
  } else {
    kind = ColumnKind::num, out.why = "numbers";
    out.is_guess = !counts.empty() && present.count >= kFew && 2 * std::ssize(counts) <= present.count;
    if (out.is_guess) out.why = join(counts.size(), " whole numbers that look like a measure");
  }
}

std::int64_t count_words(std::string_view cell) {
  std::int64_t out = 0;
  for_each_word(cell, [&](const std::string&) { ++out; });
  return out;
}

// Whether cutting cells at the mark gives short members that occur again and again.
bool makes_sets(const Present& present, char mark) {
  const auto has_mark = [&](std::string_view cell) { return cell.find(mark) != std::string_view::npos; };
  const int one_in = mark == ',' ? 5 : 20;  // commas have other uses
  if (one_in * present.count_if(has_mark) < present.count) return false;
  std::unordered_map<std::string_view, std::int64_t> counts;
  std::set<std::int64_t> sizes;
  std::int64_t members = 0, words = 0;
  present.all([&](std::string_view cell) {
    const std::int64_t before = members;
    for_each_member(cell, mark, [&](std::string_view member) {
      ++counts[member], ++members;
      words += count_words(member);
    });
    return sizes.insert(members - before), true;
  });
  const bool is_form = mark == ',' && sizes.size() == 1 && present.count >= kFew;  // "town, country" in every cell
  return !is_form && words <= 2 * members && 2 * std::ssize(counts) <= members;
}

// For a column that has other things than numbers in it.
void find_word_kind(const Present& present, Column& out) {
  ColumnKind& kind = out.spec.kind;
  if (present.all([](std::string_view cell) { return parse_bool(cell).has_value(); })) {
    kind = ColumnKind::boolean, out.why = "yes or no";
    return;
  }
  for (const char mark : {';', '|', ','}) {
    if (!makes_sets(present, mark)) continue;
    kind = ColumnKind::multi, out.why = join("sets, members separated by '", mark, "'"), out.spec.separator = mark;
    out.is_guess = mark == ',';
    return;
  }
  std::unordered_map<std::string_view, std::int64_t> counts;
  std::int64_t words = 0;
  present.all([&](std::string_view cell) { return ++counts[cell], words += count_words(cell), true; });
  const std::int64_t distinct = std::ssize(counts);
  if (words >= 4 * present.count && 2 * distinct > present.count) {
    kind = ColumnKind::text, out.why = join("text, ", words / present.count, " words in a cell");
  } else if (present.count >= kFew && 10 * distinct > 9 * present.count) {
    kind = ColumnKind::ignore, out.why = "nearly every value is different, as names are", out.is_guess = true;
  } else {
    kind = ColumnKind::cat, out.why = counted(distinct, "word"), out.is_guess = 2 * distinct > present.count;
  }
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
    if (auto& kind = one ? those : others; kind.size() <= kMostCodes) kind.insert(cell);
    return true;
  });
  if (10 * count > 9 * present.count) return true;
  return 2 * count > present.count && those.size() > 20 && others.size() <= 3;
}

bool has_digit(std::string_view cell) { return cell.find_first_of("0123456789") != std::string_view::npos; }

// Of the cells that have a value, those for which `counts` holds.
ForAllCells for_all(const Present& present, bool (*counts)(std::string_view) = nullptr) {
  return [&present, counts](const std::function<bool(std::string_view)>& f) {
    return present.all([&](std::string_view cell) { return (counts && !counts(cell)) || f(cell); });
  };
}

}  // namespace

Column find_kind(const std::string& name, const Cells& cells, const std::vector<std::string>& missing) {
  Column out;
  out.spec.name = name;
  out.spec.missing = missing;
  const Present present(cells, missing);
  const auto is_number = [](std::string_view cell) { return parse_number<double>(cell).has_value(); };
  if (present.count == 0) {
    out.spec.kind = ColumnKind::ignore, out.why = "no cell has a value";
    return out;
  }
  if (present.all(is_number)) {
    find_number_kind(present, out);
    out.spec.form = NumberForm{};
    return out;
  }
  if (const auto form = find_number_form(for_all(present))) {
    out.spec.kind = ColumnKind::num, out.why = describe(*form), out.is_guess = !form->is_plain();
    out.spec.form = *form;
    return out;
  }
  if (are_nearly_all(present, is_number) || are_comma_numbers(present)) {
    out.spec.kind = ColumnKind::num, out.why = "nearly all numbers";  // parsing names those that are not
    out.spec.form = NumberForm{};
    return out;
  }
  if (const auto form = find_number_form(for_all(present, has_digit));
      form && are_nearly_all(present, [&](std::string_view cell) { return parse_formed(cell, *form).has_value(); })) {
    out.spec.kind = ColumnKind::num, out.why = "nearly all numbers";
    out.spec.form = *form;
    return out;
  }
  const FoundOrder dates = find_date_order(for_all(present));
  const auto is_date = [&](std::string_view cell) { return parse_date(cell, dates.order).has_value(); };
  if (dates.dates == present.count) {
    out.spec.kind = ColumnKind::date, out.why = describe(dates), out.is_guess = dates.is_guess;
  } else if (are_nearly_all(present, is_date)) {
    out.spec.kind = ColumnKind::date, out.why = "nearly all dates";
  } else {
    find_word_kind(present, out);
  }
  if (out.spec.kind == ColumnKind::date) out.spec.order = dates.order;
  return out;
}

void find_form(const Cells& cells, ColumnSpec& spec) {
  const Present present(cells, spec.missing);
  if (spec.kind == ColumnKind::num) spec.form = find_number_form(for_all(present), spec.point).value_or(NumberForm{});
  if (spec.kind == ColumnKind::date) spec.order = find_date_order(for_all(present)).order;
}

}  // namespace gcnh
