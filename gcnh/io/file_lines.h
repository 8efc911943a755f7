// The lines of a text, read in pieces from a FileStream: no more of the file is in memory than its longest line needs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gcnh/io/file_stream.h"

namespace gcnh {

class FileLines {
 public:
  // Throws when the file is of a kind that is not text.
  // Of lines longer than `longest` only a part is shown that is longer, too, so that the reader refuses them.
  FileLines(const std::filesystem::path& path, std::size_t longest);

  // The next line with its end, empty when there is none. It is there until the one after it is asked for.
  std::string_view peek();
  std::string_view take();

 private:
  FileStream file_;
  std::size_t longest_;
  std::string buffer_;
  std::string_view rest_;  // of the buffer
};

}  // namespace gcnh
