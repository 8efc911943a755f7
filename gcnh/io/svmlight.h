// svmlight's and libsvm's text: a line per node, "label column:value column:value ... # comment".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gcnh/graph/features.h"
#include "gcnh/io/lost_digits.h"

namespace gcnh {

struct LabelledRows {
  std::vector<std::string> labels;  // integers
  Features features;
  LostDigits lost;  // columns as written
};

// Columns count from 1, unless one of them is 0. Zeros may be written: the largest column is that of the table.
LabelledRows read_svmlight(const std::string& path);

// Whether a line is one of these, with at least one column.
bool is_svmlight(std::string_view line);

}  // namespace gcnh
