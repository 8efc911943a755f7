// The data of one split's training. Features that are columns of a table become numbers by what its training nodes
// show, and by nothing else.
#pragma once

#include <memory>

#include "gcnh/graph/schema.h"
#include "gcnh/run/experiment.h"

namespace gcnh {

// The experiment's own dataset, unless it has columns; then one without splits.
std::shared_ptr<const Dataset> split_dataset(const Experiment& experiment, int split);

// Fitted on the split's training nodes; empty for data without columns.
Schema split_schema(const Experiment& experiment, int split);

}  // namespace gcnh
