// Whether 5/3/2020 is the fifth of March or the third of May, by looking at a whole column.
#pragma once

#include <cstdint>
#include <string>

#include "gcnh/graph/columns.h"
#include "gcnh/io/cells.h"

namespace gcnh {

struct FoundOrder {
  DateOrder order = DateOrder::dmy;
  std::int64_t dates = 0;  // cells that are one, read like that
  bool matters = false;    // some cell would mean another day the other way round, or none
  bool is_guess = false;
  bool durations = false;  // times that are longer than a day, or tell how many days
};

// One number above 12 settles which of two is the day. Else, where the second is always the same, it is that, as in
// lists of months; otherwise the first. A column of times has no days at all.
FoundOrder find_date_order(const ForAllCells& all);

std::string describe(const FoundOrder& found);  // for people: "dates, day before month"

}  // namespace gcnh
