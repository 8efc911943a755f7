// The main table on one clean graph for all, beside the views of the models' own code.
#pragma once

#include <string>

#include "gcnh/paper/cells.h"

namespace gcnh {

// `own` may be empty: then the gains are not shown.
Table clean_table(const Workbench& bench, const Cells& clean, const Cells& own);
// Which cells owe most to how the graph is read; empty where none changes much.
std::string view_text(const Workbench& bench, const Cells& clean, const Cells& own);

}  // namespace gcnh
