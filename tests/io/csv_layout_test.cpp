// How a table may be laid out: separators, quotes, headers, rows that are wrong, bytes that are no text.
#include "tests/io/csv_fixture.h"

namespace gcnh {
namespace {

using CsvLayout = CsvTest;

TEST_F(CsvLayout, LinesAboveTheHeaderAreNamed) {
  const std::string hint = ": the column names seem to be in this line, which has 'id'; remove what stands above it";
  EXPECT_ERROR(read(join("# exported by a tool\n", kCsvNodes)), "nodes.csv:2" + hint);
  EXPECT_ERROR(read("Customers 2024,,\n,,\nid,label,x\na,1,2\n"), "nodes.csv:3" + hint);
  EXPECT_ERROR(read("Id,label,x\na,1,2\n"), "; did you mean 'Id'?");
  EXPECT_ERROR(read("name,label\na,1\n"), "nodes.csv: no column 'id'; columns: name label");
}

TEST_F(CsvLayout, QuotesNewlinesCrlfAndByteOrderMark) {
  const Tables t = read("\xEF\xBB\xBFid,label,x\r\n\"a \"\"1\"\"\",\"big,\nred\",1\r\n\r\n\" b\", blue ,2\r\nc,blue,3",
                        "source,weight,target\r\n\"a \"\"1\"\"\",7,\" b\"\r\n");
  EXPECT_EQ(t.ids, std::vector<std::string>({"a \"1\"", " b", "c"}));
  EXPECT_EQ(t.classes, std::vector<std::string>({"big,\nred", "blue"}));
  EXPECT_EQ(t.edges.at(0).target, 1);
}

TEST_F(CsvLayout, LinesAreCountedThroughQuotesAndBlanks) {
  from_.features.others = OtherColumns::num;
  EXPECT_ERROR(read("id,label,x\n\na,\"1\n2\",1\n\n\nb,1,abc\n"), "nodes.csv:7: column 'x': 'abc' is not a number");
  EXPECT_ERROR(read("id,label,x\na,\"1\n2\",zz\n"), "nodes.csv:2: column 'x': 'zz' is not a number");
}

TEST_F(CsvLayout, TabsByNameOrHeader) {
  EXPECT_EQ(read("id\tlabel\tx\na,1\t2\t3\n", "source\ttarget\na,1\ta,1\n").ids, std::vector<std::string>({"a,1"}));
  from_.nodes = (dir_ / "n.tsv").string();
  EXPECT_EQ(read("id\tlabel\tx,y\nb\t2\t3\n", "source,target\nb,b\n").feature_names, std::vector<std::string>({"x,y"}));
}

TEST_F(CsvLayout, SemicolonsSeparateWhereThereAreNoCommas) {
  const Tables t = read("id;label;x\na;r;1.5\nb;s;2\nc;r;3\n");
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"x"}));
  EXPECT_EQ(read("id;label;x\na;r;1,5\nb;s;2,25\nc;r;3,5\n").columns[0].numbers, std::vector<double>({1.5, 2.25, 3.5}));
}

TEST_F(CsvLayout, TheCommonestMarkOfTheHeaderSeparates) {
  EXPECT_EQ(read("id;label;price, net\na;x;1\n", "source;target\n").feature_names,
            std::vector<std::string>({"price, net"}));
  EXPECT_EQ(read("id,label,\"a;b;c;d\"\na,x,1\n", "source,target\n").feature_names,
            std::vector<std::string>({"a;b;c;d"}));
  const Tables t = read("sep=;\r\nid;label;x\r\na;x;1\r\n", "sep=,\nsource,target\na,a\n");
  EXPECT_EQ(t.feature_names, std::vector<std::string>({"x"}));
  EXPECT_ERROR(read("sep=;\nid;label\na\n"), "nodes.csv:3: found 1 field");
}

TEST_F(CsvLayout, MissingColumnsAreSuggested) {
  EXPECT_ERROR(read("idx,label,x\na,1,1\n"),
               "nodes.csv: no column 'id'; columns: idx label x; `id` names another; did you mean 'idx'?");
  EXPECT_ERROR(read("id,lable,x\na,1,1\n"),
               "no column 'label'; columns: id lable x; `label` names another; did you mean 'lable'?");
  EXPECT_ERROR(read(kCsvNodes, "src,dst\na,b\n"), "edges.csv: no column 'source'");
  from_.split = {"part"};
  EXPECT_ERROR(read(kCsvNodes), "no column 'part'");
}

TEST_F(CsvLayout, AMissingHeaderIsAskedFor) {
  EXPECT_ERROR(read("a,1,0.5\nb,2,3\n"), "nodes.csv:1: no column 'id', but '1'; does the file lack a line that names");
  EXPECT_ERROR(read("a,1,0,0\nb,2,3,1\n"), "nodes.csv:1: two columns are called '0'; does the file lack a line");
  EXPECT_ERROR(read(kCsvNodes, "a,b\n"), "edges.csv:1: no column 'source', but 'a'; does the file lack a line");
  EXPECT_ERROR(read("idx,label,0\na,1,1\n"), "nodes.csv: no column 'id'; columns: idx label 0");
}

TEST_F(CsvLayout, WrongHeadersAreErrors) {
  EXPECT_ERROR(read("id,label,x,x\na,1,1,1\n"), "nodes.csv:1: two columns are called 'x'; rename one of them");
  EXPECT_ERROR(read(",\n0,a\n"), "nodes.csv:1: no column has a name");
  EXPECT_ERROR(read(""), "nodes.csv: the file is empty");
  EXPECT_ERROR(read("\n\n"), "nodes.csv: the file is empty");
  EXPECT_ERROR(read("id,label\n"), "nodes.csv: no nodes");
}

// As spreadsheets leave them at the end, and pandas at the beginning.
TEST_F(CsvLayout, ColumnsWithoutANameAreLeftOut) {
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

TEST_F(CsvLayout, WrongRowsAreErrors) {
  EXPECT_ERROR(read("id,label,x\na,1\n"), "nodes.csv:2: found 2 fields, expected 3");
  EXPECT_ERROR(read("id,label\na,1,2\n"), "nodes.csv:2: found 3 fields, expected 2");
  EXPECT_ERROR(read("id,label\na,1\nb,2\na,1\n"), "nodes.csv:4: node 'a' appears again; first in line 2");
  EXPECT_ERROR(read("id,label\n,1\n"), "nodes.csv:2: the node id is empty");
  EXPECT_ERROR(read("id,label\na,\"1\n"), "nodes.csv:2: a quoted field does not end");
  EXPECT_ERROR(read("id,label\na,x\"y\"\n"), "nodes.csv:2: a quote inside a field");
  EXPECT_ERROR(read("id,label\na,\nb,\n"), "column 'label' is blank in every row");
}

TEST_F(CsvLayout, TakesUtf8Only) {
  EXPECT_EQ(read("id,label,x\na,\u00E9\u20AC\U0001F600,1\nb,2,1\nc,1,1\n").classes.back(), "\u00E9\u20AC\U0001F600");
  for (const char* label :
       {"caf\xE9", "\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8", "\xC3,"})
    EXPECT_ERROR(read(join("id,label,x\na,1,1\nb,", label, ",1\n")),
                 "nodes.csv:3: not UTF-8; save the file in that encoding, in Excel as CSV UTF-8; if it is "
                 "Windows-1252, iconv -f WINDOWS-1252");
}

TEST_F(CsvLayout, RowsWithoutAnyValueArePassedOverAndCounted) {
  const Tables t = read("id;label;x\na;1;2\n;;\nb;2;3\n\"\";;\n;;\n", "source,target\na,b\n,\n");
  EXPECT_EQ(t.ids, std::vector<std::string>({"a", "b"}));
  EXPECT_EQ(t.edges.size(), 1u);
  ASSERT_EQ(t.notes.size(), 2u);
  EXPECT_TRUE(contains(t.notes[0], "nodes.csv: 3 rows without a single value passed over")) << t.notes[0];
  EXPECT_TRUE(contains(t.notes[1], "edges.csv: 1 row without a single value passed over")) << t.notes[1];
  EXPECT_ERROR(read("id,label,x\na,1,2\n,,3\n"), "nodes.csv:3: the node id is empty");
}

TEST_F(CsvLayout, NulBytesAreRefusedWithTheirLine) {
  using namespace std::string_literals;
  EXPECT_ERROR(read("id,label,x\na,1,2\nb,2,\0003\n"s),
               "nodes.csv:3: a NUL byte; is the file UTF-16? save it as UTF-8");
  EXPECT_ERROR(read("i\0d\0,\0l\0"s), "nodes.csv:1: a NUL byte; is the file UTF-16?");
  EXPECT_ERROR(read(kCsvNodes, "source,target\na,\0b\n"s), "edges.csv:2: a NUL byte");
  from_.edges = (dir_ / "list.edges").string();
  EXPECT_ERROR(read(kCsvNodes, "a b\na \0b\n"s), "list.edges:2: a NUL byte");
}

TEST_F(CsvLayout, OtherSeparators) {
  EXPECT_EQ(read("id|label|x\na|1|2,5\nb|2|3,5\nc||1,5\n").feature_names, std::vector<std::string>({"x"}));
  EXPECT_ERROR(read("id^label^x\na^1^2\n"), "'^' between the names? separate columns by commas");
  EXPECT_ERROR(read("id label x\na 1 2\n"), "blanks between the names? separate columns by commas");
  EXPECT_ERROR(read("id,label,x\ra,1,2\rb,2,3\r"), "nodes.csv:1: lines end with CR alone");
}

TEST_F(CsvLayout, MissingFileIsAnIoError) {
  read(kCsvNodes);
  std::filesystem::remove(from_.edges);
  EXPECT_EQ(status_of([&] { read_csv(from_); }), Status::io);
}

TEST_F(CsvLayout, UnendingQuoteStopsEarly) {
  std::string text = "id,label\na,\"";
  while (text.size() < 17 << 20) text += std::string(10'000, 'x') + "\n";
  EXPECT_ERROR(read(text), "nodes.csv:2: a row of more than 16777216 bytes; is a quote missing?");
}

TEST_F(CsvLayout, CutAndDamagedFilesAreReadOrRefused) {
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
