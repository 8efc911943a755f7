// What a column of whole numbers holds: codes, a measure, yes and no, or the numbers of the rows.
#pragma once

#include "gcnh/graph/columns.h"
#include "gcnh/io/column_cells.h"

namespace gcnh {

// For a column of numbers: sets its kind, and why.
void find_number_kind(const Present& present, Column& out);

}  // namespace gcnh
