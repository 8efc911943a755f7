#include "gcnh/io/csv.h"

#include <gtest/gtest.h>

#include "gcnh/io/memory_rows.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

const std::string kNodes = "id,label,age,spend\na,red,1,0\nb,blue,2.5,0\nc,,-3,1e2\n";
const std::string kEdges = "source,target\na,b\nb,a\nc,c\n";

class CsvTest : public ::testing::Test {
 protected:
  Tables read(const std::string& nodes, const std::string& edges = kEdges) {
    write_text(from_.nodes, nodes);
    write_text(from_.edges, edges);
    return read_csv(from_);
  }
  TempDir dir_;
  CsvSource from_ = {.nodes = (dir_ / "nodes.csv").string(), .edges = (dir_ / "edges.csv").string()};
};

TEST_F(CsvTest, ReadsTables) {
  const Tables t = read(kNodes);
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

TEST_F(CsvTest, QuotesNewlinesCrlfAndByteOrderMark) {
  const Tables t = read("\xEF\xBB\xBFid,label,x\r\n\"a \"\"1\"\"\",\"big,\nred\",1\r\n\r\n\" b\", blue ,2\r\nc,blue,3",
                        "source,weight,target\r\n\"a \"\"1\"\"\",7,\" b\"\r\n");
  EXPECT_EQ(t.ids, std::vector<std::string>({"a \"1\"", " b", "c"}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"big,\nred", "blue"}));
  EXPECT_EQ(t.edges.at(0).target, 1);
}

TEST_F(CsvTest, NotesWhatItDoesNotUse) {
  EXPECT_TRUE(read(kNodes).notes.empty());
  const Tables t = read(kNodes, "weight,source,target,date\n");
  ASSERT_EQ(t.notes.size(), 2u);
  EXPECT_TRUE(t.notes[0].ends_with("edges.csv: columns not used: weight date")) << t.notes[0];
  EXPECT_TRUE(t.notes[1].ends_with("edges.csv has no edges: every model sees the nodes alone")) << t.notes[1];
}

TEST_F(CsvTest, LinesAreCountedThroughQuotesAndBlanks) {
  from_.features.others = OtherColumns::num;
  EXPECT_ERROR(read("id,label,x\n\na,\"1\n2\",1\n\n\nb,1,abc\n"), "nodes.csv:7: column 'x': 'abc' is not a number");
  EXPECT_ERROR(read("id,label,x\na,\"1\n2\",zz\n"), "nodes.csv:2: column 'x': 'zz' is not a number");
}

TEST_F(CsvTest, TabsByNameOrHeader) {
  EXPECT_EQ(read("id\tlabel\tx\na,1\t2\t3\n", "source\ttarget\na,1\ta,1\n").ids, std::vector<std::string>({"a,1"}));
  from_.nodes = (dir_ / "n.tsv").string();
  EXPECT_EQ(read("id\tlabel\tx,y\nb\t2\t3\n", "source,target\nb,b\n").feature_names, std::vector<std::string>({"x,y"}));
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
  EXPECT_EQ(read(kNodes).labels, std::vector<int>({1, 0, -1}));
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

TEST_F(CsvTest, WeightsOfEdges) {
  EXPECT_TRUE(read(kNodes).edge_weights.empty());
  from_.weight = "w";
  const Tables t = read(kNodes, "source,w,target,when\na,0.5,b,1\nb,1e3,c,2\n");
  EXPECT_EQ(t.edge_weights, std::vector<Real>({Real(0.5), 1000}));
  EXPECT_EQ(t.notes.size(), 1u);
  EXPECT_ERROR(read(kNodes), "edges.csv: no column 'w'; columns: source target");
  const auto with = [&](const std::string& cell) { read(kNodes, "source,target,w\na,b,1\nb,c," + cell + "\n"); };
  EXPECT_ERROR(with("0"), "edges.csv:3: column 'w': '0' is no weight; leave the edge out, or give it one above 0");
  EXPECT_ERROR(with("-2"), "edges.csv:3: column 'w': '-2' is below 0; weights are above 0");
  EXPECT_ERROR(with(""), "edges.csv:3: column 'w': the cell is empty; every edge has a weight above 0");
  for (const char* cell : {"x", "nan", "inf", "1 2"}) EXPECT_ERROR(with(cell), "is not a number; every edge");
  EXPECT_ERROR(with("1e-999"), "'1e-999' is no weight");
  for (const char* cell : {"1e999", "1e300", "1e16", "1e-16", "1e-320"})
    EXPECT_ERROR(with(cell), "is outside 1e-15..1e15");
  from_.weight = "target";
  EXPECT_ERROR(read(kNodes), "edges.csv: column 'target' holds node ids; `weight` names another");
}

TEST_F(CsvTest, WrongNumbersNameColumnAndValue) {
  from_.features.columns = {{.name = "age"}};
  EXPECT_ERROR(read("id,label,age\na,1,2\nb,1,abc\n"),
               "nodes.csv:3: column 'age': 'abc' is not a number; numbers are written like 1234.5; `missing`");
  for (const char* cell : {"inf", "-inf", "1x", "1 2", "0x10", "--1"})
    EXPECT_ERROR(read(join("id,label,age\na,1,2\nb,1,", cell, "\n")), "is not a number");
  for (const char* cell : {"1e999", "1e200", "3.5e38"})
    EXPECT_ERROR(read(join("id,label,age\na,1,2\nb,1,", cell, "\n")),
                 join("'", cell, "' is too large; numbers go up to 3.4e38"));
  EXPECT_EQ(read("id,label,age\na,1,2\nb,1,1e-999\n", "source,target\n").columns[0].numbers[1], 0);
}

TEST_F(CsvTest, EverythingThatCannotBeUsedIsNamedAtOnce) {
  from_.features.columns = {{.name = "age"}, {.name = "since", .kind = ColumnKind::date}};
  const std::string nodes = "id,label,age,since,on\na,1,old,2024-01-01,yes\nb,1,,soon,no\nc,2,7,soon,no\n";
  EXPECT_ERROR(read(nodes), "2 columns cannot be read:\n  line 2: column 'age': 'old' is not a number;");
  EXPECT_ERROR(read(nodes), "line 3: column 'since': 'soon' is not a date (and 1 more cell); write dates as");
}

std::string nodes_with_x(int rows, const std::function<std::string(int)>& cell, const std::string& label = "") {
  std::string out = "id;label;x\n";
  for (int i = 0; i < rows; ++i)
    out += join(i, ";", label.empty() || i % 5 ? i % 2 ? "a" : "b" : label, ";", cell(i), "\n");
  return out;
}
const std::string kNoEdges = "source,target\n";

TEST_F(CsvTest, AllOddWordsOfAColumnAreNamedAtOnce) {
  const std::string several = nodes_with_x(80, [](int i) {
    return i == 7 ? "?" : i == 8 ? "-" : i == 9 ? "un,known" : i % 20 == 10 ? "<0.1" : join(i, ".5");
  });
  EXPECT_ERROR(read(several, kNoEdges),
               "nodes.csv:9: column 'x': '?' is not a number (and 6 more cells); numbers are written like 1234.5; "
               "`missing` 'x=?,-,<0.1' if these mean missing");
  const std::string units = nodes_with_x(60, [](int i) { return i % 5 == 3 ? "<0.1" : join(i, ".5 mg/L"); });
  EXPECT_ERROR(
      read(units, kNoEdges),
      "nodes.csv:5: column 'x': '<0.1' is not a number (and 11 more cells); others are like '0.5 mg/L' in line "
      "2; `missing` 'x=<0.1' if it means missing");
  from_.missing_of = {{"x", {"<0.1"}}};
  EXPECT_EQ(read(units, kNoEdges).columns[0].numbers[4], 4.5);
}

TEST_F(CsvTest, CommasThatMayBeThousandsFractionsOrSetsAskForADeclaration) {
  const std::string nodes = nodes_with_x(30, [](int i) { return join(200 + i, ",523"); });
  EXPECT_ERROR(read(nodes, kNoEdges),
               "column 'x': '200,523' is not a number (and 29 more cells); `features` 'num:x(.) rest' if commas are "
               "between thousands, 'num:x(,) rest' if they are before fractions, 'multi:x(,) rest' if these are sets");
  from_.features = parse_feature_spec("num:x(.) rest");
  EXPECT_EQ(read(nodes, kNoEdges).columns[0].numbers[0], 200523);
  from_.features = parse_feature_spec("num:x(,) rest");
  EXPECT_EQ(read(nodes, kNoEdges).columns[0].numbers[0], 200.523);
}

TEST_F(CsvTest, DatesThatAreNoneMayMeanMissing) {
  EXPECT_ERROR(
      read(nodes_with_x(30, [](int i) { return i == 4 ? "0000-00-00" : join("2020-01-", 10 + i % 20); }), kNoEdges),
      "column 'x': '0000-00-00' is not a date; write dates as 2024-02-29; `missing` x=0000-00-00 if it means");
  from_.features = {{{.name = "x", .kind = ColumnKind::date, .order = DateOrder::dmy}}, OtherColumns::ignore, true};
  EXPECT_ERROR(
      read(nodes_with_x(30, [](int i) { return join("03/", 1 + i % 25, "/2023"); }), kNoEdges),
      "column 'x': '03/13/2023' is not a date (and 12 more cells); the model was trained on dates with the day "
      "first; write all of them like that, or as 2024-02-29");
}

TEST_F(CsvTest, WordsThatMayBeMeantDoNotVanishSilently) {
  const auto country = [](int i) { return std::string(i % 7 == 0 ? "NA" : i % 2 ? "DE" : "ZA"); };
  const Tables t = read(nodes_with_x(60, country, "None"), kNoEdges);
  ASSERT_EQ(t.notes.size(), 3u);  // there are no edges
  EXPECT_TRUE(t.notes[0].ends_with("column 'x': 9 cells 'NA' taken for missing; `missing` 'x=!NA' if it is a value"));
  EXPECT_TRUE(t.notes[1].ends_with("12 labels 'None' taken for no label; `missing_label` '!None' if it is a class"));
  from_.missing_of = {{"x", {"!NA"}}};
  from_.missing_labels = {"!None"};
  const Tables kept = read(nodes_with_x(60, country, "None"), kNoEdges);
  EXPECT_EQ(kept.notes.size(), 1u);
  EXPECT_EQ(kept.columns[0].values, std::vector<std::string>({"DE", "NA", "ZA"}));
  EXPECT_EQ(kept.classes, std::vector<std::string>({"None", "a", "b"}));
  from_.missing_labels = {};
  from_.missing_of = {{"label", {"!None"}}, {"x", {"NA"}}};  // as was said
  EXPECT_EQ(read(nodes_with_x(60, country, "None"), kNoEdges).classes.size(), 3u);
  EXPECT_EQ(read(nodes_with_x(60, country, "None"), kNoEdges).notes.size(), 1u);
  from_.missing_of = {};
  EXPECT_EQ(read(nodes_with_x(60, [](int i) { return i < 2 ? "NA" : join("c", i % 3); }), kNoEdges).notes.size(), 1u);
  EXPECT_EQ(read(nodes_with_x(60, [](int i) { return i % 2 ? "NA" : join(i); }), kNoEdges).notes.size(), 1u);
}

TEST_F(CsvTest, MissingValuesGetAnIndicator) {
  from_.missing = {"?"};
  from_.missing_labels = {"unknown"};
  const Tables t = read("id,label,age,city\na,x,4,Rome\nb,unknown,NA,?\nc,NaN,?,Oslo\n");
  EXPECT_EQ(t.labels, std::vector<int>({0, -1, -1}));
  EXPECT_EQ(t.feature_names,
            std::vector<std::string>({"age", "age (missing)", "city=Oslo", "city=Rome", "city (missing)"}));
  EXPECT_EQ(t.features.nonzeros(), 3 + 2 + 3);  // the mean of the ages stands in
}

TEST_F(CsvTest, WordsForMissingValuesOfOneColumn) {
  from_.missing_of = {{"age", {"0", "99"}}};
  const Tables t = read("id,label,age,count\na,x,4,0\nb,x,0,3\nc,y,99,5\n");
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"age", "age (missing)", "count"}));
  EXPECT_EQ(t.features.nonzeros(), 3 + 2 + 2);
  from_.missing_of = {{"label", {"tbd"}}};
  EXPECT_EQ(read("id,label,age\na,x,4\nb,tbd,5\nc,y,6\n").labels, std::vector<int>({0, -1, 1}));
  from_.missing_of = {{"id", {"0"}}};
  EXPECT_ERROR(read("id,label,age\na,x,4\n"),
               "missing: column 'id' holds ids or splits; words for missing values are for");
  from_.missing_of = {{"ages", {"0"}}};
  EXPECT_ERROR(read("id,label,age\na,x,4\n"), "no column 'ages'");
}

TEST_F(CsvTest, NumbersAndDatesAsPeopleWriteThem) {
  const std::string nodes =
      "id;label;price;weight;since\na;x;1.234,50;12 kg;13/1/2020\nb;x;7,5;3,5 kg;1/2/2020\nc;y;;;\n";
  const Tables found = read(nodes);
  EXPECT_EQ(found.columns[0].numbers[0], 1234.5);
  EXPECT_EQ(found.columns[0].numbers[1], 7.5);
  EXPECT_EQ(found.columns[1].numbers[1], 3.5);
  EXPECT_EQ(found.columns[2].numbers[0] - found.columns[2].numbers[1], -19);
  from_.features = parse_feature_spec("num:price,weight date:since");
  const Tables declared = read(nodes);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(declared.columns[c].numbers[i], found.columns[c].numbers[i]);
  EXPECT_ERROR(read("id,label,price,weight,since\na,x,1,12 kg,13/1/2020\nb,x,2,3 lb,1/1/2020\n"),
               "nodes.csv:3: column 'weight': '3 lb' is not a number; others are like '12 kg' in line 2");
}

TEST_F(CsvTest, PointsAreBetweenThousandsWhereTheTableHasDecimalCommas) {
  const std::string nodes = "id;label;people;area\na;x;17.893;12,5\nb;x;897;3\nc;y;1.250;0,5\n";
  for (const char* features : {"rest", "num:people,area", "num:people(,),area"}) {
    from_.features = parse_feature_spec(features);
    const Tables t = read(nodes);
    EXPECT_EQ(t.columns[0].numbers, std::vector<double>({17893, 897, 1250})) << features;
    EXPECT_EQ(t.columns[1].numbers, std::vector<double>({12.5, 3, 0.5}));
  }
  from_.features = {};
  const Tables t = read(nodes);
  EXPECT_TRUE(t.columns[0].is_guess);
  EXPECT_EQ(t.columns[0].why, "numbers, '.' between thousands, as 'area' has decimal commas");
  EXPECT_EQ(advice_on({t.columns[0]}).at(0).argument(), "'num:people(.) rest'");
  EXPECT_TRUE(
      t.assumptions.at(0).ends_with("column 'people': 2 numbers like '17.893' taken to have '.' between thousands"));
  from_.features = parse_feature_spec("num:people(.),area");
  EXPECT_EQ(read(nodes).columns[0].numbers[0], 17.893);
  from_.features = {};
  EXPECT_EQ(read("id;label;people;area\na;x;17.893;12.5\nb;x;897;3\n", "source,target\n").columns[0].numbers[0],
            17.893);
}

TEST_F(CsvTest, SeveralUnitsInAColumnAreRefused) {
  const std::string fix =
      "; write all of them alike, in one unit; `categorical` weight or `ignore` weight if the column is not of numbers";
  EXPECT_ERROR(
      read("id,label,weight\na,x,5 kg\nb,x,3 lb\nc,y,7 kg\nd,y,2 lbs\ne,y,1 kg\n"),
      "nodes.csv:3: column 'weight': '3 lb' is not a number (and 1 more cell); others are like '5 kg' in line 2" + fix);
  EXPECT_ERROR(read("id,label,spend\na,x,€5\nb,x,$7\nc,y,€9\n"),
               "nodes.csv:3: column 'spend': '$7' is not a number; others are like '€5' in line 2");
  from_.features = parse_feature_spec("cat:weight");
  EXPECT_EQ(read("id,label,weight\na,x,5 kg\nb,x,3 lb\nc,y,7 kg\n", "source,target\n").columns[0].values.size(), 3u);
}

TEST_F(CsvTest, NumbersWithoutTheUnitOfTheOthersAreCounted) {
  const Tables t = read("id,label,spend\na,x,\"€1,074.15\"\nb,x,€7\nc,y,12.5\n");
  EXPECT_EQ(t.columns[0].numbers, std::vector<double>({1074.15, 7, 12.5}));
  ASSERT_EQ(t.assumptions.size(), 1u);
  EXPECT_TRUE(t.assumptions[0].ends_with("column 'spend': 1 of 3 numbers without '€', taken to be in the same unit"));
  EXPECT_TRUE(t.notes.empty());
}

// What a model was trained on is declared with its form.
TEST_F(CsvTest, ColumnsOfAModelTakePlainNumbers) {
  from_.features = {{{.name = "spend", .form = NumberForm{"", "€", ',', '.'}}}, OtherColumns::ignore, true};
  const Tables plain = read("id,label,spend\na,x,1074.15\nb,x,1.234\nc,y,\n");
  EXPECT_EQ(plain.columns[0].numbers[0], 1074.15);
  EXPECT_EQ(plain.columns[0].numbers[1], 1.234);
  EXPECT_NE(plain.assumptions.at(0).find("2 of 2 numbers without '€'"), std::string::npos);
  const Tables marked = read("id;label;spend\na;x;1.074,15\nb;x;1.234\nc;y;2 €\n");
  EXPECT_EQ(marked.columns[0].numbers, std::vector<double>({1074.15, 1234, 2}));
  const Tables thousands = read("id;label;spend\na;x;2.553\nb;x;897\nc;y;\n");
  EXPECT_EQ(thousands.columns[0].numbers[0], 2553);
  EXPECT_EQ(thousands.columns[0].numbers[1], 897);
  EXPECT_NE(thousands.assumptions.at(0).find("column 'spend': 1 number like '2.553' taken to have '.' between"),
            std::string::npos);
  EXPECT_ERROR(read("id,label,spend\na,x,$5\nb,x,2 €\n"),
               "nodes.csv:2: column 'spend': '$5' is not a number; the model was trained on numbers like 1.234,5 €; "
               "write all of them like that, or all like 1234.5");
  EXPECT_ERROR(
      read("id,label,spend\na,x,k.A.\nb,x,2 €\n"),
      "'k.A.' is not a number; the model was trained on numbers like 1.234,5 €; `missing` spend=k.A. if it means");
}

TEST_F(CsvTest, WeightsAreReadAsFeaturesAre) {
  from_.weight = "w";
  const auto weights = [&](const std::string& a, const std::string& b) {
    return read(kNodes, "source;target;w\na;b;" + a + "\nb;c;" + b + "\n");
  };
  using Weights = std::vector<Real>;
  const Tables commas = weights("3", "0,5");
  EXPECT_EQ(commas.edge_weights, Weights({3, Real(0.5)}));
  EXPECT_TRUE(commas.assumptions.at(0).ends_with("edges.csv: column 'w' is read as numbers, decimal commas"));
  EXPECT_EQ(weights("2,464", "12").edge_weights, Weights({2464, 12}));
  EXPECT_EQ(weights("0.5", "2,464").edge_weights, Weights({Real(0.5), 2464}));
  EXPECT_TRUE(weights("0.5", "2").assumptions.empty());
  EXPECT_ERROR(weights("0.5", "0,5"),
               "edges.csv:3: column 'w': '0,5' is not a number; every edge has a weight above 0, "
               "written like 1234.5 or, in all edges, 1234,5");
  EXPECT_ERROR(weights("0,5", "0,0"), "edges.csv:3: column 'w': '0,0' is no weight");
  const auto end_of_note = [&](const std::string& a, const std::string& b) {
    return weights(a, b).assumptions.at(0).substr(weights(a, b).assumptions[0].find(" is read as "));
  };
  EXPECT_EQ(weights("1.250", "12").edge_weights, Weights({Real(1.25), 12}));
  EXPECT_EQ(end_of_note("12", "1.250"), " is read as numbers, '.' before fractions");
  EXPECT_EQ(weights("1.250", "1.250.000").edge_weights, Weights({1250, 1250000}));
  EXPECT_EQ(end_of_note("1.250", "1.250.000"), " is read as numbers, '.' between thousands, decimal commas");
  for (const auto& [a, b] : {std::pair("1.250", "0.5"), {"0.5", "1.250"}, {"1.250", "1234"}, {"1.250", "1e3"}}) {
    EXPECT_TRUE(weights(a, b).assumptions.empty()) << a << " " << b;
    EXPECT_EQ(weights(a, b).edge_weights, Weights({Real(std::stod(a)), Real(std::stod(b))}));
  }
  EXPECT_ERROR(weights("-1.250", "0.5"), "edges.csv:2: column 'w': '-1.250' is below 0");
  const Tables with_commas = read("id;label;x\na;1;0,5\nb;2;3\nc;1;2\n", "source;target;w\na;b;1.250\nb;c;12\n");
  EXPECT_EQ(with_commas.edge_weights, Weights({1250, 12}));
}

TEST_F(CsvTest, ASecondTableWithDeclaredColumns) {
  from_.more = (dir_ / "more.csv").string();
  from_.features.columns = {{.name = "x", .kind = ColumnKind::multi}};
  write_text(from_.more, "id,x\na,p;q\na,r\n");
  EXPECT_EQ(read(kNodes).columns.back().values, std::vector<std::string>({"p", "q", "r"}));
  for (const ColumnKind kind : {ColumnKind::num, ColumnKind::cat, ColumnKind::multi}) {  // no row of any node
    from_.features.columns[0].kind = kind;
    write_text(from_.more, "id,x\n");
    EXPECT_EQ(read(kNodes).features.rows(), 3);
  }
  from_.features.columns[0].kind = ColumnKind::num;
  write_text(from_.more, "id,x\na,1\na,2\n");
  EXPECT_ERROR(read(kNodes), "column 'x' is declared as num, but a node has several rows; declare it as multi");
}

TEST_F(CsvTest, BothEndsInOneColumn) {
  from_.target = "source";
  EXPECT_ERROR(read(kNodes), "both ends of the edges are in column 'source'");
}

TEST_F(CsvTest, SemicolonsSeparateWhereThereAreNoCommas) {
  const Tables t = read("id;label;x\na;r;1.5\nb;s;2\nc;r;3\n");
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"x"}));
  EXPECT_EQ(read("id;label;x\na;r;1,5\nb;s;2,25\nc;r;3,5\n").columns[0].numbers, std::vector<double>({1.5, 2.25, 3.5}));
}

TEST_F(CsvTest, TheCommonestMarkOfTheHeaderSeparates) {
  EXPECT_EQ(read("id;label;price, net\na;x;1\n", "source;target\n").feature_names,
            std::vector<std::string>({"price, net"}));
  EXPECT_EQ(read("id,label,\"a;b;c;d\"\na,x,1\n", "source,target\n").feature_names,
            std::vector<std::string>({"a;b;c;d"}));
  const Tables t = read("sep=;\r\nid;label;x\r\na;x;1\r\n", "sep=,\nsource,target\na,a\n");
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"x"}));
  EXPECT_ERROR(read("sep=;\nid;label\na\n"), "nodes.csv:3: found 1 field");
}

TEST_F(CsvTest, WordsThatAreNotUtf8) {
  from_.missing = {"\xff"};
  EXPECT_ERROR(read(kNodes), "missing: a word is not UTF-8");
}

TEST_F(CsvTest, ASecondTableMayNameANodeSeveralTimes) {
  from_.more = (dir_ / "more.csv").string();
  from_.key = "who";
  write_text(from_.more, "who,game,hours\na,chess,1.5\na,go,2\nz,go,1\nc,go,0.5\n");
  const Tables t = read(kNodes);
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"age", "spend", "game=chess", "game=go"}));
  EXPECT_EQ(t.columns[2].items.indices, std::vector<Index>({0, 1, 1}));
  EXPECT_EQ(t.columns[3].spec.kind, ColumnKind::ignore);
  ASSERT_EQ(t.notes.size(), 1u);
  EXPECT_TRUE(t.notes[0].find("more.csv: 1 row of nodes that") != std::string::npos) << t.notes[0];
  write_text(from_.more, "who,team\na,red\nc,blue\n");
  EXPECT_EQ(read(kNodes).columns[2].spec.kind, ColumnKind::cat);
  write_text(from_.more, "who,age\na,7\n");
  EXPECT_ERROR(read(kNodes), "column 'age' is in");
}

TEST_F(CsvTest, MissingColumnsAreSuggested) {
  EXPECT_ERROR(read("idx,label,x\na,1,1\n"),
               "nodes.csv: no column 'id'; columns: idx label x; `id` names another; did you mean 'idx'?");
  EXPECT_ERROR(read("id,lable,x\na,1,1\n"),
               "no column 'label'; columns: id lable x; `label` names another; did you mean 'lable'?");
  EXPECT_ERROR(read(kNodes, "src,dst\na,b\n"), "edges.csv: no column 'source'");
  from_.split = {"part"};
  EXPECT_ERROR(read(kNodes), "no column 'part'");
}

TEST_F(CsvTest, AMissingHeaderIsAskedFor) {
  EXPECT_ERROR(read("a,1,0.5\nb,2,3\n"), "nodes.csv:1: no column 'id', but '1'; does the file lack a line that names");
  EXPECT_ERROR(read("a,1,0,0\nb,2,3,1\n"), "nodes.csv:1: two columns are called '0'; does the file lack a line");
  EXPECT_ERROR(read(kNodes, "a,b\n"), "edges.csv:1: no column 'source', but 'a'; does the file lack a line");
  EXPECT_ERROR(read("idx,label,0\na,1,1\n"), "nodes.csv: no column 'id'; columns: idx label 0");
}

TEST_F(CsvTest, WrongHeadersAreErrors) {
  EXPECT_ERROR(read("id,label,x,x\na,1,1,1\n"), "nodes.csv:1: two columns are called 'x'; rename one of them");
  EXPECT_ERROR(read(",\n0,a\n"), "nodes.csv:1: no column has a name");
  EXPECT_ERROR(read(""), "nodes.csv: the file is empty");
  EXPECT_ERROR(read("\n\n"), "nodes.csv: the file is empty");
  EXPECT_ERROR(read("id,label\n"), "nodes.csv: no nodes");
}

// As spreadsheets leave them at the end, and pandas at the beginning.
TEST_F(CsvTest, ColumnsWithoutANameAreLeftOut) {
  const Tables empty = read("id,label,x,,\na,1,1,,\nb,2,2,,\nc,2,3,,\n");
  EXPECT_EQ(empty.feature_names, std::vector<std::string>({"x"}));
  EXPECT_TRUE(empty.notes.empty());
  const Tables filled = read(",id,label,x\n0,a,1,1\n1,b,2,2\n2,c,2,3\n", "source,target,\na,b,\n");
  EXPECT_EQ(filled.feature_names, std::vector<std::string>({"x"}));
  ASSERT_EQ(filled.notes.size(), 1u);
  EXPECT_TRUE(
      filled.notes[0].ends_with("nodes.csv: column 1 has no name and is not used; give it one if it should be"));
  EXPECT_ERROR(read(",label,x\na,1,1\n"), "no column 'id'; columns: label x, and number 1 has no name");
}

TEST_F(CsvTest, WrongRowsAreErrors) {
  EXPECT_ERROR(read("id,label,x\na,1\n"), "nodes.csv:2: found 2 fields, expected 3");
  EXPECT_ERROR(read("id,label\na,1,2\n"), "nodes.csv:2: found 3 fields, expected 2");
  EXPECT_ERROR(read("id,label\na,1\nb,2\na,1\n"), "nodes.csv:4: node 'a' appears again; first in line 2");
  EXPECT_ERROR(read("id,label\n,1\n"), "nodes.csv:2: the node id is empty");
  EXPECT_ERROR(read("id,label\na,\"1\n"), "nodes.csv:2: a quoted field does not end");
  EXPECT_ERROR(read("id,label\na,x\"y\"\n"), "nodes.csv:2: a quote inside a field");
  EXPECT_ERROR(read("id,label\na,\nb,\n"), "column 'label' is blank in every row");
}

TEST_F(CsvTest, EdgesNameKnownNodes) {
  EXPECT_ERROR(read(kNodes, "source,target\na,b\na,u9\n"), "edges.csv:3: node 'u9' is not in nodes.csv");
  EXPECT_ERROR(read(kNodes, "source,target\n,b\n"), "edges.csv:2: column 'source': the cell is empty; write a node id");
  EXPECT_ERROR(read(kNodes, "source,target\na\n"), "edges.csv:2: found 1 field, expected 2");
  EXPECT_TRUE(read(kNodes, "source,target\n").edges.empty());
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

TEST_F(CsvTest, TakesUtf8Only) {
  EXPECT_EQ(read("id,label,x\na,\u00E9\u20AC\U0001F600,1\nb,2,1\nc,1,1\n").classes.back(), "\u00E9\u20AC\U0001F600");
  for (const char* label :
       {"caf\xE9", "\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8", "\xC3,"})
    EXPECT_ERROR(read(join("id,label,x\na,1,1\nb,", label, ",1\n")), "nodes.csv:3: not UTF-8");
}

TEST_F(CsvTest, RowsWithoutAnyValueArePassedOverAndCounted) {
  const Tables t = read("id;label;x\na;1;2\n;;\nb;2;3\n\"\";;\n;;\n", "source,target\na,b\n,\n");
  EXPECT_EQ(t.ids, std::vector<std::string>({"a", "b"}));
  EXPECT_EQ(t.edges.size(), 1u);
  ASSERT_EQ(t.notes.size(), 2u);
  EXPECT_TRUE(contains(t.notes[0], "nodes.csv: 3 rows without a single value passed over")) << t.notes[0];
  EXPECT_TRUE(contains(t.notes[1], "edges.csv: 1 row without a single value passed over")) << t.notes[1];
  EXPECT_ERROR(read("id,label,x\na,1,2\n,,3\n"), "nodes.csv:3: the node id is empty");
}

TEST_F(CsvTest, NulBytesAreRefusedWithTheirLine) {
  using namespace std::string_literals;
  EXPECT_ERROR(read("id,label,x\na,1,2\nb,2,\0003\n"s),
               "nodes.csv:3: a NUL byte; is the file UTF-16? save it as UTF-8");
  EXPECT_ERROR(read("i\0d\0,\0l\0"s), "nodes.csv:1: a NUL byte; is the file UTF-16?");
  EXPECT_ERROR(read(kNodes, "source,target\na,\0b\n"s), "edges.csv:2: a NUL byte");
  from_.edges = (dir_ / "list.edges").string();
  EXPECT_ERROR(read(kNodes, "a b\na \0b\n"s), "list.edges:2: a NUL byte");
}

TEST_F(CsvTest, OtherSeparators) {
  EXPECT_EQ(read("id|label|x\na|1|2,5\nb|2|3,5\nc||1,5\n").feature_names, std::vector<std::string>({"x"}));
  EXPECT_ERROR(read("id^label^x\na^1^2\n"), "'^' between the names? separate columns by commas");
  EXPECT_ERROR(read("id label x\na 1 2\n"), "blanks between the names? separate columns by commas");
  EXPECT_ERROR(read("id,label,x\ra,1,2\rb,2,3\r"), "nodes.csv:1: lines end with CR alone");
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

TEST_F(CsvTest, MissingFileIsAnIoError) {
  read(kNodes);
  std::filesystem::remove(from_.edges);
  EXPECT_EQ(status_of([&] { read_csv(from_); }), Status::io);
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
  const Tables memory = read_csv(from, open), file = read(kNodes);
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

TEST_F(CsvTest, UnendingQuoteStopsEarly) {
  std::string text = "id,label\na,\"";
  while (text.size() < 17 << 20) text += std::string(10'000, 'x') + "\n";
  EXPECT_ERROR(read(text), "nodes.csv:2: a row of more than 16777216 bytes; is a quote missing?");
}

TEST_F(CsvTest, CutAndDamagedFilesAreReadOrRefused) {
  const std::string nodes = "id,label,x\n\"a\"\"\",red,1\r\nb,\"bl\nue\",2.5\n";
  const std::string edges = "source,target\nb,b\n";
  for_every_cut(nodes, [&](const std::string& text) {
    expect_read_or_refused(dir_.path().string(), [&] { read(text, edges); });
  });
  for_every_flip(nodes, 0, nodes.size(), [&](const std::string& text) {
    expect_read_or_refused(dir_.path().string(), [&] { read(text, edges); });
  });
  for_every_cut(edges, [&](const std::string& text) {
    expect_read_or_refused(dir_.path().string(), [&] { read(nodes, text); });
  });
  for_every_flip(edges, 0, edges.size(), [&](const std::string& text) {
    expect_read_or_refused(dir_.path().string(), [&] { read(nodes, text); });
  });
}

}  // namespace
}  // namespace gcnh
