// What is wrong with cells that a column's kind has no meaning for, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "gcnh/io/column_parse.h"

namespace gcnh {

// For people; begins with the line. `lines`: of the rows.
std::string describe(const CellProblem& problem, bool is_of_model, const std::vector<int>& lines);

}  // namespace gcnh
