// A graph as files of another form.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

struct Converted {
  std::vector<std::filesystem::path> files = {};  // that were written
  std::vector<std::string> flags = {};            // that read them again; empty: nothing here does
  std::vector<std::string> notes = {};            // what the form has no place for
};

// The endings that a name can have, for people.
std::string conversion_endings();

// What convert_graph may write under this name: its ending chooses the form, and where that takes several files they
// are called after it. Throws a usage error for another ending.
std::vector<std::filesystem::path> conversion_files(const std::filesystem::path& to);

// Each file is replaced as a whole. Throws before the first one when one of them is there, unless `replace`.
Converted convert_graph(const Tables& tables, const std::filesystem::path& to, bool replace);

}  // namespace gcnh
