// Train, validation and test sets, from masks and as published.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/io/npy.h"

namespace gcnh {

// Three masks of num_nodes zeros and ones; no node in two of them; at least one node to train on.
Split split_from_masks(std::span<const std::int64_t> train, std::span<const std::int64_t> val,
                       std::span<const std::int64_t> test, const std::string& where);

// Takes the nodes without a label out of every list: they can be neither trained on nor scored.
void drop_unlabelled(std::vector<Split>& splits, std::span<const int> labels);

// The generator and the shuffle of Python's `random` after seed(key), 0 <= key < 2^32.
std::mt19937 python_generator(std::uint32_t key);
std::vector<Index> python_shuffle(std::uint32_t key, Index count);

// The one split of all syn-cora graphs: half, a fifth and the rest of a shuffle with seed 155.
Split syn_cora_split(Index num_nodes);

}  // namespace gcnh
