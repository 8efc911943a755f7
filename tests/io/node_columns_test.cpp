#include "gcnh/io/node_columns.h"

#include <functional>

#include "tests/io/csv_fixture.h"

namespace gcnh {
namespace {

using NodeColumnsTest = CsvTest;

TEST_F(NodeColumnsTest, WrongNumbersNameColumnAndValue) {
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

TEST_F(NodeColumnsTest, EverythingThatCannotBeUsedIsNamedAtOnce) {
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

TEST_F(NodeColumnsTest, AllOddWordsOfAColumnAreNamedAtOnce) {
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

TEST_F(NodeColumnsTest, WordsThatMayBeSignsAreNamed) {
  EXPECT_ERROR(read(nodes_with_x(30, [](int i) { return join(i, i % 3 ? ".50 CR" : ".50"); }), kNoEdges),
               "nodes.csv:3: column 'x': '1.50 CR' is not a number (and 19 more cells); 'CR' may be a sign, or a word "
               "for something else; write numbers like -1234.5 and 1234.5; `categorical` x or `ignore` x if");
}

TEST_F(NodeColumnsTest, AColumnOfOtherThingsIsNotAListOfMissingWords) {
  from_.features = parse_feature_spec("num:x");
  const auto words = [](int i) { return i == 3 ? "7" : join("word", i); };
  EXPECT_ERROR(
      read(nodes_with_x(40, words), kNoEdges),
      "column 'x': 'word0' is not a number (and 38 more cells); numbers are written like 1234.5; `categorical`");
}

TEST_F(NodeColumnsTest, WordsForMissingThatNeverOccurAreNoted) {
  from_.missing_of = {{"x", {"99", "-1", "!NA"}}};
  const Tables t = read(nodes_with_x(30, [](int i) { return i % 3 ? join(i, ".5") : "99"; }), kNoEdges);
  ASSERT_EQ(t.notes.size(), 2u);  // and that there are no edges
  EXPECT_TRUE(t.notes[0].ends_with("nodes.csv: column 'x': no cell is '-1', which `missing` names")) << t.notes[0];
}

TEST_F(NodeColumnsTest, CommasThatMayBeThousandsFractionsOrSetsAskForADeclaration) {
  const std::string nodes = nodes_with_x(30, [](int i) { return join(200 + i, ",523"); });
  EXPECT_ERROR(read(nodes, kNoEdges),
               "column 'x': '200,523' is not a number (and 29 more cells); `features` 'num:x(.) rest' if commas are "
               "between thousands, 'num:x(,) rest' if they are before fractions, 'multi:x(,) rest' if these are sets");
  from_.features = parse_feature_spec("num:x(.) rest");
  EXPECT_EQ(read(nodes, kNoEdges).columns[0].numbers[0], 200523);
  from_.features = parse_feature_spec("num:x(,) rest");
  EXPECT_EQ(read(nodes, kNoEdges).columns[0].numbers[0], 200.523);
}

TEST_F(NodeColumnsTest, DatesThatAreNoneMayMeanMissing) {
  EXPECT_ERROR(
      read(nodes_with_x(30, [](int i) { return i == 4 ? "0000-00-00" : join("2020-01-", 10 + i % 20); }), kNoEdges),
      "column 'x': '0000-00-00' is not a date; write dates as 2024-02-29; `missing` x=0000-00-00 if it means");
  from_.features = {{{.name = "x", .kind = ColumnKind::date, .order = DateOrder::dmy}}, OtherColumns::ignore, true};
  EXPECT_ERROR(
      read(nodes_with_x(30, [](int i) { return join("03/", 1 + i % 25, "/2023"); }), kNoEdges),
      "column 'x': '03/13/2023' is not a date (and 12 more cells); the model was trained on dates with the day "
      "first; write all of them like that, or as 2024-02-29");
}

TEST_F(NodeColumnsTest, WordsThatMayBeMeantDoNotVanishSilently) {
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

TEST_F(NodeColumnsTest, MissingValuesGetAnIndicator) {
  from_.missing = {"?"};
  from_.missing_labels = {"unknown"};
  const Tables t = read("id,label,age,city\na,x,4,Rome\nb,unknown,NA,?\nc,NaN,?,Oslo\n");
  EXPECT_EQ(t.labels, std::vector<int>({0, -1, -1}));
  EXPECT_EQ(t.feature_names,
            std::vector<std::string>({"age", "age (missing)", "city=Oslo", "city=Rome", "city (missing)"}));
  EXPECT_EQ(t.features.nonzeros(), 3 + 2 + 3);  // the mean of the ages stands in
}

TEST_F(NodeColumnsTest, WordsForMissingValuesOfOneColumn) {
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

TEST_F(NodeColumnsTest, NumbersAndDatesAsPeopleWriteThem) {
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

TEST_F(NodeColumnsTest, PointsAreBetweenThousandsWhereTheTableHasDecimalCommas) {
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

TEST_F(NodeColumnsTest, SeveralUnitsInAColumnAreRefused) {
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

TEST_F(NodeColumnsTest, NumbersWithoutTheUnitOfTheOthersAreCounted) {
  const Tables t = read("id,label,spend\na,x,\"€1,074.15\"\nb,x,€7\nc,y,12.5\n");
  EXPECT_EQ(t.columns[0].numbers, std::vector<double>({1074.15, 7, 12.5}));
  ASSERT_EQ(t.assumptions.size(), 1u);
  EXPECT_TRUE(t.assumptions[0].ends_with("column 'spend': 1 of 3 numbers without '€', taken to be in the same unit"));
  EXPECT_TRUE(t.notes.empty());
}

// What a model was trained on is declared with its form.
TEST_F(NodeColumnsTest, ColumnsOfAModelTakePlainNumbers) {
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

}  // namespace
}  // namespace gcnh
