#include "gcnh/io/edge_list_rows.h"

#include <gtest/gtest.h>

#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

std::vector<std::vector<std::string>> rows_in(const std::filesystem::path& path, std::string_view text) {
  write_text(path, text);
  const std::unique_ptr<Rows> rows = open_rows(path.string());
  std::vector<std::vector<std::string>> out = {rows->header()};
  while (rows->next()) out.push_back(rows->row());
  return out;
}

using ReadRows = std::vector<std::vector<std::string>>;

TEST(EdgeListRows, CommentsBlankLinesAndTabsAreRead) {
  const TempDir dir;
  EXPECT_EQ(rows_in(dir / "a.txt", "# Directed graph, of SNAP\n# FromNodeId\tToNodeId\n0\t1\r\n\n  2   3\n"),
            (ReadRows{{"source", "target"}, {"0", "1"}, {"2", "3"}}));
  EXPECT_EQ(rows_in(dir / "a.txt", "1 2 0.5 x\n% late\n2 3 1 y"),
            (ReadRows{{"source", "target", "weight", "column4"}, {"1", "2", "0.5", "x"}, {"2", "3", "1", "y"}}));
  EXPECT_EQ(rows_in(dir / "a.edges", "ann bob\n"), (ReadRows{{"source", "target"}, {"ann", "bob"}}));
  EXPECT_EQ(rows_in(dir / "a.txt", "# nothing\n"), (ReadRows{{"source", "target"}}));
}

TEST(EdgeListRows, TablesStayTables) {
  const TempDir dir;
  EXPECT_EQ(rows_in(dir / "a.txt", "source\ttarget\n1\t2\n"), (ReadRows{{"source", "target"}, {"1", "2"}}));
  EXPECT_EQ(rows_in(dir / "a.txt", "#id,label\n1,2\n"), (ReadRows{{"#id", "label"}, {"1", "2"}}));
  EXPECT_EQ(rows_in(dir / "a.tsv", "1\t2\n3\t4\n"),
            (ReadRows{{"1", "2"}, {"3", "4"}}));  // refused by who asks for columns
}

TEST(EdgeListRows, WhatIsWrongIsNamedWithItsLine) {
  const TempDir dir;
  EXPECT_ERROR(rows_in(dir / "a.txt", "1 2\n\n3\n"), "a.txt:3: one word; an edge names two nodes");
  EXPECT_ERROR(rows_in(dir / "a.txt", "1 2\n1 2 3\n"), "a.txt:2: found 3 words, expected 2 as before");
  EXPECT_ERROR(rows_in(dir / "a.txt", "1 2\n\xff 3\n"), "a.txt:2: not UTF-8");
  EXPECT_ERROR(rows_in(dir / "a.txt", "1 2\n" + std::string(std::size_t{2} << 20, '1')),
               "a.txt:2: a line of more than");
}

TEST(EdgeListRows, DamagedFilesAreReadOrRefused) {
  const TempDir dir;
  const std::string text = "# c\n0 1\n2\t3\n";
  const auto check = [&](const std::string& damaged) {
    expect_read_or_refused("a.txt", [&] { rows_in(dir / "a.txt", damaged); });
  };
  for_every_cut(text, check);
  for_every_flip(text, 0, text.size(), check);
}

}  // namespace
}  // namespace gcnh
