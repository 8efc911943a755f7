// Chapters as files.
#pragma once

#include <filesystem>
#include <vector>

#include "gcnh/paper/paper.h"

namespace gcnh {

// tables/NAME.{md,csv,tex}, those of the figures included, figures/NAME.svg, and everything in one: paper.md and
// paper.html. `remark` says when and where the numbers were measured.
void write_chapters(const std::filesystem::path& folder, const std::vector<Chapter>& chapters,
                    const std::string& remark);

}  // namespace gcnh
