#include "gcnh/io/csv_rows.h"

#include <gtest/gtest.h>

#include "tests/io/io_tools.h"
#include "tests/support/packed.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

// Longer than what is read at once, so that pieces end in fields, in quotes, in line ends and in characters.
TEST(CsvRows, DoNotDependOnWhereAPieceEnds) {
  const TempDir dir;
  for (int shift = 0; shift < 12; ++shift) {
    std::string text = "\xEF\xBB\xBF" + std::string("a,b") + std::string(static_cast<std::size_t>(shift), 'b') + "\r\n";
    std::vector<std::string> expected;
    int lines = 1;
    for (int i = 0; i < 30'000; ++i) {
      expected.push_back("é" + std::to_string(i) + "\r\n\n\"x");
      text += std::to_string(i) + ",\"é" + std::to_string(i) + "\r\n\n\"\"x\"\r\n" + (i % 3 == 0 ? " \r\n\n" : "");
      lines += i % 3 == 0 ? 5 : 3;
    }
    write_text(dir / "x.csv", text + "30000,last");
    CsvRows rows(dir / "x.csv");
    ASSERT_EQ(rows.header()[0], "a");
    for (int i = 0; i < 30'000; ++i) {
      ASSERT_TRUE(rows.next());
      ASSERT_EQ(rows.row()[0], std::to_string(i));
      ASSERT_EQ(rows.row()[1], expected[static_cast<std::size_t>(i)]);
    }
    ASSERT_TRUE(rows.next());
    EXPECT_EQ(rows.row()[1], "last");
    EXPECT_EQ(rows.line(), lines + 1);
    EXPECT_FALSE(rows.next());
  }
}

TEST(CsvRows, AFileThatBecomesShorterIsAnError) {
  const TempDir dir;
  std::string text = "a,b\n";
  while (text.size() < 2'000'000) text += "1,2\n";
  write_text(dir / "x.csv", text);
  CsvRows rows(dir / "x.csv");
  ASSERT_TRUE(rows.next());
  std::filesystem::resize_file(dir / "x.csv", 1000);
  EXPECT_ERROR(while (rows.next()){}, "x.csv': it became shorter meanwhile");
}

TEST(CsvRows, ALineWithoutEndIsRefusedBeforeItFillsTheMemory) {
  const TempDir dir;
  write_text(dir / "x.csv", "a,b\n" + std::string(std::size_t{20} << 20, '1'));
  CsvRows rows(dir / "x.csv");
  EXPECT_ERROR(rows.next(), "x.csv:2: a row of more than");
}

TEST(CsvRows, TheNameBelowThePackingChoosesTheDelimiter) {
  const TempDir dir;
  write_text(dir / "x.tsv.gz", packed("a,1\tb\n", ARCHIVE_FILTER_GZIP));
  EXPECT_EQ(CsvRows(dir / "x.tsv.gz").header(), std::vector<std::string>({"a,1", "b"}));
}

// A gigabyte without a line end in a file of a megabyte.
TEST(CsvRows, APackedLineWithoutEndIsRefusedBeforeItFillsTheMemory) {
  const TempDir dir;
  std::string bytes;
  const std::string piece = packed(std::string(std::size_t{16} << 20, '1'), ARCHIVE_FILTER_GZIP);
  for (int i = 0; i < 64; ++i) bytes += piece;
  write_text(dir / "x.csv.gz", packed("a,b\n", ARCHIVE_FILTER_GZIP) + bytes);
  CsvRows rows(dir / "x.csv.gz");
  EXPECT_ERROR(rows.next(), "x.csv.gz:2: a row of more than");
}

}  // namespace
}  // namespace gcnh
