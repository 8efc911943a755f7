// The Planetoid files of Cora, Citeseer and Pubmed: ind.NAME.{allx,ally,tx,ty,graph} (pickles) and ind.NAME.test.index.
#pragma once

#include <filesystem>
#include <string>

#include "gcnh/graph/dataset.h"

namespace gcnh {

Tables read_planetoid(const std::filesystem::path& folder, const std::string& name);

}  // namespace gcnh
