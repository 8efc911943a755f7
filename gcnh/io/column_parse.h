// From the cells of a column to a Column of a given kind.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/columns.h"
#include "gcnh/io/cells.h"

namespace gcnh {

// Cells that a column's kind has no meaning for.
struct CellProblem {
  std::string column;
  ColumnKind kind = ColumnKind::num;
  std::int64_t cells = 0;
  std::size_t row = 0;  // of the first
  std::string text;     // and what it says
};

// Fills numbers or items by column.spec. What cannot be read counts as missing and is added to the problems.
void parse_cells(const Cells& cells, Column& column, std::vector<CellProblem>& problems);

}  // namespace gcnh
