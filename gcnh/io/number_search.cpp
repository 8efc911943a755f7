// How the numbers of a column are written, by looking at all of them.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "gcnh/io/number_form.h"
#include "gcnh/io/units.h"
#include "gcnh/io/written_number.h"

namespace gcnh {
namespace {

// The marks that fit all cells of a column, and what stands beside the numbers.
struct Search {
  std::optional<Written> first;  // that has a unit
  std::int64_t with_unit = 0, without = 0;
  bool short_head = false;    // 1,200 and not 100,200
  bool only_brackets = true;  // (1) and (2) are codes
  bool minus_behind = false, has_long = false;
  bool with_multiples;              // K, M and B are no units
  std::set<double> factors;         // of all numbers
  bool has_clear_multiple = false;  // 6.3K or 3 Mio; 300 K are degrees
  std::array<bool, kMarks.size()> fits;

  Search(std::optional<char> point, bool multiples) : with_multiples(multiples) {
    std::transform(kMarks.begin(), kMarks.end(), fits.begin(),
                   [&](auto marks) { return !point || marks.first == *point; });
  }
  // Whether the cell can be of the column.
  bool add(std::string_view cell) {
    auto number = split_cell(cell);
    if (!number) return false;
    if (with_multiples) look_for_multiple(*number);
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
  void look_for_multiple(Written& number) {
    const bool is_letter = std::min(number.after.find(' '), number.after.size()) == 1;
    const bool has_fraction = number.body.find_first_of(".,") != std::string::npos;
    if (take_multiple(number))
      has_clear_multiple =
          has_clear_multiple || !is_letter || (!number.has_blank && (has_fraction || number.factor == 1e3));
    factors.insert(number.factor);
  }
  // Some numbers have one and others have none or another one, and it is hardly a unit.
  bool are_multiples() const {
    const std::size_t kinds = factors.size() - factors.count(1);
    return factors.size() > 1 && (kinds > 1 || has_clear_multiple);
  }
  // 2+, 2- and 3 are marks at school.
  bool are_grades() const { return minus_behind && (!has_long || (first && first->after.starts_with('+'))); }
};

std::optional<NumberForm> find_form_of(const ForAllCells& all, std::optional<char> point, bool with_multiples) {
  Search search(point, with_multiples);
  if (!all([&](std::string_view cell) { return search.add(cell); })) return std::nullopt;
  if (with_multiples && !search.are_multiples()) return std::nullopt;
  if (search.only_brackets || search.with_unit + search.without == 0) return std::nullopt;
  if (search.with_unit > 0 && search.with_unit <= search.without) return std::nullopt;  // the unit is the exception
  const Written unit = search.first.value_or(Written{});
  if (search.are_grades() || (search.without > 0 && is_sign(unit.after))) return std::nullopt;
  if ((!unit.before.empty() && !is_currency(unit.before)) || !is_unit(unit.after)) return std::nullopt;
  const auto fitting = std::find(search.fits.begin(), search.fits.end(), true) - search.fits.begin();
  const auto [mark, group] = kMarks[static_cast<std::size_t>(fitting)];
  const NumberForm out{unit.before, unit.after, mark, group, with_multiples};
  const bool may_be_sets = !out.has_unit() && group == ',' && !search.short_head && !point;
  return may_be_sets ? std::nullopt : std::optional(out);
}

}  // namespace

std::optional<NumberForm> find_number_form(const ForAllCells& all, std::optional<char> point) {
  const auto multiples = find_form_of(all, point, true);
  return multiples ? multiples : find_form_of(all, point, false);
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

}  // namespace gcnh
