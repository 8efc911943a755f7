// The rows of a CSV file by RFC 4180: quotes, line ends inside quotes, CRLF, a byte order mark. Parsed by libcsv.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gcnh/base/error.h"
#include "gcnh/io/file_lines.h"

namespace gcnh {

class CsvRows {
 public:
  explicit CsvRows(const std::string& path);  // reads the header
  ~CsvRows();

  bool next();  // the next row; it has as many fields as the header
  const std::vector<std::string>& header() const { return header_; }
  const std::vector<std::string>& row() const { return row_; }
  int line() const { return line_; }  // where the row begins

  bool has(const std::string& name) const;
  // Throws when the header has none of the wanted columns and a cell that is a number, or data by other signs.
  void require_header(
      const std::vector<std::string>& wanted,
      const std::function<bool(const std::string&)>& is_data = [](const std::string&) { return false; }) const;
  // Position of the column; the error lists the columns there are, and names the field that chooses another.
  std::size_t column(const std::string& name, const std::string& field = "") const;

  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    gcnh::fail(Status::data, path_, ":", line_, ": ", parts...);
  }

 private:
  struct Parser;

  bool read_row();
  void skip_blank_lines();
  std::string_view take_line();
  void feed(std::string_view text);
  void check_header() const;

  std::string path_;
  FileLines file_;
  std::unique_ptr<Parser> parser_;
  std::vector<std::string> header_;
  std::vector<std::string> row_;
  bool row_ended_ = false;
  int line_ = 0;
  int lines_read_ = 0;
};

}  // namespace gcnh
