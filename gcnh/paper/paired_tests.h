// GCNH against every other model of the main table, split by split.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gcnh/paper/paper.h"

namespace gcnh {

using Accuracies = std::map<std::string, std::vector<double>>;  // of a model on the test nodes, by dataset
using Cells = std::map<std::string, Accuracies>;                // by model; empty where nothing was measured

struct PairedTests {
  Table table;  // GCNH minus each other model, with intervals
  int better = 0, worse = 0, pairs = 0;
};

// Corrected resampled t-tests, with Holm's adjustment over the models of a dataset. Cells must hold gcnh.
PairedTests paired_tests(Workbench& bench, const Cells& cells);

}  // namespace gcnh
