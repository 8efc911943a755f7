// Numbers of a table that do not belong there: codes for no value, such as -9999 or 1900-01-01, and slips of the pen.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "gcnh/base/names.h"
#include "gcnh/check/rules.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// How far a number is from the next one, in distances between the least and the largest of the others.
constexpr double kFarCode = 3;    // one that is repeated
constexpr double kFarAlone = 10;  // a single one; counts have long tails
constexpr Offset kRepeated = 3;
constexpr std::size_t kFewestOthers = 5;  // different numbers among the others, for their distance to mean something

std::string number_text(const Column& column, double x) {
  if (column.spec.kind != ColumnKind::date) return join(x);
  const std::chrono::year_month_day day{std::chrono::sys_days(std::chrono::days(std::llround(std::floor(x))))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

bool has_few_others(const std::vector<double>& numbers, double x) {
  std::set<double> others;
  for (double y : numbers) {
    if (y == x || std::isnan(y)) continue;
    others.insert(y);
    if (others.size() >= kFewestOthers) return false;
  }
  return true;
}

// The end of the column, the least with sign 1, the largest with -1, where it is far from all others.
std::optional<double> far_end(const std::vector<double>& numbers, double sign, Offset& count) {
  const double none = std::numeric_limits<double>::infinity();
  double end = none, next = none, last = -none;  // in this order, seen from the end
  count = 0;
  for (double number : numbers) {
    const double x = sign * number;
    if (std::isnan(x)) continue;
    last = std::max(last, x);
    if (x < end) next = std::exchange(end, x), count = 0;
    if (x == end) {
      ++count;
    } else {
      next = std::min(next, x);
    }
  }
  const double far = count >= kRepeated ? kFarCode : kFarAlone;
  if (!(next < none) || next - end <= far * (last - next) || has_few_others(numbers, sign * end)) return std::nullopt;
  return sign * end;
}

std::vector<Remark> look_for_far_numbers(const CheckInput& input) {
  if (input.tables.columns.empty()) return {};
  std::vector<std::string> found, words;
  for (const Column& column : input.tables.columns) {
    if (column.spec.kind != ColumnKind::num && column.spec.kind != ColumnKind::date) continue;
    for (double sign : {1.0, -1.0}) {
      Offset count = 0;
      const std::optional<double> end = far_end(column.numbers, sign, count);
      if (!end) continue;
      const std::string text = number_text(column, *end);
      found.push_back(
          join(counted(count, "cell"), " of ", quote(column.spec.name), count == 1 ? " is " : " are ", text));
      words.push_back(for_shell(join(in_list(column.spec.name, "="), "=", text)));
    }
  }
  if (found.empty()) return in_order("no number is far from all others of its column");
  return warn(
      join("far from all others of the column: ", some_of(found)),
      "such numbers set the scale, and the others look nearly alike",
      join("where one stands for no value, `missing` ", some_of(words), " (as the table writes it); else correct it"));
}

}  // namespace

std::vector<Rule> number_rules() {
  return {{"far-numbers", "numbers and dates far from all others of their column, as codes for no value are",
           look_for_far_numbers, Rule::When::always}};
}

}  // namespace gcnh
