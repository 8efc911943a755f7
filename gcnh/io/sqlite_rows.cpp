#include "gcnh/io/sqlite_rows.h"

#include <sqlite3.h>

#include <array>
#include <charconv>
#include <new>
#include <string_view>

#include "gcnh/io/file.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr int kLongestCell = 16 << 20;

// In full, so that a number is the same on the other side of the text.
std::string full_text(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

bool is_blank(std::string_view rest) { return rest.find_first_not_of(" \t\r\n;") == std::string_view::npos; }

}  // namespace

struct SqliteRows::Query {
  ~Query() {
    sqlite3_finalize(statement);
    sqlite3_close(database);
  }

  // Other commands than queries fail: nothing can be written, and no other database attached.
  void open(const std::string& path, const std::string& sql) {
    { const FileReader says_what_is_wrong_better(path); }
    const int answer = sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    if (answer != SQLITE_OK) gcnh::fail(Status::io, "cannot read '", path, "': ", sqlite3_errmsg(database));
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kLongestCell);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    const char* rest = nullptr;
    check(sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()) + 1, &statement, &rest), path, sql);
    require(statement && sqlite3_column_count(statement) > 0 && sqlite3_stmt_readonly(statement), path, ": ",
            quote(sql), " gives no rows; write a select");
    require(sqlite3_bind_parameter_count(statement) == 0, path, ": ", quote(sql),
            " has a parameter without a value; write the value");
    require(is_blank(rest), path, ": ", quote(rest), " after the end of the query; write one");
  }

  void check(int answer, const std::string& path, const std::string& what) const {
    if (answer == SQLITE_NOMEM) throw std::bad_alloc();
    require(answer == SQLITE_OK, path, ": ", quote(what), ": ", sqlite3_errmsg(database));
  }

  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
};

SqliteRows::SqliteRows(const std::string& database, const std::string& query)
    : Rows(join(database, " ", quote(query))), query_(std::make_unique<Query>()) {
  query_->open(database, query);
  for (int i = 0; i < sqlite3_column_count(query_->statement); ++i)
    row_.emplace_back(sqlite3_column_name(query_->statement, i));
  for (const std::string& name : row_) require(is_utf8(name), this->name(), ": the name of a column is not UTF-8");
  take_header();
}

SqliteRows::~SqliteRows() = default;

bool SqliteRows::read_row() {
  row_.clear();
  ++line_;
  sqlite3_stmt* statement = query_->statement;
  const int answer = sqlite3_step(statement);
  if (answer == SQLITE_NOMEM) throw std::bad_alloc();
  if (answer == SQLITE_DONE) return false;
  if (answer != SQLITE_ROW) fail(sqlite3_errmsg(query_->database));
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const int type = sqlite3_column_type(statement, i);
    if (type == SQLITE_BLOB) fail("column ", quote(header()[i]), " holds bytes; numbers and text are read");
    if (type == SQLITE_FLOAT) {
      row_.push_back(full_text(sqlite3_column_double(statement, i)));
      continue;
    }
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
    row_.emplace_back(text ? text : "", static_cast<std::size_t>(sqlite3_column_bytes(statement, i)));
    if (!is_utf8(row_.back())) fail("column ", quote(header()[i]), " is not UTF-8");
    if (row_.back().find('\0') != std::string::npos) fail("column ", quote(header()[i]), " holds a NUL byte");
  }
  return true;
}

}  // namespace gcnh
