// Train, validation and test nodes.
#pragma once

#include <span>
#include <vector>

#include "gcnh/base/random.h"
#include "gcnh/graph/dataset.h"

namespace gcnh {

// `count` random splits of the labelled nodes; `train` and `val` are shares, the rest is tested. Every class is divided
// in these proportions, rounded so that the sizes of the sets are exact. A class of three or more nodes has at least
// one in every set of non-zero share, even where the sizes then differ. Split number s depends on the rng and s only.
std::vector<Split> stratified_splits(std::span<const int> labels, int num_classes, double train, double val, int count,
                                     const Rng& rng);

// Whether these shares leave nodes to test.
bool leaves_test(double train, double val);

// Throws unless the sets are disjoint lists of labelled nodes and there are nodes to train on; without validation nodes
// nothing is chosen, without test nodes nothing is scored. The number is the one that error messages give the split.
void check_split(const Split& split, std::span<const int> labels, int number);

// Test nodes per training node over these splits of the dataset: what tests that allow for overlapping splits need.
double test_per_train(const Dataset& dataset, std::span<const int> splits);

}  // namespace gcnh
