#include "gcnh/io/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "gcnh/graph/content_hash.h"
#include "gcnh/io/catalog.h"
#include "gcnh/io/file.h"
#include "gcnh/io/graph_files.h"
#include "gcnh/io/split_table.h"
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

void expect_same(const Tables& a, const Tables& b) {
  EXPECT_EQ(hash_of(a), hash_of(b));
  EXPECT_EQ(sorted_edges(a), sorted_edges(b));  // direction, repeats and loops
}

// What the program would read by these flags.
Tables read_by(const std::vector<std::string>& flags) {
  std::map<std::string, std::string> given;
  for (std::size_t i = 0; i + 1 < flags.size(); i += 2) given[flags[i]] = flags[i + 1];
  CsvSource from;
  for (const auto& [flag, field] : {std::pair("--nodes", &from.nodes),
                                    {"--edges", &from.edges},
                                    {"--id", &from.id},
                                    {"--labels", &from.labels},
                                    {"--label", &from.label},
                                    {"--weight", &from.weight},
                                    {"--sqlite", &from.database}})
    if (given.contains(flag)) *field = given[flag];
  std::istringstream splits(given["--split-column"]);
  for (std::string name; std::getline(splits, name, ',');) from.split.push_back(name);
  if (given.contains("--features")) from.features = parse_feature_spec(given["--features"]);
  Tables out = given.contains("--data") ? load_path(given["--data"]) : read_graph_files(from);
  if (given.contains("--split-file")) out.splits = read_splits(given["--split-file"], from.id, out);
  return out;
}

// Everything that a form may or may not have a place for.
Tables rich_graph(bool dense) {
  Tables t = small_graph(dense);
  t.ids = {"n,0", "Straße", "n\"2\"", "3"};
  t.labels = {1, 0, -1, 2};
  t.splits = {{{0, 1}, {}, {3}}, {{3}, {1}, {0}}};
  t.feature_names = {"age", "Age", "id", "a b", "c,d"};
  t.feature_names.resize(static_cast<std::size_t>(t.features.cols()));
  for (std::size_t e = 0; e < t.edges.size(); ++e) t.edge_weights.push_back(Real(0.1) + static_cast<Real>(e));
  return t;
}

std::vector<std::tuple<Index, Index, Real>> weighted_edges(const Tables& t) {
  std::vector<std::tuple<Index, Index, Real>> out;
  for (std::size_t e = 0; e < t.edges.size(); ++e)
    out.emplace_back(t.edges[e].source, t.edges[e].target, t.edge_weights.at(e));
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Convert, EveryFormReadsBackTheSame) {
  struct Case {
    const char* name;
    bool keeps_ids, keeps_classes, takes_unlabelled = true;
  };
  const TempDir dir;
  for (const Case& form : std::vector<Case>{{"g.npz", false, false},
                                            {"g.csv", true, true},
                                            {"g.edges", true, true},
                                            {"g.db", true, true},
                                            {"g.sqlite", true, true},
                                            {"g.svm", false, false, false},
                                            {"g.mtx", false, true},
                                            {"g.scipy.npz", false, true},
                                            {"g.ogb", false, false}}) {
    for (bool dense : {false, true}) {
      SCOPED_TRACE(form.name + std::string(dense ? ", dense" : ", sparse"));
      Tables t = rich_graph(dense);
      if (!form.takes_unlabelled) t.labels[2] = 0;
      const Converted done = convert_graph(t, dir / form.name, true);
      const Tables back = read_by(done.flags);
      EXPECT_EQ(hash_of(back), hash_of(t));
      EXPECT_EQ(weighted_edges(back), weighted_edges(t));  // direction, repeats and loops
      EXPECT_EQ(back.labels, t.labels);
      EXPECT_EQ(back.splits.size(), t.splits.size());
      EXPECT_EQ(back.ids, form.keeps_ids ? t.ids : std::vector<std::string>());
      EXPECT_EQ(back.classes, form.keeps_classes ? t.classes : std::vector<std::string>({"0", "1", "2"}));
      std::string notes;
      for (const std::string& note : done.notes) notes += note + "; ";
      EXPECT_EQ(contains(notes, "node ids are not part of"), !form.keeps_ids) << notes;
      EXPECT_EQ(contains(notes, "names of features are not part of"), !form.keeps_ids) << notes;
      EXPECT_EQ(contains(notes, "names of classes are not part of"), !form.keeps_classes) << notes;
      EXPECT_FALSE(contains(notes, "split") || contains(notes, "weight")) << notes;
      for (const std::filesystem::path& file : done.files) EXPECT_TRUE(std::filesystem::is_regular_file(file)) << file;
    }
  }
}

// A table's columns are scaled one by one; what is read back without them says how.
TEST(Convert, ColumnsOfDifferentSizesAreScaledWhenReadBack) {
  const TempDir dir;
  std::string nodes = "id,label,age,town\n";
  for (int u = 0; u < 20; ++u) nodes += join("n", u, ",", u % 2, ",", 20.5 + u * 7 % 30, ",town", u % 7, "\n");
  write_text(dir / "nodes.csv", nodes);
  write_text(dir / "edges.csv", "source,target\nn0,n1\n");
  Tables t = read_csv({.nodes = dir / "nodes.csv", .edges = dir / "edges.csv"});
  const auto asks = [&](const char* name) {
    const std::vector<std::string> flags = convert_graph(t, dir / name, true).flags;
    const auto at = std::find(flags.begin(), flags.end(), "--scale");
    return at != flags.end() && *(at + 1) == "largest";
  };
  for (const char* name : {"g.npz", "g.mtx", "g.scipy.npz", "g.svm", "g.ogb"}) EXPECT_TRUE(asks(name)) << name;
  for (const char* name : {"g.csv", "g.edges", "g.db"}) EXPECT_FALSE(asks(name)) << name;
  t.columns.clear();  // was not scaled before
  EXPECT_FALSE(asks("g.npz"));
}

// Features are of single precision, the columns of a table are not.
TEST(Convert, NumbersOfATableKeepTheirDigits) {
  const TempDir dir;
  std::string nodes = "id,label,t,word,tiny\n";
  for (int u = 0; u < 60; ++u)
    nodes += join("n", u, ",", u % 2, ",", 1700000000000 + u * 37 % 53 * 19, ",w", u % 3, ",",
                  u == 3 ? "2e-60" : join(u * 7 % 31, ".25"), "\n");
  write_text(dir / "nodes.csv", nodes);
  write_text(dir / "edges.csv", "source,target\nn0,n1\n");
  const Tables t = read_csv({.nodes = dir / "nodes.csv", .edges = dir / "edges.csv"});
  const auto numbers = [](const Tables& tables, const std::string& name) {
    const auto at = std::find_if(tables.columns.begin(), tables.columns.end(),
                                 [&](const Column& column) { return column.spec.name == name; });
    return at == tables.columns.end() ? std::vector<double>() : at->numbers;
  };
  ASSERT_EQ(numbers(t, "t").size(), 60u);
  ASSERT_EQ(numbers(t, "tiny").size(), 60u);
  for (const char* name : {"g.csv", "g.edges", "g.db"}) {
    const Converted done = convert_graph(t, dir / name, true);
    const Tables back = read_by(done.flags);
    for (const char* column : {"t", "tiny"})
      for (std::size_t u = 0; u < 60; ++u)
        EXPECT_EQ(numbers(back, column).at(u), numbers(t, column)[u]) << name << ": " << column << ", node " << u;
    EXPECT_TRUE(done.notes.empty());
  }
  for (const char* name : {"g.npz", "g.mtx", "g.svm", "g.scipy.npz", "g.ogb"})
    EXPECT_TRUE(contains(convert_graph(t, dir / name, true).notes.back(), "column 't' has numbers of more digits than"))
        << name;
}

TEST(Convert, NamesOfFeaturesStayApart) {
  const TempDir dir;
  Tables t = rich_graph(false);
  const Converted apart = convert_graph(t, dir / "g.csv", false);
  EXPECT_TRUE(apart.notes.empty());
  EXPECT_EQ(read_by(apart.flags).feature_names, t.feature_names);
  // SQLite does not tell Age from age
  const Converted database = convert_graph(t, dir / "g.db", false);
  EXPECT_EQ(database.notes, std::vector<std::string>({"1 feature got a _ behind the name, which another one has"}));
  EXPECT_EQ(read_by(database.flags).feature_names, std::vector<std::string>({"age", "Age_", "id", "a b", "c,d"}));
  t.feature_names = {"x", "x", "x_", "label", "split_0"};
  const Converted again = convert_graph(t, dir / "g.csv", true);
  EXPECT_EQ(again.notes.size(), 1u);
  EXPECT_EQ(read_by(again.flags).feature_names, std::vector<std::string>({"x", "x_", "x__", "label", "split_0"}));
  EXPECT_EQ(hash_of(read_by(again.flags)), hash_of(t));
}

TEST(Convert, WhatAFormCannotSayIsRefused) {
  const TempDir dir;
  Tables t = rich_graph(false);
  t.ids[1] = "n 1";
  EXPECT_ERROR(convert_graph(t, dir / "g.edges", false), "node 'n 1' cannot stand in a plain list of edges");
  t.ids[1] = "#1";
  EXPECT_ERROR(convert_graph(t, dir / "g.edges", false), "node '#1' cannot stand in a plain list of edges");
  EXPECT_FALSE(std::filesystem::exists(dir / "g-nodes.csv"));
  t.classes[0] = "NA";
  for (const char* name : {"g.csv", "g.edges", "g.db", "g.mtx", "g.scipy.npz"})
    EXPECT_ERROR(convert_graph(t, dir / name, false), "class 'NA' would be read as no label");
  convert_graph(t, dir / "g.npz", false);
  t = rich_graph(false);
  t.features = make_csr(4, 2500, {{0, 1, 1}}, Repeats::add);
  t.feature_names.clear();
  EXPECT_ERROR(convert_graph(t, dir / "g.db", false), "a table of 2504 columns; SQLite has at most 2000");
  t.features = make_csr(4, 0, {}, Repeats::add);
  EXPECT_ERROR(convert_graph(t, dir / "g.ogb", false), "small: no features, which an OGB folder cannot say");
  EXPECT_ERROR(convert_graph(t, dir / "g.svm", false), "small: no features, which svmlight cannot say");
}

TEST(Convert, AnOgbFolderHoldsOneGraph) {
  const TempDir dir;
  Tables t = rich_graph(false);
  convert_graph(t, dir / "g.ogb", false);
  EXPECT_ERROR(convert_graph(t, dir / "g.ogb", false), "g.ogb' is there already; `force` replaces it");
  EXPECT_EQ(hash_of(read_by(convert_graph(t, dir / "g.ogb/", true).flags)), hash_of(t));
  t.splits.pop_back();
  EXPECT_ERROR(convert_graph(t, dir / "g.ogb", true), "split_1' would be read as a part of this graph; remove it");
  std::filesystem::remove_all(dir / "g.ogb" / "split" / "split_1");
  t.edge_weights.clear();
  EXPECT_ERROR(convert_graph(t, dir / "g.ogb", true), "edge_weight.csv.gz' would be read as a part of this graph");
  std::filesystem::create_directory(dir / "elsewhere");
  std::filesystem::create_symlink(dir / "elsewhere", dir / "link.ogb");
  EXPECT_ERROR(convert_graph(t, dir / "link.ogb", true), "link.ogb' is there and no folder");
  EXPECT_TRUE(std::filesystem::is_empty(dir / "elsewhere"));
}

TEST(Convert, LinksAreReplacedAndNotWrittenThrough) {
  const TempDir dir;
  write_text(dir / "mine", "mine");
  std::filesystem::create_symlink(dir / "mine", dir / "g.db");
  EXPECT_ERROR(convert_graph(rich_graph(false), dir / "g.db", false), "is there already");
  convert_graph(rich_graph(false), dir / "g.db", true);
  EXPECT_FALSE(std::filesystem::is_symlink(dir / "g.db"));
  EXPECT_EQ(read_file(dir / "mine"), "mine");
}

TEST(Convert, ValuesOfAMatrixAreWeightsWhereAsked) {
  const TempDir dir;
  CsvSource from;
  convert_graph(rich_graph(false), dir / "w.mtx", false);
  from.nodes = dir / "w-features.mtx";
  from.edges = dir / "w-edges.mtx";
  from.labels = dir / "w-labels.txt";
  EXPECT_TRUE(contains(read_graph_files(from).notes.back(), "values are not used"));
  from.weight = "strength";
  EXPECT_ERROR(read_graph_files(from), "is a matrix: the word is value, not 'strength'");
}

TEST(Convert, WhatAFormHasNoPlaceForIsNoted) {
  const TempDir dir;
  const Tables t = small_graph(true);
  const std::vector<std::string> npz = {"node ids are not part of .npz", "names of classes are not part of .npz"};
  EXPECT_EQ(convert_graph(t, dir / "g.npz", true).notes, npz);
  const std::vector<std::string> mtx = {"node ids are not part of .mtx"};
  EXPECT_EQ(convert_graph(t, dir / "g.mtx", true).notes, mtx);
  Tables gap = numbered(t);
  gap.labels = {0, 2, 2, 0};
  EXPECT_EQ(convert_graph(gap, dir / "g.csv", true).notes.size(), 1u);
  gap.labels[1] = -1;
  EXPECT_ERROR(convert_graph(gap, dir / "g.svm", true), "small: node 1 has no label, which svmlight cannot say");
  EXPECT_ERROR(convert_graph(t, dir / "g.xls", true), "has none of the endings .scipy.npz, .npz, .csv, .edges, .db, ");
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
  Tables t = small_graph(true);
  t.ids[1] = "tab\tbell\a end\xEF\xBF\xBF";
  EXPECT_TRUE(convert_graph(t, dir / "g.gexf", false).flags.empty());
  const std::string text = read_file(dir / "g.gexf");
  EXPECT_TRUE(contains(text, "label=\"tab&#9;bell\xEF\xBF\xBD end\xEF\xBF\xBD\"")) << text;
  EXPECT_TRUE(contains(text, "<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">"));
  EXPECT_TRUE(contains(text, "<node id=\"2\" label=\"n&#34;2&#34;\">"));
  EXPECT_TRUE(contains(text, "value=\"é&#60;&#38;&#62;\""));
  EXPECT_TRUE(contains(text, "<edge id=\"5\" source=\"2\" target=\"0\"/>"));
}

TEST(Convert, ColumnsGetNamesThatNoFeatureHas) {
  const TempDir dir;
  Tables t = numbered(small_graph(true));
  t.feature_names = {"id", "label", "id_"};
  const std::vector<std::string> flags = convert_graph(t, dir / "g.csv", false).flags;
  EXPECT_EQ(std::vector(flags.begin() + 4, flags.begin() + 8),
            std::vector<std::string>({"--id", "id__", "--label", "label_"}));
  EXPECT_TRUE(read_file(dir / "g-nodes.csv").starts_with("id__,label_,id,label,id_\n"));
}

TEST(Convert, KnownGraphsReadBackTheSame) {
  SKIP_WITHOUT_DATA(data);
  const TempDir dir;
  for (const char* name : {"texas", "chameleon-filtered-directed", "minesweeper"}) {
    SCOPED_TRACE(name);
    const Tables t = load_named(name, data);
    for (const char* form : {"g.npz", "g.mtx", "g.scipy.npz", "g.svm", "g.csv", "g.edges", "g.ogb"})
      expect_same(t, read_by(convert_graph(t, dir / form, true).flags));
    if (t.features.cols() < 1900) expect_same(t, read_by(convert_graph(t, dir / "g.db", true).flags));
  }
}

}  // namespace
}  // namespace gcnh
