#include "gcnh/io/date_order.h"

#include <algorithm>
#include <set>

#include "gcnh/io/cell_dates.h"
#include "gcnh/io/cell_times.h"

namespace gcnh {
namespace {

// The 3 of 5/3/2020.
std::string_view second_number(std::string_view cell) {
  const std::size_t first = cell.find_first_of("/-");
  return cell.substr(first + 1, cell.find_first_of("/-", first + 1) - first - 1);
}

}  // namespace

FoundOrder find_date_order(const ForAllCells& all) {
  FoundOrder out;
  std::int64_t day_first = 0, month_first = 0, differ = 0, times = 0;
  std::set<std::string_view> seconds;
  all([&](std::string_view cell) {
    const auto dmy = parse_date(cell, DateOrder::dmy), mdy = parse_date(cell, DateOrder::mdy);
    const bool is_time = parse_date(cell, DateOrder::time).has_value();
    times += is_time ? 1 : 0;
    out.durations = out.durations || (is_time && !parse_time(cell));
    day_first += dmy ? 1 : 0;
    month_first += mdy ? 1 : 0;
    if (dmy == mdy) return true;
    ++differ;
    if (seconds.size() < 2) seconds.insert(second_number(cell));
    return true;
  });
  const bool lists_months = seconds.size() == 1 && differ > 1;
  out.matters = differ > 0;
  out.is_guess = out.matters && day_first == month_first;
  out.dates = std::max(day_first, month_first);
  if (times > out.dates) return {.order = DateOrder::time, .dates = times, .durations = out.durations};
  if (month_first > day_first || (out.is_guess && lists_months)) out.order = DateOrder::mdy;
  return out;
}

std::string describe(const FoundOrder& found) {
  if (found.order == DateOrder::time) return found.durations ? "durations" : "times of day";
  if (!found.matters) return "dates";
  return found.order == DateOrder::dmy ? "dates, day before month" : "dates, month before day";
}

}  // namespace gcnh
