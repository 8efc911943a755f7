// A fingerprint of everything a result depends on in a dataset: graph, features, labels and splits.
#pragma once

#include <cstdint>

#include "gcnh/graph/dataset.h"

namespace gcnh {

std::uint64_t content_hash(const Dataset& dataset);

}  // namespace gcnh
