// Whether the marks in a column's numbers can be read in two ways: 17.893 is a fraction to some, thousands to others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gcnh/graph/columns.h"
#include "gcnh/io/cells.h"

namespace gcnh {

// Whether the mark may stand between the thousands of these digits: in 17.893 and 897, not in 0.125, 17.89 or 1234.
bool may_be_grouped(std::string_view digits, char mark);

// Whether all numbers that have the form's mark, and there are some, have it once and before three digits.
bool has_unclear_marks(const ForAllCells& all, const NumberForm& form);

// Of a column with unclear marks: 1.250 and 1,250 read the other way round.
NumberForm other_reading(const NumberForm& form);

// A column that is written with decimal commas; nothing when there is none.
std::string name_of_commas(const std::vector<Column>& columns);

}  // namespace gcnh
