// GCNH against every other model of the main table, split by split.
#pragma once

#include "gcnh/paper/cells.h"

namespace gcnh {

struct PairedTests {
  Table differences;  // GCNH minus each other model, with intervals of the corrected resampled t-test
  Table wilcoxon;     // p values of the signed ranks
  int better = 0, worse = 0, pairs = 0;
};

// With Holm's adjustment over the models of a dataset. Cells must hold gcnh.
PairedTests paired_tests(Workbench& bench, const Cells& cells);

}  // namespace gcnh
