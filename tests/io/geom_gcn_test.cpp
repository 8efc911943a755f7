#include "gcnh/io/geom_gcn.h"

#include <gtest/gtest.h>

#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

const std::string kHeader = "node_id\tfeature\tlabel\n";
const std::string kGeomNodes = kHeader + "0\t0,1,0,0,0,0,1\t2\n1\t0,0,0,0,0,0,0\t0\n2\t1,0,0,0,0,0,0\t0\n";
const std::string kGeomEdges = "node_id\tnode_id\n0\t1\n1\t0\n2\t2\n0\t1\n";

class GeomGcnTest : public ::testing::Test {
 protected:
  Tables read(const std::string& nodes, const std::string& edges = kGeomEdges) {
    write_text(dir_ / "out1_node_feature_label.txt", nodes);
    write_text(dir_ / "out1_graph_edges.txt", edges);
    return read_geom_gcn(dir_.path(), "toy");
  }
  TempDir dir_;
};

TEST_F(GeomGcnTest, ReadsDenseRowsSparsely) {
  const Tables t = read(kGeomNodes);
  EXPECT_EQ(t.name, "toy");
  EXPECT_TRUE(t.features.is_sparse());
  EXPECT_EQ(t.features.rows(), 3);
  EXPECT_EQ(t.features.cols(), 7);
  EXPECT_EQ(t.features.sparse().offsets, std::vector<Offset>({0, 2, 2, 3}));
  EXPECT_EQ(t.features.sparse().indices, std::vector<Index>({1, 6, 0}));
  EXPECT_TRUE(t.features.sparse().values.empty());
  EXPECT_EQ(t.labels, std::vector<int>({2, 0, 0}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"0", "1", "2"}));
  EXPECT_TRUE(t.file_order.empty());
  EXPECT_TRUE(t.ids.empty());
  ASSERT_EQ(t.edges.size(), 4u);  // direction, loops and repeats as written
  EXPECT_EQ(t.edges[2].source, 2);
  EXPECT_EQ(t.edges[2].target, 2);
}

TEST_F(GeomGcnTest, HeadersLineEndsAndByteOrderMarkAreOptional) {
  const Tables plain = read(kGeomNodes);
  const auto same = [&](const Tables& t) {
    return t.features.sparse().indices == plain.features.sparse().indices && t.labels == plain.labels &&
           t.edges.size() == 4;
  };
  EXPECT_TRUE(same(read(kGeomNodes.substr(kHeader.size()), kGeomEdges.substr(16))));
  EXPECT_TRUE(same(read("\xEF\xBB\xBF" + kGeomNodes.substr(kHeader.size()), "\xEF\xBB\xBF" + kGeomEdges.substr(16))));
  EXPECT_TRUE(same(read(kGeomNodes.substr(0, kGeomNodes.size() - 1), kGeomEdges.substr(0, kGeomEdges.size() - 1))));
  const auto crlf = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
    return text;
  };
  EXPECT_TRUE(same(read(crlf(kGeomNodes) + "\r\n\n", crlf(kGeomEdges) + "\n")));
}

TEST_F(GeomGcnTest, RowsGoToTheirIds) {
  const Tables t = read(kHeader + "1\t0,0,1\t1\n0\t1,0,0\t0\n2\t0,1,0\t2\n");
  EXPECT_EQ(t.labels, std::vector<int>({0, 1, 2}));
  EXPECT_EQ(t.features.sparse().indices, std::vector<Index>({0, 2, 1}));
  EXPECT_EQ(t.file_order, std::vector<Index>({1, 0, 2}));
}

TEST_F(GeomGcnTest, IndexListsWhenTheHeaderSaysSo) {
  const std::string rows = "2\t5,3,5\t0\n0\t\t1\n1\t0\t1\n";
  for (const std::string& header : {std::string("node_id\tfeature(feature_amount:5)\tlabel\n"), std::string()}) {
    const Tables t = read(header + rows);
    EXPECT_EQ(t.features.cols(), 6);
    EXPECT_EQ(t.features.sparse().offsets, std::vector<Offset>({0, 0, 1, 3}));
    EXPECT_EQ(t.features.sparse().indices, std::vector<Index>({0, 3, 5}));
    EXPECT_EQ(t.file_order, std::vector<Index>({2, 0, 1}));
  }
}

TEST_F(GeomGcnTest, RaggedDenseRowsAreNeverTakenForLists) {
  const std::string rows = "0\t0,1,0\t0\n1\t0,1\t0\n2\t0,1,1\t0\n";
  EXPECT_ERROR(read(kHeader + rows), "out1_node_feature_label.txt:3: found 2 features, expected 3");
  EXPECT_ERROR(read(rows), "out1_node_feature_label.txt:2: found 2 features, expected 3");
  EXPECT_ERROR(read(kHeader + "0\t5,3\t0\n1\t2\t0\n2\t7\t0\n"), ":3: found 1 feature, expected 2");
}

TEST_F(GeomGcnTest, OtherNumbersKeepTheirValues) {
  const Tables sparse = read(kHeader + "0\t0,0.5,0,0\t0\n1\t0,0,0,-2e1\t0\n2\t0,0,1,0\t0\n");
  EXPECT_TRUE(sparse.features.is_sparse());
  EXPECT_EQ(sparse.features.sparse().values, std::vector<Real>({0.5f, -20, 1}));
  const Tables dense = read(kHeader + "0\t0.5,1\t0\n1\t0.25,0\t0\n2\t3,4\t0\n");
  EXPECT_FALSE(dense.features.is_sparse());
  EXPECT_EQ(dense.features.dense()(1, 0), Real{0.25f});
  EXPECT_EQ(dense.features.dense()(1, 1), Real{0});
  EXPECT_TRUE(read(kHeader + "0\t1,1\t0\n1\t1,1\t0\n2\t1,1\t0\n").features.is_sparse());  // 0 and 1 only
}

TEST_F(GeomGcnTest, WrongIdsAreErrors) {
  EXPECT_ERROR(read(kHeader + "0\t1\t0\n1\t1\t0\n1\t1\t0\n"), "label.txt:4: node id 1 appears again; first in line 3");
  EXPECT_ERROR(read(kHeader + "0\t1\t0\n1\t1\t0\n3\t1\t0\n"), "label.txt:4: node id 3 outside 0..2");
  EXPECT_ERROR(read(kHeader + "-1\t1\t0\n"), "label.txt:2: node id -1 outside 0..0");
  EXPECT_ERROR(read(kHeader + "x\t1\t0\n"), "label.txt:2: 'x' is not a node id");
  EXPECT_ERROR(read(kHeader + "99999999999\t1\t0\n"), "'99999999999' is not a node id");
  EXPECT_ERROR(read(kHeader + " 0\t1\t0\n"), "' 0' is not a node id");
}

TEST_F(GeomGcnTest, WrongLabelsAreErrors) {
  EXPECT_ERROR(read(kHeader + "0\t1,0\n"), "label.txt:2: found 2 tab-separated fields, expected 3");
  EXPECT_ERROR(read(kHeader + "0\t1,0\t\n"), "label.txt:2: label '' is not an integer in 0..999999");
  EXPECT_ERROR(read(kHeader + "0\t1,0\t1.5\n"), "label '1.5' is not an integer");
  EXPECT_ERROR(read(kHeader + "0\t1,0\t-1\n"), "label '-1' is not an integer");
  EXPECT_ERROR(read(kHeader + "0\t1,0\t2147483648\n"), "label '2147483648' is not an integer");
  EXPECT_ERROR(read(kHeader + "0\t1,0\t1\t9\n"), "found 4 tab-separated fields");
}

TEST_F(GeomGcnTest, WrongFeaturesAreErrors) {
  for (const char* cell : {"nan", "inf", "-inf", "x", "", "1x", "0x1", "1e999", " 1", "NaN"}) {
    EXPECT_ERROR(read(kHeader + "0\t0," + cell + ",0\t0\n"),
                 "label.txt:2: feature 1: '" + std::string(cell) + "' is not a finite number");
  }
  EXPECT_ERROR(read(kHeader + "0\t0,0,0,0,0,0,0,0,0,\t0\n"), "feature 9: '' is not a finite number");
  EXPECT_ERROR(read(kHeader + "0\t\t0\n"), "feature 0: '' is not a finite number");
  const std::string lists = "node_id\tfeature(feature_amount:9)\tlabel\n";
  for (const char* cell : {"-1", "1.5", "x", "1,,2", "2147483647", "99999999999"})
    EXPECT_ERROR(read(lists + "0\t" + cell + "\t0\n"), "label.txt:2: feature index '");
}

TEST_F(GeomGcnTest, WrongEdgesAreErrors) {
  EXPECT_ERROR(read(kGeomNodes, "0\t1\n0\t3\n"), "out1_graph_edges.txt:2: node id 3 outside 0..2");
  EXPECT_ERROR(read(kGeomNodes, "0\t1\n-1\t1\n"), "edges.txt:2: node id -1 outside 0..2");
  EXPECT_ERROR(read(kGeomNodes, "4294967296\t1\n"), "edges.txt:1: node id 4294967296 outside 0..2");
  EXPECT_ERROR(read(kGeomNodes, "0\t1\n0\n"), "edges.txt:2: '' is not a node id");
  EXPECT_ERROR(read(kGeomNodes, "0\t1\n0\t\n"), "edges.txt:2: '' is not a node id");
  EXPECT_ERROR(read(kGeomNodes, "0 1\n"), "edges.txt:1: '0 1' is not a node id; expected 'source<TAB>target'");
  EXPECT_ERROR(read(kGeomNodes, "0\t1\t2\n"), "edges.txt:1: '1?2' is not a node id");
  EXPECT_ERROR(read(kGeomNodes, "0\t1\nnode_id\tnode_id\n"), "edges.txt:2: 'node_id' is not a node id");
  EXPECT_ERROR(read(kGeomNodes, ""), "out1_graph_edges.txt: no edges");
  EXPECT_ERROR(read(kGeomNodes, "node_id\tnode_id\n"), "out1_graph_edges.txt: no edges");
}

TEST_F(GeomGcnTest, EmptyOrMissingFilesAreErrors) {
  EXPECT_ERROR(read(""), "out1_node_feature_label.txt: the file is empty");
  EXPECT_ERROR(read(kHeader), "out1_node_feature_label.txt: no nodes");
  EXPECT_ERROR(read(std::string("\0\0\0", 3)), "out1_node_feature_label.txt:1: ");
  std::filesystem::remove(dir_ / "out1_graph_edges.txt");
  write_text(dir_ / "out1_node_feature_label.txt", kGeomNodes);
  EXPECT_EQ(status_of([&] { read_geom_gcn(dir_.path(), "toy"); }), Status::io);
}

TEST_F(GeomGcnTest, VeryLongLineIsRefused) {
  EXPECT_ERROR(read(kHeader + std::string(17 << 20, '0')), "label.txt:2: a line of more than 16777216 bytes");
}

TEST_F(GeomGcnTest, CutAndDamagedFilesAreReadOrRefused) {
  const std::string lists = "node_id\tfeature(feature_amount:9)\tlabel\n2\t5,3,5\t0\n0\t\t1\n1\t0\t1\n";
  for (const std::string& nodes : {kGeomNodes, lists, kGeomNodes.substr(kHeader.size())}) {
    for_every_cut(nodes,
                  [&](const std::string& text) { expect_read_or_refused(dir_.path().string(), [&] { read(text); }); });
    for_every_flip(nodes, 0, nodes.size(),
                   [&](const std::string& text) { expect_read_or_refused(dir_.path().string(), [&] { read(text); }); });
  }
  for_every_cut(kGeomEdges, [&](const std::string& text) {
    expect_read_or_refused(dir_.path().string(), [&] { read(kGeomNodes, text); });
  });
  for_every_flip(kGeomEdges, 0, kGeomEdges.size(), [&](const std::string& text) {
    expect_read_or_refused(dir_.path().string(), [&] { read(kGeomNodes, text); });
  });
}

}  // namespace
}  // namespace gcnh
