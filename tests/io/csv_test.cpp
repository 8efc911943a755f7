#include "gcnh/io/csv.h"

#include "gcnh/io/memory_rows.h"
#include "tests/io/csv_fixture.h"

namespace gcnh {
namespace {

TEST_F(CsvTest, ReadsTables) {
  const Tables t = read(kCsvNodes);
  EXPECT_EQ(t.name, "nodes");
  EXPECT_EQ(t.ids, std::vector<std::string>({"a", "b", "c"}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"blue", "red"}));
  EXPECT_EQ(t.labels, std::vector<int>({1, 0, -1}));
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"age", "spend"}));
  ASSERT_FALSE(t.features.is_sparse());
  EXPECT_EQ(t.features.dense()(1, 0), Real{2.5f});
  EXPECT_EQ(t.features.dense()(2, 1), Real{100});
  ASSERT_EQ(t.edges.size(), 3u);
  EXPECT_EQ(t.edges[2].source, 2);
  EXPECT_EQ(t.edges[2].target, 2);
  EXPECT_TRUE(t.splits.empty());
}

TEST_F(CsvTest, MostlyZeroFeaturesAreSparse) {
  const Tables t = read("id,label,x,y,z\na,1,0,0,2\nb,2,0,0.0,0\nc,1,1,0,0\n");
  ASSERT_TRUE(t.features.is_sparse());
  EXPECT_EQ(t.features.sparse().indices, std::vector<Index>({2, 0}));
  EXPECT_EQ(t.features.sparse().values, std::vector<Real>({2, 1}));
  EXPECT_EQ(t.features.cols(), 3);
}

TEST_F(CsvTest, EdgesToUnknownIdsAreSkippedWhenAsked) {
  const std::string edges = "source,target,w\na,b,2\na,u9,3\nu7,u9,4\nb,c,5\n";
  EXPECT_ERROR(read(kCsvNodes, edges), "; add a row for it there, or `skip_unknown_ids` to leave such edges out");
  from_.skip_unknown_ids = true;
  from_.weight = "w";
  const Tables t = read(kCsvNodes, edges);
  EXPECT_EQ(t.edges.size(), 2u);
  EXPECT_EQ(t.edge_weights, std::vector<Real>({2, 5}));
  ASSERT_EQ(t.notes.size(), 1u);
  EXPECT_TRUE(t.notes[0].ends_with("edges.csv: 2 edges left out, of 2 ids that nodes.csv lacks; the first is 'u9'"))
      << t.notes[0];
}

TEST_F(CsvTest, NotesWhatItDoesNotUse) {
  EXPECT_TRUE(read(kCsvNodes).notes.empty());
  const Tables t = read(kCsvNodes, "weight,source,target,date\n");
  ASSERT_EQ(t.notes.size(), 2u);
  EXPECT_TRUE(t.notes[0].ends_with("edges.csv: columns not used: weight date")) << t.notes[0];
  EXPECT_TRUE(t.notes[1].ends_with("edges.csv has no edges: every model sees the nodes alone")) << t.notes[1];
}

TEST_F(CsvTest, IntegerClassesAreSortedAsNumbers) {
  EXPECT_EQ(read("id,label\na,10\nb,9\nc,-1\n").classes, std::vector<std::string>({"-1", "9", "10"}));
  EXPECT_EQ(read("id,label\na,10\nb,9\nc,x\n").classes, std::vector<std::string>({"10", "9", "x"}));
}

TEST_F(CsvTest, OtherColumnNames) {
  from_.id = "user";
  from_.label = "segment";
  from_.source = "from";
  from_.target = "to";
  const Tables t = read("x,user,segment\n1,u,s\n", "to,from\nu,u\n");
  EXPECT_EQ(t.ids, std::vector<std::string>({"u"}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"s"}));
}

TEST_F(CsvTest, WithoutLabels) {
  from_.label = "";
  const Tables t = read("id,x\na,1\nb,2\nc,0\n");
  EXPECT_EQ(t.labels, std::vector<int>({-1, -1, -1}));
  EXPECT_TRUE(t.classes.empty());
  EXPECT_EQ(t.features.cols(), 1);
}

TEST_F(CsvTest, LabelsMayBeAbsentOrBlankWhenTheyAreNotRequired) {
  from_.label_required = false;
  EXPECT_EQ(read("id,x\na,1\nb,2\nc,0\n").labels, std::vector<int>({-1, -1, -1}));
  EXPECT_EQ(read("id,label,x\na,,1\nb,,2\nc,,0\n").features.cols(), 1);
  EXPECT_EQ(read(kCsvNodes).labels, std::vector<int>({1, 0, -1}));
}

TEST_F(CsvTest, IgnoredColumnsAreNoFeatures) {
  from_.features.columns = {{.name = "name", .kind = ColumnKind::ignore}};
  EXPECT_EQ(read("id,label,name,x\na,1,Ann,1\nb,2,Bob,2\nc,1,,3\n").feature_names, std::vector<std::string>({"x"}));
  EXPECT_ERROR(read("id,label,nom,x\na,1,Ann,1\n"), "no column 'name'; columns: id label nom x; did you mean 'nom'?");
  from_.features.columns[0].name = "role";
  EXPECT_ERROR(read("id,label,fold,x\na,1,2,1\n"), "no column 'role'; columns: id label fold x");
  EXPECT_EQ(did_you_mean("role", {"fold"}), "");
}

TEST_F(CsvTest, SplitColumn) {
  from_.split = {"set"};
  const Tables t = read("id,label,set\na,1,train\nb,2,val\nc,,test\n");
  ASSERT_EQ(t.splits.size(), 1u);
  EXPECT_EQ(t.splits[0].train, std::vector<Index>({0}));
  EXPECT_EQ(t.splits[0].val, std::vector<Index>({1}));
  EXPECT_TRUE(t.splits[0].test.empty());  // c has no label to score
  EXPECT_EQ(t.features.cols(), 0);
  EXPECT_ERROR(read("id,label,set\na,1,training\n"),
               "nodes.csv:2: column 'set': split 'training'; allowed: train, val, test");
  EXPECT_ERROR(read("id,label,set\na,1,val\nb,,train\nc,1,\n"), "column 'set' has no 'train' row with a label");
}

TEST_F(CsvTest, SeveralSplitColumns) {
  from_.split = {"two", "one"};
  const Tables t = read("id,label,one,x,two\na,1,train,5,val\nb,2,val,6,train\nc,1,,7,test\n");
  ASSERT_EQ(t.splits.size(), 2u);
  EXPECT_EQ(t.splits[0].train, std::vector<Index>({1}));
  EXPECT_EQ(t.splits[0].test, std::vector<Index>({2}));
  EXPECT_EQ(t.splits[1].train, std::vector<Index>({0}));
  EXPECT_TRUE(t.splits[1].test.empty());
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"x"}));
  EXPECT_ERROR(read("id,label,one,two\na,1,train,val\nb,1,val,no\n"), "nodes.csv:3: column 'two': split 'no'");
  EXPECT_ERROR(read("id,label,one,two\na,1,train,val\nb,2,,\nc,1,,\n"), "column 'two' has no 'train' row");
  from_.split = {"one", "one"};
  EXPECT_ERROR(read("id,label,one,two\na,1,train,val\n"), "nodes.csv: column 'one' is named twice");
}

TEST_F(CsvTest, ASecondTableWithDeclaredColumns) {
  from_.more = (dir_ / "more.csv").string();
  from_.features.columns = {{.name = "x", .kind = ColumnKind::multi}};
  write_text(from_.more, "id,x\na,p;q\na,r\n");
  EXPECT_EQ(read(kCsvNodes).columns.back().values, std::vector<std::string>({"p", "q", "r"}));
  for (const ColumnKind kind : {ColumnKind::num, ColumnKind::cat, ColumnKind::multi}) {  // no row of any node
    from_.features.columns[0].kind = kind;
    write_text(from_.more, "id,x\n");
    EXPECT_EQ(read(kCsvNodes).features.rows(), 3);
  }
  from_.features.columns[0].kind = ColumnKind::num;
  write_text(from_.more, "id,x\na,1\na,2\n");
  EXPECT_ERROR(read(kCsvNodes), "column 'x' is declared as num, but a node has several rows; declare it as multi");
}

TEST_F(CsvTest, BothEndsInOneColumn) {
  from_.target = "source";
  EXPECT_ERROR(read(kCsvNodes), "both ends of the edges are in column 'source'");
}

TEST_F(CsvTest, WordsThatAreNotUtf8) {
  from_.missing = {"\xff"};
  EXPECT_ERROR(read(kCsvNodes), "missing: a word is not UTF-8");
}

TEST_F(CsvTest, ASecondTableMayNameANodeSeveralTimes) {
  from_.more = (dir_ / "more.csv").string();
  from_.key = "who";
  write_text(from_.more, "who,game,hours\na,chess,1.5\na,go,2\nz,go,1\nc,go,0.5\n");
  const Tables t = read(kCsvNodes);
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"age", "spend", "game=chess", "game=go"}));
  EXPECT_EQ(t.columns[2].items.indices, std::vector<Index>({0, 1, 1}));
  EXPECT_EQ(t.columns[3].spec.kind, ColumnKind::ignore);
  ASSERT_EQ(t.notes.size(), 2u);
  EXPECT_TRUE(t.notes[0].find("more.csv: 1 row of nodes that") != std::string::npos) << t.notes[0];
  EXPECT_TRUE(t.notes[1].find("more.csv: column not used: hours; a node has several numbers") != std::string::npos)
      << t.notes[1];
  write_text(from_.more, "who,team\na,red\nc,blue\n");
  EXPECT_EQ(read(kCsvNodes).columns[2].spec.kind, ColumnKind::cat);
  write_text(from_.more, "who,age\na,7\n");
  EXPECT_ERROR(read(kCsvNodes), "column 'age' is in");
}

TEST_F(CsvTest, EdgesNameKnownNodes) {
  EXPECT_ERROR(read(kCsvNodes, "source,target\na,b\na,u9\n"), "edges.csv:3: node 'u9' is not in nodes.csv");
  EXPECT_ERROR(read(kCsvNodes, "source,target\n,b\n"),
               "edges.csv:2: column 'source': the cell is empty; write a node id");
  EXPECT_ERROR(read(kCsvNodes, "source,target\na\n"), "edges.csv:2: found 1 field, expected 2");
  EXPECT_TRUE(read(kCsvNodes, "source,target\n").edges.empty());
}

TEST_F(CsvTest, IdsThatAreWrittenInAnotherWayAreNamed) {
  const std::string nodes = "id,label,x\n1,a,1\n20,b,2\nAnna,a,3\n9007199254740993,b,4\n";
  const auto edge = [&](const std::string& id) { return read(nodes, "source,target\n20,1\n" + id + ",20\n"); };
  EXPECT_ERROR(edge("1.0"),
               "edges.csv:3: node '1.0' is not in nodes.csv; '1' is: write ids the same way in both files");
  EXPECT_ERROR(edge("0020"), "'20' is:");
  EXPECT_ERROR(edge("anna"), "'Anna' is:");
  EXPECT_ERROR(edge("An na"), "'Anna' is:");
  for (const char* other : {"10", "2", "9007199254740992", "ann"}) EXPECT_ERROR(edge(other), "add a row for it there");
  EXPECT_ERROR(read(nodes, "source,target\n1.0,20.0\n1,20.0\n"),
               "edges.csv:2: node '1.0' is not in nodes.csv (nor is 1 other id; they are named 3 times in 2 edges)");
  EXPECT_ERROR(read(nodes, "source,target\n1.0,20\n1,1.0\n"),
               "edges.csv:2: node '1.0' is not in nodes.csv (named 2 times in 2 edges); '1' is");
}

TEST_F(CsvTest, LabelsFromATableOfTheirOwn) {
  from_.labels = (dir_ / "labels.csv").string();
  from_.label = "role";
  const std::string nodes = "id,x\na,1.5\nb,2\nc,3\n";
  write_text(from_.labels, "role,id\nred,c\nblue,a\nred,z\n");
  const Tables t = read(nodes);
  EXPECT_EQ(t.labels, std::vector<int>({0, -1, 1}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"blue", "red"}));
  EXPECT_TRUE(contains(t.notes.at(0), "labels.csv: 1 row of nodes that")) << t.notes[0];
  EXPECT_ERROR(read("id,role\na,1\nb,2\nc,3\n"), "has a column 'role', too; leave `labels` out");
  write_text(from_.labels, "role,id\nred,c\nblue,c\n");
  EXPECT_ERROR(read(nodes), "labels.csv:3: node 'c' appears again; first in line 2");
  write_text(from_.labels, "red\nblue\nred\n");
  EXPECT_ERROR(read(nodes), "labels.csv: no column 'id'");
}

TEST_F(CsvTest, TablesInMemoryAreReadAsFiles) {
  const std::vector<TextColumn> nodes = {{"id", {"a", "b", "c"}},
                                         {"label", {"red", "blue", ""}},
                                         {"age", {"1", "2.5", "-3"}},
                                         {"spend", {"0", "0", "1e2"}}};
  std::vector<TextColumn> edges = {{"source", {"a", "b", "c"}}, {"target", {"b", "a", "c"}}};
  const CsvSource from = {.nodes = "nodes", .edges = "edges"};
  const OpenRows open = [&](const std::string& name, const std::string&) {
    return std::make_unique<MemoryRows>(name, name == "nodes" ? nodes : edges);
  };
  const Tables memory = read_csv(from, open), file = read(kCsvNodes);
  EXPECT_EQ(memory.ids, file.ids);
  EXPECT_EQ(memory.labels, file.labels);
  EXPECT_EQ(memory.feature_names, file.feature_names);
  EXPECT_EQ(memory.features.dense(), file.features.dense());
  EXPECT_EQ(memory.edges.size(), file.edges.size());
  edges[1].cells[2] = "x";
  EXPECT_ERROR(read_csv(from, open), "edges:2: ");
  edges[1].cells.pop_back();
  EXPECT_ERROR(read_csv(from, open), "edges: 2 cells in column 'target', 3 in column 'source'");
}

}  // namespace
}  // namespace gcnh
