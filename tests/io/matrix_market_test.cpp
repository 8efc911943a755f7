#include <gtest/gtest.h>

#include <array>

#include "gcnh/io/matrix_file.h"
#include "tests/io/io_tools.h"
#include "tests/support/packed.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

class MatrixMarket : public ::testing::Test {
 protected:
  MatrixFile read(const std::string& text) {
    write_text(path_, text);
    return read_matrix_market(path_);
  }
  void expect_refused(const std::string& text, const std::string& part) { EXPECT_ERROR(read(text), part); }

  TempDir dir_;
  std::string path_ = dir_ / "a.mtx";
};

std::vector<std::array<double, 3>> entries_of(const MatrixFile& m) {
  std::vector<std::array<double, 3>> out;
  for (const Triple& t : m.entries)
    out.push_back({static_cast<double>(t.row), static_cast<double>(t.col), static_cast<double>(t.value)});
  return out;
}

using Entries = std::vector<std::array<double, 3>>;

TEST_F(MatrixMarket, IsReadInAllItsForms) {
  const MatrixFile real =
      read("%%MatrixMarket matrix coordinate real general\n% a comment\n%\n\n2 3 2\n1 3 1.5E+00\r\n2\t1  -2\n");
  EXPECT_EQ(real.rows, 2);
  EXPECT_EQ(real.cols, 3);
  EXPECT_EQ(entries_of(real), (Entries{{0, 2, 1.5}, {1, 0, -2}}));
  EXPECT_EQ(entries_of(read("%%MatrixMarket MATRIX Coordinate Pattern General\n2 2 1\n1 2\n")), (Entries{{0, 1, 1}}));
  EXPECT_EQ(entries_of(read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 7\n")),
            (Entries{{0, 0, 5}, {1, 0, 7}, {0, 1, 7}}));
  write_text(path_, packed("%%MatrixMarket matrix coordinate pattern general\n1 1 0\n", ARCHIVE_FILTER_GZIP));
  EXPECT_EQ(kind_of_file(path_), FileKind::matrix_market);
  EXPECT_TRUE(read_matrix_market(path_).entries.empty());
}

TEST_F(MatrixMarket, WhatIsWrongIsNamedWithItsLine) {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  expect_refused("%%MatrixMarket matrix array real general\n",
                 "a.mtx:1: a 'matrix array'; read are: matrix coordinate");
  expect_refused("%%MatrixMarket matrix coordinate complex general\n", "entries of type 'complex'");
  expect_refused("%%MatrixMarket matrix coordinate real hermitian\n", "a 'hermitian' matrix");
  expect_refused("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "2 by 3 cannot be symmetric");
  expect_refused(banner, "no line with the numbers of rows");
  expect_refused(banner + "2 2\n", "a.mtx:2: the number of entries is ''");
  expect_refused(banner + "-1 2 0\n", "the number of rows is '-1'");
  expect_refused(banner + "9999999999 2 0\n", "9999999999 rows; allowed");
  expect_refused(banner + "2 2 1\n0 1 1\n", "a.mtx:3: row '0' is not an integer in 1..2");
  expect_refused(banner + "2 2 1\n1 3 1\n", "column '3' is not an integer in 1..2");
  expect_refused(banner + "2 2 1\n1 1 nan\n", "value 'nan' is not a finite number");
  expect_refused(banner + "2 2 1\n1 1 1e300\n", "value '1e300' is not a finite number");
  expect_refused(banner + "2 2 1\n1 1 1 1\n", "'1' after the end of the entry");
  expect_refused(banner + "2 2 1\n1 1 1\n2 2 1\n", "a.mtx:4: more entries than the 1");
  expect_refused(banner + "2 2 9000000000000000000\n1 1 1\n",
                 "1 entry of 9000000000000000000 declared; was the file cut");
}

TEST_F(MatrixMarket, DamagedFilesAreReadOrRefused) {
  const std::string text = "%%MatrixMarket matrix coordinate real symmetric\n% x\n3 3 2\n2 1 1.5\n3 3 2\n";
  const auto check = [&](const std::string& damaged) { expect_read_or_refused("a.mtx", [&] { read(damaged); }); };
  for_every_cut(text, check);
  for_every_flip(text, 0, text.size(), check);
}

TEST_F(MatrixMarket, RowsThatNothingIsInAreNotBelieved) {
  const MatrixFile huge = read("%%MatrixMarket matrix coordinate pattern general\n2000000000 2 1\n1 1\n");
  EXPECT_ERROR(matrix_features(huge), "a.mtx: 2000000000 rows, but 1 entries");
  Tables three;
  three.features = Matrix(3, 1);
  EXPECT_ERROR(take_matrix_edges(huge, false, three),
               "a.mtx: 2000000000 by 2; the edges of 3 nodes are a matrix of 3 by 3");
}

}  // namespace
}  // namespace gcnh
