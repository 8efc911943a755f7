// Finds what a column of a table holds by looking at all of its cells.
#pragma once

#include <string>

#include "gcnh/graph/columns.h"
#include "gcnh/io/cells.h"

namespace gcnh {

// A Column whose kind and reason are set, and how its cells are written. `missing`: words that stand for no value.
Column find_kind(const std::string& name, const Cells& cells, const std::vector<std::string>& missing);

// How the numbers or dates of a column that was declared are written.
void find_form(const Cells& cells, ColumnSpec& spec);

}  // namespace gcnh
