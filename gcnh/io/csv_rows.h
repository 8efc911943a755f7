// The rows of a CSV file by RFC 4180: quotes, line ends inside quotes, CRLF, a byte order mark. Parsed by libcsv.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gcnh/io/file_lines.h"
#include "gcnh/io/rows.h"

namespace gcnh {

class CsvRows : public Rows {
 public:
  static constexpr std::size_t kLongestRow = std::size_t{16} << 20;  // bytes

  explicit CsvRows(const std::string& path);  // reads the header
  CsvRows(const std::string& path, std::unique_ptr<FileLines> file);
  ~CsvRows() override;

 private:
  struct Parser;

  bool read_row() override;
  bool read_any_row();
  void skip_blank_lines();
  std::string_view take_line();
  void feed(std::string_view text);

  std::unique_ptr<FileLines> file_;
  std::unique_ptr<Parser> parser_;
  bool row_ended_ = false;
  int lines_read_ = 0;
};

}  // namespace gcnh
