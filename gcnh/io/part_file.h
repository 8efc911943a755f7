// One part of a graph as a file of sections.
#pragma once

#include <cstdint>
#include <filesystem>

#include "gcnh/graph/part.h"
#include "gcnh/io/sections.h"

namespace gcnh {

inline constexpr SectionKind kPartFile{"part", 1};

// Both give the fingerprint of what is in the file.
std::uint64_t write_part(const std::filesystem::path& path, const Part& part);
Part read_part(const std::filesystem::path& path, std::uint64_t& fingerprint);

}  // namespace gcnh
