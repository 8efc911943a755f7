// From the cells of a column to a Column of a given kind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gcnh/graph/columns.h"
#include "gcnh/io/cells.h"

namespace gcnh {

// A cell: its row, and what it says.
struct CellAt {
  std::size_t row = 0;
  std::string text = "";
};

// Cells that a column's kind has no meaning for.
struct CellProblem {
  ColumnSpec spec;                      // of the column
  std::int64_t cells = 0;               // how many
  std::int64_t read = 0;                // how many others could be read
  std::vector<std::string> words = {};  // that stand in them, the first few
  CellAt first = {};                    // of them
  std::optional<CellAt> good = {};      // the first that could be read
};

// Fills numbers or items by column.spec. What cannot be read counts as missing and is added to the problems; how cells
// were taken that lack what others of the column have, to the assumptions.
struct CellReport {
  std::vector<CellProblem> problems;
  std::vector<std::string> assumptions;
};
void parse_cells(const Cells& cells, Column& column, CellReport& report);

}  // namespace gcnh
