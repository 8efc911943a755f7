#include "gcnh/io/column_numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/cell_values.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr std::size_t kShortCodes = 12;  // so few whole numbers are taken for codes however they are spread
constexpr std::size_t kFlatCodes = 60;   // nor so many that occur about equally often
constexpr std::int64_t kCellsPerCode = 5;

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
  if (!whole || present.count < kFewCells || present.count < std::ssize(present.cells)) return false;
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

// 2.1 and 2.10 are the same number, but not the same version of something. Gives such a pair, or nothing.
std::optional<std::pair<std::string, std::string>> find_versions(const Present& present) {
  std::set<std::string_view> cells;
  const bool all = present.all([&](std::string_view cell) {
    const std::size_t dot = cell.find('.');
    const bool fits = dot < 3 && dot > 0 && cell.size() - dot <= 4 && cell.size() > dot + 1 &&
                      std::all_of(cell.begin(), cell.begin() + static_cast<std::ptrdiff_t>(dot), is_digit);
    if (fits) cells.insert(cell);
    return fits && cells.size() <= kMostCodes;
  });
  if (!all) return std::nullopt;
  for (const std::string_view cell : cells)
    if (const std::string longer = std::string(cell) + "0"; !cell.ends_with('0') && cells.contains(longer))
      return std::pair(std::string(cell), longer);
  return std::nullopt;
}

}  // namespace

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
    out.is_guess = !counts.empty() && present.count >= kFewCells && 2 * std::ssize(counts) <= present.count;
    if (out.is_guess) out.why = join(counts.size(), " whole numbers that look like a measure");
    if (const auto versions = find_versions(present)) {
      out.is_guess = true;
      out.why = join("numbers, though ", versions->first, " and ", versions->second, " may be different versions");
    }
  }
}

}  // namespace gcnh
