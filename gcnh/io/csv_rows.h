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
  explicit CsvRows(const std::string& path);  // reads the header
  ~CsvRows() override;

 private:
  struct Parser;

  bool read_row() override;
  void skip_blank_lines();
  std::string_view take_line();
  void feed(std::string_view text);

  FileLines file_;
  std::unique_ptr<Parser> parser_;
  bool row_ended_ = false;
  int lines_read_ = 0;
};

}  // namespace gcnh
