#include "gcnh/io/split_table.h"

#include <gtest/gtest.h>

#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

class SplitTable : public ::testing::Test {
 protected:
  SplitTable() {
    tables_.name = "four";
    tables_.features = Matrix(4, 1, 1);
    tables_.labels = {0, 1, -1, 0};
    tables_.classes = {"x", "y"};
    tables_.ids = {"a", "b, c", "d", "e"};
  }
  std::vector<Split> read(const std::string& text, const std::string& id = "id") {
    write_text(path_, text);
    return read_splits(path_, id, tables_);
  }
  TempDir dir_;
  std::string path_ = dir_ / "splits.csv";
  Tables tables_;
};

TEST_F(SplitTable, WhatIsWrittenIsRead) {
  tables_.splits = {{{0}, {1}, {3}}, {{1, 3}, {0}, {}}};
  const Dataset d = make_dataset(tables_);
  EXPECT_EQ(splits_csv(d.splits, d.num_nodes(), d.ids),
            "id,split_0,split_1\na,train,val\n\"b, c\",val,train\nd,,\ne,test,train\n");
  const std::vector<Split> found = read(splits_csv(d.splits, d.num_nodes(), d.ids));
  ASSERT_EQ(found.size(), 2u);
  for (int s : {0, 1}) {
    EXPECT_EQ(found[s].train, tables_.splits[s].train);
    EXPECT_EQ(found[s].val, tables_.splits[s].val);
    EXPECT_EQ(found[s].test, tables_.splits[s].test);
  }
}

TEST_F(SplitTable, RowsAndColumnsStandInAnyOrder) {
  const std::vector<Split> found = read("one,node,two\ntest,e,train\ntrain,a,\nval,d,val\n", "node");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].train, std::vector<Index>({0}));
  EXPECT_EQ(found[0].test, std::vector<Index>({3}));
  EXPECT_TRUE(found[0].val.empty());  // d has no label to score
  EXPECT_EQ(found[1].train, std::vector<Index>({3}));
}

TEST_F(SplitTable, WithoutIdsNodesGoByNumber) {
  tables_.ids = {};
  EXPECT_EQ(read("id,s\n3,train\n1,val\n")[0].train, std::vector<Index>({3}));
  EXPECT_ERROR(read("id,s\n4,train\n"), "splits.csv:2: node '4' is not in four");
}

TEST_F(SplitTable, WhatDoesNotFitIsNamed) {
  EXPECT_ERROR(read("id,s\na,train\nq,val\n"), "splits.csv:3: node 'q' is not in four");
  EXPECT_ERROR(read("id,s\na,train\ne,valid\n"), "splits.csv:3: column 's': split 'valid'; allowed: train, val, test");
  EXPECT_ERROR(read("id,s\na,train\ne,val\na,test\n"), "splits.csv:4: node 'a' appears again; first in line 2");
  EXPECT_ERROR(read("id,s,t\na,train,val\ne,val,test\n"), "splits.csv: column 't' has no 'train' row with a label");
  EXPECT_ERROR(read("id\na\n"), "splits.csv: no column but 'id'; every other one is a split");
  EXPECT_ERROR(read("node,s\na,train\n"), "splits.csv: no column 'id'; columns: node s; `id` names another");
}

TEST_F(SplitTable, DamagedFilesAreReadOrRefused) {
  const std::string text = "id,one,two\na,train,val\n\"b, c\",val,train\ne,test,train\n";
  for_every_cut(text,
                [&](const std::string& damaged) { expect_read_or_refused("splits.csv", [&] { read(damaged); }); });
  for_every_flip(text, 0, text.size(),
                 [&](const std::string& damaged) { expect_read_or_refused("splits.csv", [&] { read(damaged); }); });
}

}  // namespace
}  // namespace gcnh
