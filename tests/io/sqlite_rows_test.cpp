#include "gcnh/io/sqlite_rows.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "gcnh/io/file.h"
#include "gcnh/io/graph_files.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

class Sqlite : public ::testing::Test {
 protected:
  Sqlite() {
    run("create table n(id text, label text, x real, y integer);"
        "insert into n values('ann','b',0.1,1),('bob','a',-2.5,null),('eve',null,3,3);"
        "create table e(source text, target text); insert into e values('ann','bob'),('eve','bob');");
  }
  void run(const std::string& sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  std::vector<std::vector<std::string>> rows(const std::string& query) const {
    SqliteRows rows(path_, query);
    std::vector<std::vector<std::string>> out = {rows.header()};
    while (rows.next()) out.push_back(rows.row());
    return out;
  }

  TempDir dir_;
  std::string path_ = dir_ / "g.db";
};

TEST_F(Sqlite, QueriesGiveRowsOfText) {
  EXPECT_EQ(rows("select id, x, y as z from n where x < 1 order by x;"),
            (std::vector<std::vector<std::string>>{{"id", "x", "z"}, {"bob", "-2.5", ""}, {"ann", "0.1", "1"}}));
}

TEST_F(Sqlite, TextHoldsNoZeros) {
  EXPECT_ERROR(rows("select 'a' || char(0) || 'b' as id"), "column 'id' holds a NUL byte");
}

TEST_F(Sqlite, NodesAndEdgesMakeAGraph) {
  CsvSource from;
  from.database = path_;
  from.nodes = "select id, label, x from n";
  from.edges = "select * from e";
  const Tables t = read_graph_files(from);
  EXPECT_EQ(t.name, "g");
  EXPECT_EQ(t.ids, std::vector<std::string>({"ann", "bob", "eve"}));
  EXPECT_EQ(t.labels, std::vector<int>({1, 0, -1}));
  EXPECT_EQ(t.features.dense()(0, 0), static_cast<Real>(0.1));
  ASSERT_EQ(t.edges.size(), 2u);
  EXPECT_EQ(t.edges[1].source, 2);
  run("insert into e values('ann','zed')");
  EXPECT_ERROR(read_graph_files(from), "g.db 'select * from e':3: node 'zed' is not in 'select id, label, x from n'");
}

TEST_F(Sqlite, NothingIsWritten) {
  const std::string before = read_file(path_);
  for (const char* command : {"delete from n", "create table t(x)", "attach 'other.db' as o", "", "-- nothing",
                              "insert into n values(1,2,3,4) returning id", "vacuum into 'copy.db'"})
    EXPECT_ERROR(rows(command), "g.db: ");
  EXPECT_ERROR(rows("select id from n; delete from n"), "after the end of the query");
  EXPECT_EQ(read_file(path_), before);
  EXPECT_EQ(status_of([&] { SqliteRows(dir_ / "absent.db", "select 1"); }), Status::io);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "absent.db"));
}

TEST_F(Sqlite, WhatIsWrongIsNamed) {
  EXPECT_ERROR(rows("select age from n"), "g.db: 'select age from n': no such column: age");
  EXPECT_ERROR(rows("select id, id from n"), "two columns are called 'id'");
  EXPECT_ERROR(rows("select id, x'00ff' as b from n"), ":1: column 'b' holds bytes");
  EXPECT_ERROR(rows("select id, cast(x'ff' as text) as b from n"), ":1: column 'b' is not UTF-8");
  EXPECT_ERROR(rows("select id, hex(zeroblob(9000000)) as b from n"), ":1: string or blob too big");
  write_text(dir_ / "g.db", "id,label\n1,2\n");
  EXPECT_ERROR(rows("select * from n"), "g.db: 'select * from n': file is not a database");
}

TEST_F(Sqlite, DamagedFilesAreReadOrRefused) {
  const std::string whole = read_file(path_);
  const auto check = [&](const std::string& damaged) {
    write_text(path_, damaged);
    expect_read_or_refused("g.db", [&] { rows("select * from n"); });
  };
  for (std::size_t size = 0; size < whole.size(); size += 511) check(whole.substr(0, size));
  for (std::size_t at = 0; at < whole.size(); ++at)
    if (at < 110 || whole[at] != '\0') for_every_flip(whole, at, at + 1, check);
}

TEST_F(Sqlite, MessagesNameTheQueryOrTheFlag) {
  EXPECT_ERROR(rows("select id, label as id from n"), "as id from n': two columns are called 'id'");
  CsvSource from;
  from.nodes = from.edges = path_;
  EXPECT_ERROR(read_graph_files(from), "is an SQLite database; give it as `sqlite`");
}

}  // namespace
}  // namespace gcnh
