#include "gcnh/io/planetoid.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/io/io_tools.h"
#include "tests/io/pickle_writer.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

// Nodes 0, 1 from allx; test ids 5, 2, 3 in file order; node 4 is in no file.
class PlanetoidTest : public ::testing::Test {
 protected:
  PlanetoidTest() {
    put("allx", pickled::matrix(2, 4, {0, 1, 2}, {0, 1}, {1, 1}));
    put("ally", pickled::ints({2, 3}, {1, 0, 0, 0, 1, 0}));
    put("tx", pickled::matrix(3, 4, {0, 1, 2, 4}, {2, 3, 0, 3}, {1, 1, 1, 1}));
    put("ty", pickled::ints({3, 3}, {0, 0, 1, 0, 1, 0, 1, 0, 0}));
    put("graph", pickled::graph({{0, {1, 1}}, {1, {0, 0}}, {2, {}}, {3, {5}}, {4, {4}}, {5, {3}}}));
    write_text(dir_ / "ind.toy.test.index", "5\n2\n3\n");
  }
  void put(const std::string& part, const std::string& body) {
    write_text(dir_ / ("ind.toy." + part), pickled::file(body));
  }
  Tables read() { return read_planetoid(dir_.path(), "toy"); }

  TempDir dir_;
};

TEST_F(PlanetoidTest, TestRowsGoToTheirNodes) {
  const Tables t = read();
  EXPECT_EQ(t.name, "toy");
  EXPECT_EQ(t.num_nodes(), 6);
  EXPECT_EQ(t.features.cols(), 4);
  EXPECT_EQ(t.labels, std::vector<int>({0, 1, 1, 0, -1, 2}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"0", "1", "2"}));
  EXPECT_EQ(t.features.sparse().offsets, std::vector<Offset>({0, 1, 2, 3, 5, 5, 6}));
  EXPECT_EQ(t.features.sparse().indices, std::vector<Index>({0, 1, 3, 0, 3, 2}));
  EXPECT_TRUE(t.features.sparse().values.empty());
}

TEST_F(PlanetoidTest, EveryListEntryIsAnEdge) {
  const Tables t = read();
  ASSERT_EQ(t.edges.size(), 7u);  // repeats and loops included
  EXPECT_EQ(t.edges[1].source, 0);
  EXPECT_EQ(t.edges[1].target, 1);
}

TEST_F(PlanetoidTest, WrongTestIdsAreErrors) {
  write_text(dir_ / "ind.toy.test.index", "5\n2\n2\n");
  EXPECT_ERROR(read(), "test id 2 appears twice");
  write_text(dir_ / "ind.toy.test.index", "5\n2\n");
  EXPECT_ERROR(read(), "2 test ids for 3 test rows");
  write_text(dir_ / "ind.toy.test.index", "5\n1\n3\n");
  EXPECT_ERROR(read(), "the smallest test id is 1; expected 2");
  write_text(dir_ / "ind.toy.test.index", "5\nx\n3\n");
  EXPECT_ERROR(read(), "ind.toy.test.index:2: 'x' is not a node id");
  write_text(dir_ / "ind.toy.test.index", "2147483645\n2\n3\n");
  EXPECT_ERROR(read(), "ind.toy.graph: 6 nodes; expected 2147483646");
  write_text(dir_ / "ind.toy.test.index", "");
  EXPECT_ERROR(read(), "no test ids");
}

TEST_F(PlanetoidTest, WrongPartsAreErrors) {
  put("ty", pickled::ints({3, 2}, {0, 1, 0, 1, 1, 0}));
  EXPECT_ERROR(read(), "ind.toy.ty: 2 classes; ally has 3");
  put("ty", pickled::ints({2, 3}, {0, 0, 1, 0, 1, 0}));
  EXPECT_ERROR(read(), "ind.toy.ty: shape (2, 3); expected (3, classes)");
  put("ty", pickled::ints({3, 3}, {0, 1, 1, 0, 1, 0, 1, 0, 0}));
  EXPECT_ERROR(read(), "ind.toy.ty: row 0 is not one-hot");
  put("tx", pickled::matrix(3, 5, {0, 0, 0, 0}, {}, {}));
  EXPECT_ERROR(read(), "ind.toy.tx: 5 columns; allx has 4");
  put("allx", "N");
  EXPECT_ERROR(read(), "ind.toy.allx: expected a scipy csr_matrix");
}

TEST_F(PlanetoidTest, WrongGraphsAreErrors) {
  put("graph", pickled::graph({{0, {6}}, {1, {}}, {2, {}}, {3, {}}, {4, {}}, {5, {}}}));
  EXPECT_ERROR(read(), "ind.toy.graph: node id 6 outside 0..5");
  put("graph", pickled::graph({{0, {}}, {0, {}}, {2, {}}, {3, {}}, {4, {}}, {5, {}}}));
  EXPECT_ERROR(read(), "ind.toy.graph: node 0 appears twice");
  put("graph", pickled::graph({{0, {}}}));
  EXPECT_ERROR(read(), "ind.toy.graph: 1 node; expected 6");
  put("graph", "}(" + pickled::number(0) + "N" + "u");
  EXPECT_ERROR(read(), "1 node; expected 6");
  put("graph", "N");
  EXPECT_ERROR(read(), "expected a dictionary");
}

TEST_F(PlanetoidTest, MissingPartIsAnIoError) {
  std::filesystem::remove(dir_ / "ind.toy.ally");
  EXPECT_EQ(status_of([&] { read(); }), Status::io);
  EXPECT_ERROR(read(), "ind.toy.ally': No such file");
}

std::size_t distinct(const std::vector<Edge>& edges) {
  std::set<std::pair<Index, Index>> out;
  for (Edge e : edges) out.insert({e.source, e.target});
  return out.size();
}

std::vector<int> class_counts(const Tables& t) {
  std::vector<int> out(t.classes.size());
  for (int label : t.labels)
    if (label >= 0) ++out[label];
  return out;
}

TEST(PlanetoidData, Cora) {
  SKIP_WITHOUT_DATA(data);
  const Tables t = read_planetoid(data / "planetoid", "cora");
  EXPECT_EQ(t.num_nodes(), 2708);
  EXPECT_EQ(t.features.cols(), 1433);
  EXPECT_EQ(t.features.sparse().nnz(), 49216);
  EXPECT_EQ(t.edges.size(), 10858u);
  EXPECT_EQ(distinct(t.edges), 10556u);
  EXPECT_EQ(class_counts(t), std::vector<int>({351, 217, 418, 818, 426, 298, 180}));
}

TEST(PlanetoidData, Citeseer) {
  SKIP_WITHOUT_DATA(data);
  const Tables t = read_planetoid(data / "planetoid", "citeseer");
  EXPECT_EQ(t.num_nodes(), 3327);
  EXPECT_EQ(t.features.cols(), 3703);
  EXPECT_EQ(t.features.sparse().nnz(), 105165);
  EXPECT_EQ(distinct(t.edges), 9228u);
  EXPECT_EQ(class_counts(t), std::vector<int>({249, 590, 668, 701, 596, 508}));
  std::vector<Index> unlabelled;
  for (Index v = 0; v < t.num_nodes(); ++v) {
    if (t.labels[v] >= 0) continue;
    unlabelled.push_back(v);
    EXPECT_TRUE(t.features.sparse().row(v).empty());
  }
  EXPECT_EQ(unlabelled, std::vector<Index>({2407, 2489, 2553, 2682, 2781, 2953, 3042, 3063, 3212, 3214, 3250, 3292,
                                            3305, 3306, 3309}));
}

}  // namespace
}  // namespace gcnh
