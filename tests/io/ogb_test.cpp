#include "gcnh/io/ogb.h"

#include <gtest/gtest.h>

#include <fstream>

#include "gcnh/io/catalog.h"
#include "tests/io/io_tools.h"
#include "tests/support/packed.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

class Ogb : public ::testing::Test {
 protected:
  Ogb() {
    put("raw/num-node-list", "3\n");
    put("raw/node-feat", "0.5,1\n-2,0\n0,3e0\n");
    put("raw/node-label", "1\n0.0\nnan\n");
    put("raw/edge", "0,1\n2,1\n");
    put("split/time/train", "0\n2\n");
    put("split/time/valid", "1\n");
    put("split/time/test", "");
  }
  void put(const std::string& name, const std::string& text) {
    write_text(folder_ / (name + ".csv.gz"), packed(text, ARCHIVE_FILTER_GZIP));
  }
  void expect_refused(const std::string& name, const std::string& text, const std::string& part) {
    const std::string file = folder_ / (name + ".csv.gz");
    const std::string before = read(file);
    put(name, text);
    EXPECT_ERROR(load_path(folder_), part);
    write_text(file, before);
  }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TempDir dir_;
  std::filesystem::path folder_ = dir_ / "arxiv";
};

TEST_F(Ogb, FoldersAreRead) {
  const Tables t = load_path(folder_);
  EXPECT_EQ(t.name, "arxiv");
  EXPECT_EQ(t.num_nodes(), 3);
  EXPECT_EQ(t.features.dense()(1, 0), Real{-2});
  EXPECT_EQ(t.labels, std::vector<int>({1, 0, -1}));
  ASSERT_EQ(t.edges.size(), 2u);
  EXPECT_EQ(t.edges[1].source, 2);
  ASSERT_EQ(t.splits.size(), 1u);
  EXPECT_EQ(t.splits[0].train, std::vector<Index>({0}));  // node 2 has no label
  EXPECT_EQ(t.splits[0].val, std::vector<Index>({1}));
}

TEST_F(Ogb, WhatIsWrongIsNamed) {
  expect_refused("raw/num-node-list", "3\n2\n", "several graphs");
  expect_refused("raw/num-node-list", "2000000000\n", "3 rows for 2000000000 nodes");
  expect_refused("raw/num-node-list", "-1\n", "'-1' is not a number of nodes");
  expect_refused("raw/num-node-list", "2\n", "node-feat.csv.gz:3: more rows than 2 nodes");
  expect_refused("raw/node-feat", "1,2\n3\n1,2\n", "node-feat.csv.gz:2: found 1 features, expected 2");
  expect_refused("raw/node-feat", "1,x\n", "feature 'x' is not a finite number");
  expect_refused("raw/node-label", "1\n0\n", "2 labels for 3 nodes");
  expect_refused("raw/node-label", "1,0\n0,1\n1,1\n", "several labels of a node");
  expect_refused("raw/node-label", "1\n0.5\n0\n", "node-label.csv.gz:2: label '0.5'");
  expect_refused("raw/edge", "0,3\n", "edge.csv.gz:1: node '3' is not an integer in 0..2");
  expect_refused("split/time/train", "1\n0\n", "node 1 is in more than one of train, val and test");
  std::filesystem::remove(folder_ / "raw/node-feat.csv.gz");
  EXPECT_ERROR(load_path(folder_), "no node-feat.csv.gz");
}

TEST_F(Ogb, EdgesMayHaveWeights) {
  put("raw/edge_weight", "0.5\n2\n");
  EXPECT_EQ(load_path(folder_).edge_weights, std::vector<Real>({0.5, 2}));
  expect_refused("raw/edge_weight", "0.5\n", "edge_weight.csv.gz: 1 weights for 2 edges");
  expect_refused("raw/edge_weight", "0.5\n0\n", "edge_weight.csv.gz:2: '0' is no weight");
  expect_refused("raw/edge_weight", "nan\n1\n", "edge_weight.csv.gz:1: 'nan' is no weight");
  expect_refused("raw/edge_weight", "1,2\n1,2\n", "edge_weight.csv.gz:1: '1,2' is no weight");
}

TEST_F(Ogb, DamagedFilesAreReadOrRefused) {
  for (const std::string name :
       {"raw/num-node-list", "raw/node-feat", "raw/node-label", "raw/edge", "split/time/train"}) {
    const std::string file = folder_ / (name + ".csv.gz"), whole = read(file);
    for_every_cut(whole, [&](const std::string& cut) {
      write_text(file, cut);
      expect_read_or_refused("arxiv", [&] { load_path(folder_); });
    });
    write_text(file, whole);
  }
}

}  // namespace
}  // namespace gcnh
