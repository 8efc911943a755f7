// What wrong answers cost, as a table of the user's: a row per true class, a column per answer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/base/matrix.h"

namespace gcnh {

// CSV whose header names the answers behind a first column, which names the true class: costs(k, j) is what answering j
// costs where k is true; negative: a gain. Throws a data error unless every class has a row and a column of numbers.
Matrix read_costs(const std::filesystem::path& path, const std::vector<std::string>& classes);

}  // namespace gcnh
