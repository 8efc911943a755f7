// Finds what a column of a table holds by looking at all of its cells.
#pragma once

#include <string>

#include "gcnh/graph/columns.h"
#include "gcnh/io/cells.h"

namespace gcnh {

// A Column whose kind, reason and separator are set and nothing else. `missing`: words that stand for no value.
Column find_kind(const std::string& name, const Cells& cells, const std::vector<std::string>& missing);

}  // namespace gcnh
