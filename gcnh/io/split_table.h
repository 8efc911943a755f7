// Splits as columns of a table: train, val, test or nothing for every node.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

class Rows;

// Positions of the columns; one that is named twice is an error.
std::vector<std::size_t> split_columns(const Rows& rows, const std::vector<std::string>& names);
// Puts the node where the cell of this row says.
void add_to_split(const Rows& rows, std::size_t column, Index node, Split& split);
// Without the nodes that have no label, which can be neither trained on nor scored; each has one to train on.
std::vector<Split> finish_splits(std::vector<Split> splits, std::span<const int> labels,
                                 const std::vector<std::string>& columns, const std::string& where);

// The splits of a file whose column `id` holds node ids; each other column is a split. A node that it does not name is
// in none of the sets.
std::vector<Split> read_splits(const std::string& path, const std::string& id, const Tables& tables);

// The set that every node is in, or nothing, for each split.
std::vector<std::vector<const char*>> sets_of(const std::vector<Split>& splits, Index num_nodes);

// Such a file: the id of every node, or its number where there are none, and columns split_0, split_1, ...
std::string splits_csv(const std::vector<Split>& splits, Index num_nodes, const std::vector<std::string>& ids);

}  // namespace gcnh
