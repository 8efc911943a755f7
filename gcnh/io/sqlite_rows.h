// The rows that a query of an SQLite database gives. The database is opened to be read only.
#pragma once

#include <memory>
#include <string>

#include "gcnh/io/rows.h"

namespace gcnh {

class SqliteRows : public Rows {
 public:
  SqliteRows(const std::string& database, const std::string& query);  // one query that gives rows
  ~SqliteRows() override;

 private:
  struct Query;

  bool read_row() override;

  std::unique_ptr<Query> query_;
};

}  // namespace gcnh
