// From tables to what one model sees.
#pragma once

#include "gcnh/graph/dataset.h"
#include "gcnh/models/model.h"

namespace gcnh {

// make_dataset, and for a model that reads relations the published ones, where its options want them and the tables
// name their file, or else those computed from the graph.
Dataset make_dataset_for(const ModelType& type, const OptionValues& options, Tables tables, const View& view);

}  // namespace gcnh
