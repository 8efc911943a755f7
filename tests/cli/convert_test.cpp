// gcnh data convert, and graphs that come from other places than two tables.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

// Without the name, and the splits, which only some forms have a place for.
std::string inspected(std::vector<std::string> args) {
  args.insert(args.begin(), {"inspect", "--json"});
  const Answer a = run_program(args);
  EXPECT_EQ(a.code, 0) << a.err;
  nlohmann::ordered_json out = nlohmann::ordered_json::parse(a.out);
  for (const char* key : {"name", "splits"}) out.erase(key);
  return out.dump(1);
}

std::vector<std::string> words_of_line(const std::string& text, const std::string& head) {
  std::istringstream in(text.substr(text.find(head) + head.size()));
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

TEST(ConvertCommand, PrintsTheFlagsThatReadTheFilesAgain) {
  const TempDir dir;
  const std::string whole = inspected({});
  for (const char* name : {"g.npz", "g.csv", "g.svm", "g.mtx", "g.edges", "g.db", "g.scipy.npz", "g.ogb"}) {
    SCOPED_TRACE(name);
    const Answer a = run_program({"data", "convert", "--quiet", "--force", "--to", dir / name});
    ASSERT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(a.err, "");
    EXPECT_EQ(inspected(words_of_line(a.out, "read with ")), whole);
  }
}

TEST(ConvertCommand, QuotesTheFlagsForAShell) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "it's mine");
  const Answer a = run_program({"data", "convert", "--quiet", "--to", dir / "it's mine/g.npz"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("read with --data '"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("/it'\\''s mine/g.npz'\n"), std::string::npos) << a.out;
}

TEST(ConvertCommand, RefusesToReplaceFilesUnlessForced) {
  const TempDir dir;
  write_text(dir / "g.npz", "mine");
  const Answer refused = run_program({"data", "convert", "--to", dir / "g.npz"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("g.npz' is there already; --force replaces it"), std::string::npos) << refused.err;
  EXPECT_EQ(slurp(dir / "g.npz"), "mine");
  EXPECT_EQ(run_program({"data", "convert", "--to", dir / "g.npz", "--force"}).code, 0);
  EXPECT_NE(slurp(dir / "g.npz"), "mine");
  const Answer ending = run_program({"data", "convert", "--to", dir / "g.xls"});
  EXPECT_EQ(ending.code, 2);
  EXPECT_NE(ending.err.find("--to: "), std::string::npos) << ending.err;
}

TEST(SqliteFlags, ReadNodesAndEdges) {
  const TempDir dir;
  const std::string path = dir / "g.db";
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  const char* sql =
      "create table n(name, kind, x); insert into n values('a',1,1),('b',2,0),('c',1,3);"
      "create table e(u, v); insert into e values('a','b'),('b','c');";
  ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
  const std::vector<std::string> read = {
      "--sqlite", path,      "--nodes-sql", "select * from n", "--edges-sql", "select * from e", "--id",
      "name",     "--label", "kind",        "--src",           "u",           "--dst",           "v"};
  EXPECT_NE(inspected(read).find("\"nodes\": 3,"), std::string::npos) << inspected(read);
  const Answer half =
      run_program({"inspect", "--sqlite", path, "--nodes-sql", "select * from n", "--id", "name", "--label", "kind"});
  EXPECT_EQ(half.code, 65);
  EXPECT_NE(half.err.find("no such table: edges"), std::string::npos) << half.err;
}

}  // namespace
}  // namespace gcnh::testing
