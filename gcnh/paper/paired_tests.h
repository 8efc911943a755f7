// GCNH against every other model of the main table, split by split.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gcnh/paper/paper.h"

namespace gcnh {

using Cells = std::map<std::string, std::map<std::string, std::vector<Record>>>;  // model, dataset; none: not measured

struct PairedTests {
  Table differences;  // GCNH minus each other model, with intervals of the corrected resampled t-test
  Table wilcoxon;     // p values of the signed ranks
  int better = 0, worse = 0, pairs = 0;
};

// With Holm's adjustment over the models of a dataset. Cells must hold gcnh.
PairedTests paired_tests(Workbench& bench, const Cells& cells);

}  // namespace gcnh
