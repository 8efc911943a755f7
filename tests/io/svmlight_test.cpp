#include "gcnh/io/svmlight.h"

#include <gtest/gtest.h>

#include "gcnh/io/file_kind.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

class Svmlight : public ::testing::Test {
 protected:
  LabelledRows read(const std::string& text) {
    write_text(path_, text);
    return read_svmlight(path_);
  }

  TempDir dir_;
  std::string path_ = dir_ / "a.svm";
};

TEST_F(Svmlight, LabelsAndColumnsAreRead) {
  const LabelledRows rows = read("# a comment\n+1 qid:3 1:0.5 4:-2e1 # why\n\n-1\n1.0\t2:1 9:0\r\n");
  EXPECT_EQ(rows.labels, std::vector<std::string>({"1", "-1", "1"}));
  const Csr& x = rows.features.sparse();
  EXPECT_EQ(x.rows, 3);
  EXPECT_EQ(x.cols, 9);
  EXPECT_EQ(x.offsets, std::vector<Offset>({0, 2, 2, 3}));
  EXPECT_EQ(x.indices, std::vector<Index>({0, 3, 1}));
  EXPECT_EQ(x.values, std::vector<Real>({0.5, -20, 1}));
  EXPECT_EQ(kind_of_file(path_), FileKind::svmlight);
}

TEST_F(Svmlight, FirstNodesMayHaveNoFeatures) {
  for (const char* text : {"0\n1 1:2\n0 1:1\n",
                           "\xEF\xBB\xBF"
                           "0 1:2\n",
                           "# why\n+1\r\n-1\r\n1 1:2\r\n"}) {
    EXPECT_EQ(read(text).features.cols(), 1);
    EXPECT_EQ(kind_of_file(path_), FileKind::svmlight) << text;
  }
  write_text(path_, "0\n1\n");
  EXPECT_EQ(kind_of_file(path_), FileKind::table);
}

TEST_F(Svmlight, AColumnZeroMeansThatTheyCountFromZero) {
  EXPECT_EQ(read("0 3:1\n1 0:2\n").features.sparse().indices, std::vector<Index>({3, 0}));
  EXPECT_EQ(read("0 10:1\n1 20:2\n").features.cols(), 20);
}

TEST_F(Svmlight, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_ERROR(read(""), "a.svm: no nodes");
  EXPECT_ERROR(read("1 1:1\n0.5 1:1\n"), "a.svm:2: label '0.5' is not an integer");
  EXPECT_ERROR(read("1,2 1:1\n"), "a.svm:1: label '1,2' is not an integer: classes are numbers here, one per node");
  EXPECT_ERROR(read("1 x\n"), "'x' is not of the form column:value");
  EXPECT_ERROR(read("1 -1:2\n"), "column '-1' is not an integer");
  EXPECT_ERROR(read("1 99999999999:2\n"), "column '99999999999' is not an integer");
  EXPECT_ERROR(read("1 2:1 2:1\n"), "column 2 after column 2; columns ascend");
  EXPECT_ERROR(read("1 2:inf\n"), "column 2: 'inf' is not a finite number");
}

TEST_F(Svmlight, DamagedFilesAreReadOrRefused) {
  const std::string text = "1 1:0.5 4:-2\n-1 qid:1 2:1 # c\n";
  const auto check = [&](const std::string& damaged) { expect_read_or_refused("a.svm", [&] { read(damaged); }); };
  for_every_cut(text, check);
  for_every_flip(text, 0, text.size(), check);
}

TEST_F(Svmlight, OtherTextIsNone) {
  for (const char* line : {"", "id,label", "1 2", "0:1", "a 1:2", "1 a:2", "12:30 13:40", "# 1 1:1"})
    EXPECT_FALSE(is_svmlight(line)) << line;
}

TEST_F(Svmlight, ColumnZeroHoweverItIsWritten) {
  const Features x = read("1 00:2 2:1\n0 1:1\n").features;
  EXPECT_EQ(x.cols(), 3);
  const Matrix all = x.is_sparse() ? filled(x.sparse()) : x.dense();
  EXPECT_EQ(all(0, 0), Real{2});
}

}  // namespace
}  // namespace gcnh
