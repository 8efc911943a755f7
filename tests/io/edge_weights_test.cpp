#include "gcnh/io/edge_weights.h"

#include "tests/io/csv_fixture.h"

namespace gcnh {
namespace {

using EdgeWeightsTest = CsvTest;

TEST_F(EdgeWeightsTest, WeightsOfEdges) {
  EXPECT_TRUE(read(kCsvNodes).edge_weights.empty());
  from_.weight = "w";
  const Tables t = read(kCsvNodes, "source,w,target,when\na,0.5,b,1\nb,1e3,c,2\n");
  EXPECT_EQ(t.edge_weights, std::vector<Real>({Real(0.5), 1000}));
  EXPECT_EQ(t.notes.size(), 1u);
  EXPECT_ERROR(read(kCsvNodes), "edges.csv: no column 'w'; columns: source target");
  const auto with = [&](const std::string& cell) { read(kCsvNodes, "source,target,w\na,b,1\nb,c," + cell + "\n"); };
  EXPECT_ERROR(with("0"), "edges.csv:3: column 'w': '0' is no weight; leave the edge out, or give it one above 0");
  EXPECT_ERROR(with("-2"), "edges.csv:3: column 'w': '-2' is below 0; weights are above 0");
  EXPECT_ERROR(with(""), "edges.csv:3: column 'w': the cell is empty; every edge has a weight above 0");
  for (const char* cell : {"x", "nan", "inf", "1 2"}) EXPECT_ERROR(with(cell), "is not a number; every edge");
  EXPECT_ERROR(with("1e-999"), "'1e-999' is no weight");
  for (const char* cell : {"1e999", "1e300", "1e16", "1e-16", "1e-320"})
    EXPECT_ERROR(with(cell), "is outside 1e-15..1e15");
  from_.weight = "target";
  EXPECT_ERROR(read(kCsvNodes), "edges.csv: column 'target' holds node ids; `weight` names another");
}

TEST_F(EdgeWeightsTest, CellsWithoutAWeightAreCounted) {
  from_.weight = "w";
  EXPECT_ERROR(
      read(kCsvNodes, "source,target,w\na,b,1\nb,c,0\na,c,\nc,a,0\n"),
      "edges.csv:3: column 'w': '0' is no weight; leave the edge out, or give it one above 0 (and 2 more cells "
      "without one: remove those rows, or leave `weight` out and all edges weigh 1)");
  EXPECT_ERROR(read(kCsvNodes, "source;target;w\na;b;\nb;c;0,5\na;c;0,0\n"),
               "edges.csv:2: column 'w': the cell is empty; every edge has a weight above 0 (and 1 more cell");
}

TEST_F(EdgeWeightsTest, UnusedColumnsThatMayBeWeightsAreNamed) {
  const auto note = [&](const std::string& a, const std::string& b) {
    const Tables t = read(kCsvNodes, "source,target,how often\na,b," + a + "\nb,c," + b + "\n");
    return t.notes.at(0).substr(t.notes[0].find("column not used"));
  };
  EXPECT_EQ(note("2", "\"1.352,50\""), note("2", "0.5"));
  EXPECT_EQ(note("2", "0.5"), "column not used: 'how often'; weights? `weight` 'how often'");
  for (const auto& [a, b] : {std::pair("2", "2"),
                             {"2", ""},
                             {"2", "0"},
                             {"2", "x"},
                             {"1999", "2024"},
                             {"1508582520", "1508582521"},
                             {"-1", "2"}})
    EXPECT_EQ(note(a, b), "column not used: 'how often'") << a << " " << b;
  from_.weight = "how often";
  EXPECT_TRUE(read(kCsvNodes, "source,target,how often\na,b,2\nb,c,3\n").notes.empty());
}

TEST_F(EdgeWeightsTest, WeightsAreReadAsFeaturesAre) {
  from_.weight = "w";
  const auto weights = [&](const std::string& a, const std::string& b) {
    return read(kCsvNodes, "source;target;w\na;b;" + a + "\nb;c;" + b + "\n");
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

}  // namespace
}  // namespace gcnh
