// A graph as an SQLite database: tables `nodes` and `edges`, with the columns that CSV files of it have. What reads it:
// sqlite_rows.h.
#pragma once

#include <string>

#include "gcnh/graph/dataset.h"
#include "gcnh/io/graph_text.h"

namespace gcnh {

// The bytes of its file. The names of columns differ in more than case.
std::string sqlite_bytes(const Tables& tables, const NodeColumnNames& names);

}  // namespace gcnh
