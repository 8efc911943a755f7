// Rows and columns of node features, sparse or dense alike.
#pragma once

#include <span>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// The listed rows, in that order.
Features take_rows(const Features& features, std::span<const Index> rows);

// One column fewer: column i moves to i - 1 and column 0 onto the last one, where the larger value wins.
Features shift_columns(const Features& features);

}  // namespace gcnh
