#include "gcnh/io/sqlite_write.h"

#include <sqlite3.h>

#include <memory>
#include <new>
#include <string_view>

#include "gcnh/base/error.h"
#include "gcnh/io/split_table.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

void check(int answer, sqlite3* database) {
  if (answer == SQLITE_NOMEM) throw std::bad_alloc();
  require(answer == SQLITE_OK || answer == SQLITE_DONE, "sqlite: ", sqlite3_errmsg(database));
}

void execute(sqlite3* database, const std::string& sql) {
  check(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), database);
}

std::string quoted(const std::string& name) {
  require(name.find('\0') == name.npos, "column ", quote(name), " has a zero byte in its name; write .csv instead");
  std::string out = "\"";
  for (char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

// A table and the rows that are put into it.
class TableWriter {
 public:
  // Definitions as SQL has them: a name and a type.
  TableWriter(sqlite3* database, const std::string& name, const std::vector<std::string>& columns)
      : database_(database), insert_(nullptr, sqlite3_finalize) {
    const auto most = static_cast<std::size_t>(sqlite3_limit(database, SQLITE_LIMIT_COLUMN, -1));
    require(columns.size() <= most, "a table of ", columns.size(), " columns; SQLite has at most ", most,
            "; write .npz or .svm instead");
    std::string create = "create table " + name + "(", insert = "insert into " + name + " values(";
    for (std::size_t c = 0; c < columns.size(); ++c) {
      create += (c > 0 ? "," : "") + columns[c];
      insert += c > 0 ? ",?" : "?";
    }
    execute(database, create + ")");
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database, (insert + ")").c_str(), -1, &statement, nullptr), database);
    insert_.reset(statement);
  }

  void add(std::string_view text) {
    check(sqlite3_bind_text64(insert_.get(), ++column_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8),
          database_);
  }
  void add_or_null(std::string_view text) { text.empty() ? add_null() : add(text); }
  // The number that people would write: 0.1 and not 0.10000000149.
  void add(Real value) { add_number(*parse_number<double>(real_text(value))); }
  void add_number(double value) { check(sqlite3_bind_double(insert_.get(), ++column_, value), database_); }
  void end_row() {
    check(sqlite3_step(insert_.get()), database_);
    check(sqlite3_reset(insert_.get()), database_);
    column_ = 0;
  }

 private:
  void add_null() { check(sqlite3_bind_null(insert_.get(), ++column_), database_); }

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> insert_;
  int column_ = 0;
};

void write_nodes(sqlite3* database, const Tables& tables, const NodeColumnNames& names) {
  std::vector<std::string> columns = {quoted(names.id) + " text", quoted(names.label) + " text"};
  for (const std::string& name : names.features) columns.push_back(quoted(name) + " real");
  for (const std::string& name : names.splits) columns.push_back(quoted(name) + " text");
  TableWriter out(database, "nodes", columns);
  const std::vector<std::string> labels = label_words(tables);
  const std::vector<std::vector<const char*>> sets = sets_of(tables.splits, tables.num_nodes());
  const ExactNumbers exact(tables);
  for (Index node = 0; node < tables.num_nodes(); ++node) {
    out.add(node_id(tables, node));
    out.add_or_null(labels[node]);
    std::vector<Real> row(tables.features.cols());
    for_each_entry(tables.features, node, [&](Index column, Real value) { row[column] = value; });
    for (Index column = 0; column < tables.features.cols(); ++column) {
      const double* number = exact.find(node, column);
      number ? out.add_number(*number) : out.add(row[column]);
    }
    for (const auto& split : sets) out.add_or_null(split[node]);
    out.end_row();
  }
}

void write_edges(sqlite3* database, const Tables& tables) {
  const bool weighted = !tables.edge_weights.empty();
  std::vector<std::string> columns = {"source text", "target text"};
  if (weighted) columns.emplace_back("weight real");
  TableWriter out(database, "edges", columns);
  for (std::size_t e = 0; e < tables.edges.size(); ++e) {
    out.add(node_id(tables, tables.edges[e].source));
    out.add(node_id(tables, tables.edges[e].target));
    if (weighted) out.add(tables.edge_weights[e]);
    out.end_row();
  }
}

}  // namespace

std::string sqlite_bytes(const Tables& tables, const NodeColumnNames& names) {
  check_cells(tables);
  sqlite3* opened = nullptr;
  const int answer = sqlite3_open(":memory:", &opened);
  const Database database(opened, sqlite3_close);
  check(answer, opened);
  execute(opened, "begin");
  write_nodes(opened, tables, names);
  write_edges(opened, tables);
  execute(opened, "commit");
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(sqlite3_serialize(opened, "main", &size, 0),
                                                              sqlite3_free);
  if (!bytes) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

}  // namespace gcnh
