// What a search over options found, as a section of a report.
#pragma once

#include "gcnh/report/page.h"
#include "gcnh/study/tune.h"

namespace gcnh {

// The winner, for every option that was varied the cells by its value, and the best cells. Only the winner has a test
// score.
Section tune_section(const Experiment& experiment, const TuneResult& result);

}  // namespace gcnh
