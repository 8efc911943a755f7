#include "gcnh/io/npz_graph.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/io/npz.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

using Members = std::vector<std::pair<std::string, NpyArray>>;

template <class T>
NpyArray array(std::vector<T> values, std::vector<std::int64_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  return make_npy(std::span<const T>(values), shape);
}
NpyArray integers(std::vector<std::int64_t> values) { return array<std::int64_t>(std::move(values)); }

Members nettack() {
  return {{"adj_data", array<float>({1, 1, 1})},   {"adj_indices", integers({1, 1, 0})},
          {"adj_indptr", integers({0, 2, 3, 3})},  {"adj_shape", integers({3, 3})},
          {"attr_data", array<float>({1, 1})},     {"attr_indices", integers({3, 0})},
          {"attr_indptr", integers({0, 1, 1, 2})}, {"attr_shape", integers({3, 4})},
          {"labels", integers({1, -1, 0})}};
}

Members heterophilous() {
  return {{"node_features", array<float>({0, 0, 1, 0, 0, 0.5f}, {2, 3})},
          {"node_labels", integers({1, 0})},
          {"edges", array<std::int64_t>({0, 1, 1, 1}, {2, 2})},
          {"train_masks", array<std::uint8_t>({1, 0, 0, 1}, {2, 2})},
          {"val_masks", array<std::uint8_t>({0, 1, 0, 0}, {2, 2})},
          {"test_masks", array<std::uint8_t>({0, 0, 1, 0}, {2, 2})}};
}

Members with(Members members, const std::string& name, const NpyArray& value) {
  for (auto& [member, current] : members)
    if (member == name) current = value;
  return members;
}

class NpzGraphTest : public ::testing::Test {
 protected:
  Tables read(const Members& members) {
    write_npz(path_, members);
    return read_npz_graph(path_);
  }
  TempDir dir_;
  std::filesystem::path path_ = dir_ / "toy.npz";
};

TEST_F(NpzGraphTest, ReadsNettack) {
  const Tables t = read(nettack());
  EXPECT_EQ(t.name, "toy");
  ASSERT_EQ(t.edges.size(), 3u);  // the repeated entry included
  EXPECT_EQ(t.edges[1].source, 0);
  EXPECT_EQ(t.edges[1].target, 1);
  EXPECT_EQ(t.features.sparse().offsets, std::vector<Offset>({0, 1, 1, 2}));
  EXPECT_EQ(t.features.sparse().indices, std::vector<Index>({3, 0}));
  EXPECT_EQ(t.labels, std::vector<int>({1, -1, 0}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"0", "1"}));
  EXPECT_TRUE(t.splits.empty());
}

TEST_F(NpzGraphTest, ReadsHeterophilous) {
  const Tables t = read(heterophilous());
  EXPECT_TRUE(t.features.is_sparse());
  EXPECT_EQ(t.features.sparse().indices, std::vector<Index>({2, 2}));
  EXPECT_EQ(t.features.sparse().values, std::vector<Real>({1, 0.5f}));
  EXPECT_EQ(t.labels, std::vector<int>({1, 0}));
  ASSERT_EQ(t.splits.size(), 2u);
  EXPECT_EQ(t.splits[0].val, std::vector<Index>({1}));
  EXPECT_EQ(t.splits[1].train, std::vector<Index>({1}));
  const Tables dense = read(with(heterophilous(), "node_features", array<float>({1, 2, 3, 0, 0, 0}, {2, 3})));
  EXPECT_FALSE(dense.features.is_sparse());
  EXPECT_EQ(dense.features.dense()(0, 2), Real{3});
}

TEST_F(NpzGraphTest, WritesWhatItReads) {
  Tables t;
  t.edges = {{0, 2}, {0, 1}, {0, 1}, {2, 2}};
  t.features = Csr{3, 5, {0, 2, 2, 3}, {0, 4, 1}, {}};
  t.labels = {0, 2, -1};
  t.splits = {{{0}, {1}, {}}, {{1}, {}, {0, 2}}};
  write_npz_graph(path_, t);
  const Tables back = read_npz_graph(path_);
  ASSERT_EQ(back.edges.size(), t.edges.size());
  for (std::size_t i = 0; i < t.edges.size(); ++i) {
    EXPECT_EQ(back.edges[i].source, t.edges[i].source);
    EXPECT_EQ(back.edges[i].target, t.edges[i].target);
  }
  EXPECT_EQ(back.features.sparse().offsets, t.features.sparse().offsets);
  EXPECT_EQ(back.features.sparse().indices, t.features.sparse().indices);
  EXPECT_EQ(back.features.sparse().values, t.features.sparse().values);
  EXPECT_EQ(back.features.cols(), 5);
  EXPECT_EQ(back.labels, t.labels);
  ASSERT_EQ(back.splits.size(), 2u);
  EXPECT_EQ(back.splits[1].test, t.splits[1].test);
  const std::string bytes = read_file(path_);
  write_npz_graph(path_, back);
  EXPECT_EQ(read_file(path_), bytes);
}

TEST_F(NpzGraphTest, WritesDenseFeaturesSparsely) {
  Tables t;
  t.features = Matrix(2, 2);
  t.features.dense()(1, 0) = Real{0.5f};
  t.labels = {0, 1};
  write_npz_graph(path_, t);
  const Tables back = read_npz_graph(path_);
  EXPECT_EQ(back.features.sparse().offsets, std::vector<Offset>({0, 0, 1}));
  EXPECT_EQ(back.features.sparse().values, std::vector<Real>({0.5f}));
}

TEST_F(NpzGraphTest, EdgesMayHaveWeights) {
  Members members = heterophilous();
  members.emplace_back("edge_weights", array<float>({0.5f, 2}));
  EXPECT_EQ(read(members).edge_weights, std::vector<Real>({0.5f, 2}));
  EXPECT_ERROR(read(with(members, "edge_weights", array<float>({0.5f}))), "edge_weights: shape (1,); expected (2,)");
  for (const float wrong : {0.f, -1.f, 1e20f})
    EXPECT_ERROR(read(with(members, "edge_weights", array<float>({1, wrong}))), "edge_weights: element 1: ");
  EXPECT_ERROR(read(with(members, "edge_weights", array<float>({1, std::nanf("")}))), "only finite numbers");
  Tables t;
  t.edges = {{2, 0}, {0, 2}, {0, 1}};
  t.edge_weights = {1, 2, 3};
  t.features = Csr{3, 1, {0, 0, 0, 0}, {}, {}};
  t.labels = {0, 0, 1};
  write_npz_graph(path_, t);
  EXPECT_EQ(read_npz_graph(path_).edge_weights, std::vector<Real>({2, 3, 1}));  // edges are sorted by their source
}

TEST_F(NpzGraphTest, OtherFilesAreDescribed) {
  const Members other = {{"weights", integers({1})}, {"labels", integers({1})}};
  EXPECT_ERROR(read(other), "toy.npz: not a graph: it holds labels weights; expected either adj_data adj_indices");
  EXPECT_ERROR(read(other), " or node_features node_labels edges");
}

TEST_F(NpzGraphTest, WrongNettackIsAnError) {
  EXPECT_ERROR(read(with(nettack(), "adj_shape", integers({3, 4}))), "adj_shape is 3 by 4; expected a square");
  EXPECT_ERROR(read(with(nettack(), "adj_shape", integers({3}))), "adj_shape: 1 numbers; expected 2");
  EXPECT_ERROR(read(with(nettack(), "adj_shape", integers({-3, 3}))), "-3 rows; allowed");
  EXPECT_ERROR(read(with(nettack(), "adj_indices", integers({1, 3, 0}))),
               "adj_indices: entry 1: column 3 outside 0..2");
  EXPECT_ERROR(read(with(nettack(), "adj_indices", integers({1, -1, 0}))), "column -1 outside 0..2");
  EXPECT_ERROR(read(with(nettack(), "adj_indptr", integers({0, 3, 2, 3}))),
               "row offset 2 is 2, below the one before, 3");
  EXPECT_ERROR(read(with(nettack(), "adj_indptr", integers({0, 2, 3}))), "3 row offsets for 3 rows; expected 4");
  EXPECT_ERROR(read(with(nettack(), "adj_indptr", integers({0, 2, 3, 9}))), "from 0 to 9; expected 0 to 3");
  EXPECT_ERROR(read(with(nettack(), "adj_data", array<float>({1}))), "adj_data: 1 values for 3 entries");
  EXPECT_ERROR(read(with(nettack(), "attr_shape", integers({2, 4}))), "4 row offsets for 2 rows");
  EXPECT_ERROR(read(with(nettack(), "attr_shape", integers({3, 3000000000}))), "3000000000 columns; allowed");
  EXPECT_ERROR(read(with(nettack(), "attr_shape", integers({3, 2000000000}))),
               "attr_shape has 2000000000 columns, but");
  EXPECT_ERROR(read(with(nettack(), "labels", integers({1, 0}))), "labels: shape (2,); expected (3,)");
  EXPECT_ERROR(read(with(nettack(), "labels", integers({1, 0, -2}))), "labels: node 2: label -2 outside -1..999999");
  EXPECT_ERROR(read(with(nettack(), "labels", array<float>({1, 0, 0}))), "labels: type '<f4' where integers");
}

TEST_F(NpzGraphTest, WrongHeterophilousIsAnError) {
  const auto bad = [&](const char* name, const NpyArray& value) { return read(with(heterophilous(), name, value)); };
  EXPECT_ERROR(bad("edges", array<std::int64_t>({0, 2}, {1, 2})), "edges: row 0: node id 2 outside 0..1");
  EXPECT_ERROR(bad("edges", array<std::int64_t>({0, 1}, {2, 1})), "edges: shape (2, 1); expected (edges, 2)");
  EXPECT_ERROR(bad("node_labels", integers({0})), "node_labels: shape (1,); expected (2,)");
  EXPECT_ERROR(bad("node_features", array<float>({}, {2000000000, 0})),
               "node_labels: shape (2,); expected (2000000000,)");
  EXPECT_ERROR(bad("node_features", array<float>({0, 0}, {2})),
               "node_features: shape (2,); expected (nodes, features)");
  EXPECT_ERROR(bad("node_features", array<float>({0, NAN}, {2, 1})), "node_features: element 1 is nan");
  EXPECT_ERROR(bad("train_masks", array<std::uint8_t>({1, 0}, {2, 1})), "train_masks: shape (2, 1); expected (2, 2)");
  EXPECT_ERROR(bad("val_masks", array<std::uint8_t>({1, 1, 0, 0}, {2, 2})), "split 0: node 0 is in more than one");
  EXPECT_ERROR(bad("train_masks", array<std::uint8_t>({1, 0, 0, 3}, {2, 2})),
               "split 1: train mask: node 1 has the value 3");
}

}  // namespace
}  // namespace gcnh
