// A plain list of edges as SNAP and others write it: two node ids per line between blanks or tabs, perhaps more words,
// lines of comments (# or %), no line that names the columns. They are called source, target and weight.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gcnh/io/file_lines.h"
#include "gcnh/io/rows.h"

namespace gcnh {

class EdgeListRows : public Rows {
 public:
  EdgeListRows(const std::string& path, std::unique_ptr<FileLines> file);

  // Whether a file of this name that begins with this line is such a list.
  static bool is_one(const std::string& path, std::string_view line);

 private:
  bool read_row() override;
  bool read_words();

  std::unique_ptr<FileLines> file_;
  std::size_t width_ = 0;  // words of a line; 0: none was read
  bool first_is_read_ = false;
  std::vector<std::string> first_;
  int lines_read_ = 0;
};

}  // namespace gcnh
