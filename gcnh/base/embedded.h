// Files that are built into the library when it is compiled (tools/embed.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace gcnh {

struct EmbeddedFile {
  std::string_view name, text;
};
using EmbeddedFiles = std::vector<EmbeddedFile>;

// The text of the file of this name; empty where there is none.
inline std::string_view find_text(const EmbeddedFiles& files, std::string_view name) {
  for (const EmbeddedFile& file : files)
    if (file.name == name) return file.text;
  return {};
}

}  // namespace gcnh
