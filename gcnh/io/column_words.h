// What a column of words holds: yes and no, sets, text, names or categories.
#pragma once

#include "gcnh/graph/columns.h"
#include "gcnh/io/column_cells.h"

namespace gcnh {

// For a column that has other things than numbers in it: sets its kind, and why.
void find_word_kind(const Present& present, Column& out);

}  // namespace gcnh
