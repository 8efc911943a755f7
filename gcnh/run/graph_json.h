// A graph in numbers as JSON, for source files that write it.
#pragma once

#include <nlohmann/json.hpp>

#include "gcnh/graph/dataset.h"
#include "gcnh/graph/homophily.h"

namespace gcnh {

nlohmann::ordered_json classes_json(const Dataset& dataset);  // name and nodes of each
nlohmann::ordered_json degrees_json(const Dataset& dataset);
nlohmann::ordered_json homophily_json(const Homophily& homophily);
nlohmann::ordered_json compatibility_json(const Dataset& dataset);  // rows of class_compatibility

}  // namespace gcnh
