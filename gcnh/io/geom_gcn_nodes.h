// The node table of the Geom-GCN text form, rows as they stand in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gcnh/base/csr.h"

namespace gcnh {

struct NodeRows {
  std::vector<Index> ids;
  std::vector<int> lines;  // where each row stands in the file
  std::vector<int> labels;
  Csr features;
};

NodeRows read_node_rows(const std::string& path);

}  // namespace gcnh
