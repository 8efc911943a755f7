// The rows of a table, whatever it is kept in: a line of column names, then as many cells in every row.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/base/error.h"

namespace gcnh {

class Rows {
 public:
  virtual ~Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  bool next();  // the next row; it has as many cells as the header
  const std::vector<std::string>& header() const { return header_; }  // a column without a name can only be left out
  std::vector<std::string> named_columns() const;                     // of those that have one
  const std::vector<std::string>& row() const { return row_; }
  const std::string& name() const { return name_; }  // of the table, for messages
  int line() const { return line_; }                 // where the row begins
  // Rows without a value, as spreadsheets write below a table; passed over so far.
  std::int64_t empty_rows() const { return empty_rows_; }

  bool has(const std::string& name) const;
  // Throws when the header lacks the column, but one of the next lines has it: there are others above the header.
  void require_no_title(const std::string& column);
  // Throws when the header has none of the wanted columns and a cell that is a number, or data by other signs.
  void require_header(
      const std::vector<std::string>& wanted,
      const std::function<bool(const std::string&)>& is_data = [](const std::string&) { return false; }) const;
  // Position of the column; the error lists the columns there are, and names the field that chooses another.
  std::size_t column(const std::string& name, const std::string& field = "") const;

  // A data error at this row.
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    gcnh::fail(Status::data, name_, ":", line_, ": ", parts...);
  }

 protected:
  explicit Rows(std::string name) : name_(std::move(name)) {}

  virtual bool read_row() = 0;  // fills row_ and line_; false: there is none
  // For the constructor, once the first row is there: it names the columns.
  void take_header();

  std::vector<std::string> row_;
  int line_ = 0;
  std::int64_t empty_rows_ = 0;

 private:
  void check_header() const;

  std::string name_;
  std::vector<std::string> header_;
};

// The table of a file: CSV, or a plain list of edges where name and first line say so.
// With a database: what the query gives.
std::unique_ptr<Rows> open_rows(const std::string& path_or_query, const std::string& database = "");

}  // namespace gcnh
