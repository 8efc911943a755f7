#include "gcnh/io/graph_files.h"

#include <gtest/gtest.h>

#include "gcnh/io/npy.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

class GraphFiles : public ::testing::Test {
 protected:
  GraphFiles() {
    put("nodes.csv", "id,label,x\nann,b,1\nbob,a,2\neve,a,0\n");
    put("edges.csv", "source,target\nann,bob\neve,bob\n");
    put("numbered.csv", "source,target\n0,1\n2,1\n");
    put("list.txt", "# c\n0 1\n2 1\n");
    put("edges.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 2\n");
    put("x.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1\n2 4 2\n");
    put("x.svm", "2 1:1\n1 4:2\n1\n");
    put("labels.txt", "b\na\n\n");
  }
  void put(const std::string& name, const std::string& text) { write_text(dir_ / name, text); }
  Tables read(const std::string& nodes, const std::string& edges, const std::string& labels = "") {
    CsvSource from;
    from.nodes = dir_ / nodes;
    from.edges = dir_ / edges;
    if (!labels.empty()) from.labels = dir_ / labels;
    return read_graph_files(from);
  }
  void expect_edges(const Tables& t) {
    ASSERT_EQ(t.edges.size(), 2u);
    EXPECT_EQ(t.edges[0].source, 0);
    EXPECT_EQ(t.edges[0].target, 1);
    EXPECT_EQ(t.edges[1].source, 2);
    EXPECT_EQ(t.edges[1].target, 1);
  }

  TempDir dir_;
};

TEST_F(GraphFiles, KindsGoTogether) {
  expect_edges(read("nodes.csv", "edges.csv"));
  expect_edges(read("nodes.csv", "edges.mtx"));
  for (const char* edges : {"numbered.csv", "list.txt", "edges.mtx"}) {
    SCOPED_TRACE(edges);
    expect_edges(read("x.svm", edges));
    expect_edges(read("x.mtx", edges, "labels.txt"));
  }
  EXPECT_EQ(read("nodes.csv", "edges.mtx").ids[1], "bob");
}

TEST_F(GraphFiles, SparseFeaturesStaySparse) {
  for (const Tables& t : {read("x.svm", "edges.mtx"), read("x.mtx", "edges.mtx", "labels.txt")}) {
    EXPECT_EQ(t.features.cols(), 4);
    EXPECT_EQ(t.features.sparse().indices, std::vector<Index>({0, 3}));
    EXPECT_EQ(t.features.sparse().values, std::vector<Real>({1, 2}));
  }
}

TEST_F(GraphFiles, LabelsComeFromTheFileOrFromTheirOwn) {
  EXPECT_EQ(read("x.svm", "edges.mtx").labels, std::vector<int>({1, 0, 0}));
  put("na.txt", "b\na\nNA\n");  // as in a table
  EXPECT_EQ(read("x.mtx", "edges.mtx", "na.txt").labels, std::vector<int>({1, 0, -1}));
  const Tables t = read("x.mtx", "edges.mtx", "labels.txt");
  EXPECT_EQ(t.labels, std::vector<int>({1, 0, -1}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"a", "b"}));
  const std::vector<std::int64_t> numbers = {10, 9, -1};
  put("labels.npy", format_npy(make_npy(std::span<const std::int64_t>(numbers), {3})));
  EXPECT_EQ(read("x.mtx", "edges.mtx", "labels.npy").labels, std::vector<int>({1, 0, -1}));
  EXPECT_EQ(read("x.mtx", "edges.mtx", "labels.npy").classes, std::vector<std::string>({"9", "10"}));
}

TEST_F(GraphFiles, AMarkBeforeTheTextIsPassedOver) {
  put("marked.mtx", "\xEF\xBB\xBF%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1\n2 4 2\n");
  EXPECT_EQ(read("marked.mtx", "edges.mtx", "labels.txt").features.cols(), 4);
}

// Numbers that are alike in single precision.
TEST_F(GraphFiles, DigitsThatAreLostAreNoted) {
  const std::vector<double> x = {1, 1700000000001, 0.1, 2, 1700000000002, 0.2, 3, 1700000000003, 0.3};
  const std::vector<std::int64_t> whole = {1, 1700000000001, 2, 1700000000002, 3, 1700000000003};
  put("x.npy", format_npy(make_npy(std::span<const double>(x), {3, 3})));
  put("whole.npy", format_npy(make_npy(std::span<const std::int64_t>(whole), {3, 2})));
  put("t.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 1700000000001\n2 2 1700000000002\n");
  put("t.svm", "2 2:1700000000001\n1 2:1700000000002\n1\n");
  for (const char* nodes : {"x.npy", "whole.npy", "t.mtx", "t.svm"}) {
    SCOPED_TRACE(nodes);
    const Tables t = read(nodes, "edges.mtx", nodes == std::string("t.svm") ? "" : "labels.txt");
    ASSERT_EQ(t.notes.size(), 1u);
    EXPECT_NE(t.notes[0].find("column 2: its numbers differ in digits that"), std::string::npos) << t.notes[0];
  }
}

TEST_F(GraphFiles, DenseArraysAreFeatures) {
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  put("x.npy", format_npy(make_npy(std::span<const float>(x), {3, 2})));
  EXPECT_EQ(read("x.npy", "list.txt", "labels.txt").features.dense()(2, 1), Real{6});
}

TEST_F(GraphFiles, WhatIsWrongIsNamed) {
  EXPECT_ERROR(read("x.mtx", "edges.mtx"), "x.mtx has no labels; `labels` names a file with one per line");
  EXPECT_ERROR(read("nodes.csv", "edges.csv", "labels.txt"), "has a column 'label', too; leave `labels` out");
  EXPECT_ERROR(read("nodes.csv", "x.mtx"), "x.mtx: 3 by 4; the edges of 3 nodes are a matrix of 3 by 3");
  put("short.txt", "a\n");
  EXPECT_ERROR(read("x.mtx", "edges.mtx", "short.txt"), "short.txt: 1 labels for 3 nodes");
  put("far.txt", "0 3\n");
  EXPECT_ERROR(read("x.svm", "far.txt"), "far.txt:1: node '3' is not in x.svm");
  CsvSource both;
  both.nodes = both.edges = "-";
  EXPECT_ERROR(read_graph_files(both), "`nodes` and `edges` cannot both be standard input");
}

TEST_F(GraphFiles, PredictionNeedsNoLabels) {
  CsvSource from;
  from.nodes = dir_ / "x.mtx";
  from.edges = dir_ / "edges.mtx";
  from.label_required = false;
  EXPECT_EQ(read_graph_files(from).labels, std::vector<int>({-1, -1, -1}));
}

}  // namespace
}  // namespace gcnh
