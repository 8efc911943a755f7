#include "gcnh/io/convert.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gcnh/graph/content_hash.h"
#include "gcnh/io/catalog.h"
#include "gcnh/io/file.h"
#include "gcnh/io/graph_files.h"
#include "gcnh/io/npz_graph.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

// Words, a split, loops, repeats and both directions; the last column is 0.
Tables small_graph(bool dense) {
  Tables t;
  t.name = "small";
  t.edges = {{0, 1}, {1, 0}, {2, 2}, {3, 1}, {3, 1}, {2, 0}};
  if (dense) {
    Matrix x(4, 3);
    const std::vector<Real> values = {Real(0.1), -2, Real(1e-30), 16777216, 5, 0, Real(1) / 3, 0, 7, 1, 1, 1};
    std::copy(values.begin(), values.end(), x.data());
    t.features = x;
  } else {
    t.features = make_csr(4, 5, {{0, 1, Real(0.1)}, {2, 0, 1}, {2, 3, -3}}, Repeats::add);
  }
  t.labels = {1, 0, 1, 2};
  t.classes = {"a \"b\"", "cat,dog", "é<&>"};
  t.ids = {"n,0", "n 1", "n\"2\"", "3"};
  t.splits = {{{0, 1}, {2}, {3}}};
  return t;
}

Tables numbered(Tables t) {
  t.ids.clear();
  t.splits.clear();
  t.classes = {"0", "1", "2"};
  return t;
}

std::uint64_t hash_of(const Tables& t) { return content_hash(make_dataset(t)); }

std::vector<std::pair<Index, Index>> sorted_edges(const Tables& t) {
  std::vector<std::pair<Index, Index>> out;
  for (Edge edge : t.edges) out.emplace_back(edge.source, edge.target);
  std::sort(out.begin(), out.end());
  return out;
}

Tables read_pair(const std::string& nodes, const std::string& edges, const std::string& labels = "",
                 const std::string& split = "") {
  CsvSource from;
  from.nodes = nodes;
  from.edges = edges;
  from.labels = labels;
  if (!split.empty()) from.split = {split};
  from.features.others = OtherColumns::num;
  return read_graph_files(from);
}

void expect_same(const Tables& a, const Tables& b) {
  EXPECT_EQ(hash_of(a), hash_of(b));
  EXPECT_EQ(sorted_edges(a), sorted_edges(b));  // direction, repeats and loops
}

TEST(Convert, EveryFormReadsBackTheSame) {
  const TempDir dir;
  const auto path = [&](const char* name) { return (dir / name).string(); };
  for (bool dense : {false, true}) {
    SCOPED_TRACE(dense);
    const Tables whole = small_graph(dense), plain = numbered(whole);
    const Converted csv = convert_graph(whole, dir / "g.csv", true);
    EXPECT_TRUE(csv.notes.empty());
    EXPECT_EQ(csv.flags, "--nodes " + path("g-nodes.csv") + " --edges " + path("g-edges.csv") +
                             " --split-column split --features num:rest");
    const Tables back = read_pair(path("g-nodes.csv"), path("g-edges.csv"), "", "split");
    expect_same(whole, back);
    EXPECT_EQ(back.ids, whole.ids);
    EXPECT_EQ(back.classes, whole.classes);
    convert_graph(whole, dir / "g.npz", true);
    expect_same(whole, read_npz_graph(dir / "g.npz"));
    EXPECT_TRUE(convert_graph(plain, dir / "g.svm", true).notes.empty());
    expect_same(plain, read_pair(path("g.svm"), path("g-edges.mtx")));
    EXPECT_TRUE(convert_graph(plain, dir / "g.mtx", true).notes.empty());
    expect_same(plain, read_pair(path("g-features.mtx"), path("g-edges.mtx"), path("g-labels.txt")));
  }
}

TEST(Convert, WeightsAreWrittenAndReadAgain) {
  const TempDir dir;
  Tables t = numbered(small_graph(true));
  for (std::size_t e = 0; e < t.edges.size(); ++e) t.edge_weights.push_back(static_cast<Real>(e) + Real{0.1f});
  CsvSource from;
  from.features.others = OtherColumns::num;
  for (const char* name : {"w.csv", "w.svm", "w.mtx"}) {
    const Converted files = convert_graph(t, dir / name, true);
    const bool csv = files.flags.ends_with("num:rest");
    EXPECT_TRUE(contains(files.flags, csv ? " --weight weight" : " --weight value")) << files.flags;
    from.weight = csv ? "weight" : "value";
    from.nodes = files.files.front().string();
    from.edges = files.files.back().string();
    from.labels = contains(files.flags, "--labels") ? files.files[1].string() : "";
    const Tables back = read_graph_files(from);
    EXPECT_EQ(back.edge_weights, t.edge_weights) << name;
    EXPECT_EQ(back.edges.size(), t.edges.size());
  }
  EXPECT_EQ(convert_graph(t, dir / "w.npz", true).notes.back(), "weights of edges are not part of .npz");
  from.weight = "";
  EXPECT_TRUE(contains(read_graph_files(from).notes.back(), "values are not used"));
  from.weight = "strength";
  EXPECT_ERROR(read_graph_files(from), "is a matrix: the word is value, not 'strength'");
}

TEST(Convert, WhatAFormHasNoPlaceForIsNoted) {
  const TempDir dir;
  const Tables t = small_graph(true);
  const std::vector<std::string> npz = {"node ids are not part of .npz", "names of classes are not part of .npz"};
  EXPECT_EQ(convert_graph(t, dir / "g.npz", true).notes, npz);
  const std::vector<std::string> mtx = {"node ids are not part of .mtx", "1 split left out: not part of .mtx"};
  EXPECT_EQ(convert_graph(t, dir / "g.mtx", true).notes, mtx);
  Tables gap = numbered(t);
  gap.labels = {0, 2, 2, 0};
  EXPECT_EQ(convert_graph(gap, dir / "g.csv", true).notes.size(), 1u);
  gap.labels[1] = -1;
  EXPECT_ERROR(convert_graph(gap, dir / "g.svm", true), "small: node 1 has no label, which svmlight cannot say");
  EXPECT_ERROR(convert_graph(t, dir / "g.xls", true), "has none of the endings .npz, .csv, .svm, .mtx, .gexf");
}

TEST(Convert, FilesThatAreThereStayUnlessAskedFor) {
  const TempDir dir;
  for (const char* name : {"g.npz", "g-edges.csv", "g.svm", "g-edges.mtx", "g.gexf"}) write_text(dir / name, "mine");
  const Tables t = numbered(small_graph(true));
  for (const char* name : {"g.npz", "g.csv", "g.svm", "g.mtx", "g.gexf"}) {
    EXPECT_ERROR(convert_graph(t, dir / name, false), "is there already; `force` replaces it");
    EXPECT_EQ(status_of([&] { convert_graph(t, dir / name, false); }), Status::usage);
  }
  EXPECT_EQ(read_file(dir / "g-edges.csv"), "mine");
  EXPECT_FALSE(std::filesystem::exists(dir / "g-nodes.csv"));
  convert_graph(t, dir / "g.gexf", true);
  EXPECT_NE(read_file(dir / "g.gexf"), "mine");
}

TEST(Convert, GexfNamesNodesClassesAndEdges) {
  const TempDir dir;
  EXPECT_EQ(convert_graph(small_graph(true), dir / "g.gexf", false).flags, "");
  const std::string text = read_file(dir / "g.gexf");
  EXPECT_TRUE(contains(text, "<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">"));
  EXPECT_TRUE(contains(text, "<node id=\"2\" label=\"n&#34;2&#34;\">"));
  EXPECT_TRUE(contains(text, "value=\"é&#60;&#38;&#62;\""));
  EXPECT_TRUE(contains(text, "<edge id=\"5\" source=\"2\" target=\"0\"/>"));
}

TEST(Convert, OfSeveralSplitsOneIsReadFromATable) {
  const TempDir dir;
  Tables t = small_graph(true);
  t.splits = {t.splits[0], {{3}, {2}, {1}}, {{2}, {3}, {0}}};
  EXPECT_TRUE(contains(convert_graph(t, dir / "g.csv", false).flags, " --split-column split_0,split_1,split_2"));
  EXPECT_TRUE(contains(read_file(dir / "g-nodes.csv"), "\n3,é<&>,1,1,1,test,train,val\n"));
}

TEST(Convert, ColumnsGetNamesThatNoFeatureHas) {
  const TempDir dir;
  Tables t = numbered(small_graph(true));
  t.feature_names = {"id", "label", "id_"};
  EXPECT_TRUE(contains(convert_graph(t, dir / "g.csv", false).flags, "--id id__ --label label_"));
  EXPECT_TRUE(read_file(dir / "g-nodes.csv").starts_with("id__,label_,id,label,id_\n"));
}

TEST(Convert, KnownGraphsReadBackTheSame) {
  SKIP_WITHOUT_DATA(data);
  const TempDir dir;
  for (const char* name : {"texas", "chameleon-filtered-directed", "minesweeper"}) {
    SCOPED_TRACE(name);
    const Tables t = load_named(name, data);
    convert_graph(t, dir / "g.npz", true);
    expect_same(t, read_npz_graph(dir / "g.npz"));
    Tables plain = t;
    plain.splits.clear();
    convert_graph(plain, dir / "g.mtx", true);
    expect_same(plain, read_pair(dir / "g-features.mtx", dir / "g-edges.mtx", dir / "g-labels.txt"));
    convert_graph(plain, dir / "g.svm", true);
    expect_same(plain, read_pair(dir / "g.svm", dir / "g-edges.mtx"));
    convert_graph(plain, dir / "g.csv", true);
    expect_same(plain, read_pair(dir / "g-nodes.csv", dir / "g-edges.csv"));
  }
}

}  // namespace
}  // namespace gcnh
