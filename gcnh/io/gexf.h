// A graph as GEXF 1.3, for Gephi; nothing here reads it.
#pragma once

#include <string>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// Nodes with their class, edges as they are written. Characters that XML has no place for become U+FFFD.
std::string gexf_text(const Tables& tables);

}  // namespace gcnh
