#include "gcnh/graph/columns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/graph/encode.h"
#include "tests/io/io_tools.h"

namespace gcnh {
namespace {

const double kNone = std::nan("");

Column number_column(const std::string& name, std::vector<double> values, ColumnKind kind = ColumnKind::num) {
  Column out;
  out.spec = {.name = name, .kind = kind};
  out.numbers = std::move(values);
  return out;
}

// Rows of item numbers.
Column item_column(const std::string& name, ColumnKind kind, std::vector<std::string> values,
                   const std::vector<std::vector<Index>>& rows) {
  Column out;
  out.spec = {.name = name, .kind = kind};
  out.items = {static_cast<Index>(rows.size()), static_cast<Index>(values.size()), {0}, {}, {}};
  for (const auto& row : rows) {
    out.items.indices.insert(out.items.indices.end(), row.begin(), row.end());
    out.items.offsets.push_back(out.items.nnz());
  }
  out.values = std::move(values);
  return out;
}

Matrix dense(const Features& x) { return x.is_sparse() ? filled(x.sparse()) : x.dense(); }

TEST(Columns, NumbersAreFittedOnTheListedNodesAlone) {
  const std::vector<Column> columns = {number_column("x", {1, 3, 100, kNone}), number_column("y", {5, 5, 5, 5})};
  const Schema schema = fit_schema(columns, std::vector<Index>{0, 1}, Scale::standard);
  EXPECT_EQ(schema.columns[0].mean, 2);
  EXPECT_EQ(schema.columns[0].deviation, 1);
  EXPECT_FALSE(schema.columns[0].has_indicator);  // no value is missing in training
  EXPECT_EQ(schema.columns[1].deviation, 1);      // constant
  Unseen unseen;
  const Matrix x = dense(encode(schema, columns, 4, &unseen));
  EXPECT_EQ(x(2, 0), Real{98});
  EXPECT_EQ(x(3, 0), Real{0});
  ASSERT_EQ(unseen.missing.size(), 1u);
  EXPECT_EQ(unseen.missing[0].cells, 1);
}

TEST(Columns, MissingValuesAreTheMeanAndAnIndicator) {
  const std::vector<Column> columns = {number_column("x", {1, kNone, 5})};
  const Schema schema = fit_schema(columns, std::vector<Index>{0, 1, 2}, Scale::none);
  EXPECT_EQ(schema.feature_names(), std::vector<std::string>({"x", "x (missing)"}));
  const Matrix x = dense(encode(schema, columns, 3));
  EXPECT_EQ(x(1, 0), Real{3});
  EXPECT_EQ(x(1, 1), Real{1});
  EXPECT_EQ(x(0, 1), Real{0});
}

TEST(Columns, NumbersFarBeyondThoseOfTrainingAreTold) {
  const std::vector<Column> columns = {number_column("rate", {0.1, 0.3, 0.5, 0.51, 40, kNone, -0.2})};
  const Schema schema = fit_schema(columns, std::vector<Index>{0, 1}, Scale::standard);
  Unseen unseen;
  encode(schema, columns, 7, &unseen);
  ASSERT_EQ(unseen.far.size(), 1u);
  EXPECT_EQ(unseen.far[0].cells, 3);
  EXPECT_EQ(unseen.nodes, std::vector<Index>({3, 4, 5, 6}));
  EXPECT_EQ(unseen.notes().back(),
            "column rate: 3 numbers far beyond those of training, for example 0.51; training had 0.1 to 0.3; "
            "see whether the unit is the same");
}

TEST(Columns, OnlyValuesOfTrainingAreFeatures) {
  const std::vector<Column> columns = {item_column("c", ColumnKind::cat, {"a", "b", "z"}, {{0}, {1}, {2}, {}}),
                                       item_column("s", ColumnKind::multi, {"p", "q"}, {{0, 1}, {}, {1}, {}})};
  const Schema schema = fit_schema(columns, std::vector<Index>{0, 1}, Scale::standard);
  EXPECT_EQ(schema.feature_names(), std::vector<std::string>({"c=a", "c=b", "s=p", "s=q"}));
  Unseen unseen;
  const Matrix x = dense(encode(schema, columns, 4, &unseen));
  EXPECT_EQ(x(0, 0), Real{1});
  EXPECT_EQ(x(2, 0) + x(2, 1), Real{0});
  EXPECT_EQ(x(2, 3), Real{1});
  ASSERT_EQ(unseen.values.size(), 1u);
  EXPECT_EQ(unseen.values[0].example, "z");
  ASSERT_EQ(unseen.missing.size(), 1u);  // an empty set is a set, a category that is not there is missing
  EXPECT_EQ(unseen.missing[0].column, "c");
}

TEST(Columns, AreFoundByName) {
  std::vector<Column> columns = {number_column("x", {1, 2}), item_column("c", ColumnKind::cat, {"a"}, {{0}, {0}})};
  const Schema schema = fit_schema(columns, std::vector<Index>{0, 1}, Scale::standard);
  const Matrix before = dense(encode(schema, columns, 2));
  std::swap(columns[0], columns[1]);
  columns.push_back(number_column("new", {1, 1}));
  Unseen unseen;
  const Matrix after = dense(encode(schema, columns, 2, &unseen));
  EXPECT_TRUE(std::equal(before.values().begin(), before.values().end(), after.values().begin()));
  EXPECT_EQ(unseen.columns, std::vector<std::string>({"new"}));
  columns[1].spec.name = "y";
  EXPECT_ERROR(encode(schema, columns, 2),
               "table: the columns do not fit the model; missing: x; not used by the model: new y; add the missing "
               "ones, with empty cells where nothing is known");
  columns[1] = item_column("x", ColumnKind::cat, {"a"}, {{0}, {0}});
  EXPECT_ERROR(encode(schema, columns, 2), "column 'x' is read as cat, the model was trained on num");
}

TEST(Columns, WordsOfOneNodeTellNothing) {
  const std::vector<Column> columns = {item_column("t", ColumnKind::text, {"once", "twice"}, {{0, 1}, {1}})};
  EXPECT_EQ(fit_schema(columns, std::vector<Index>{0, 1}, Scale::none).feature_names(),
            std::vector<std::string>({"t=twice"}));
}

TEST(Columns, AutomaticScaleIsEveryColumnsOwn) {
  const std::vector<Column> columns = {number_column("income", {50000, 70000, 60000}),
                                       number_column("visits", {0, 0, 8}), number_column("word", {0, 1, 0})};
  const Schema schema = fit_schema(columns, std::vector<Index>{0, 1, 2}, Scale::automatic);
  EXPECT_TRUE(schema.columns[0].is_centred);
  EXPECT_FALSE(schema.columns[1].is_centred);
  EXPECT_EQ(schema.columns[1].deviation, 8);
  EXPECT_EQ(schema.columns[2].deviation, 1);
  EXPECT_TRUE(fit_schema(columns, std::vector<Index>{0, 1, 2}, Scale::standard).columns[1].is_centred);
  EXPECT_EQ(fit_schema(columns, std::vector<Index>{0, 1, 2}, Scale::none).columns[0].deviation, 1);
  const ColumnCode largest = fit_schema(columns, std::vector<Index>{0, 1, 2}, Scale::largest).columns[0];
  EXPECT_FALSE(largest.is_centred);
  EXPECT_EQ(largest.deviation, 70000);
}

TEST(Columns, RowsAreTaken) {
  const std::vector<Column> taken =
      take_rows({number_column("x", {1, 2, 3}), item_column("c", ColumnKind::cat, {"a", "b"}, {{0}, {1}, {}})},
                std::vector<Index>{2, 1});
  EXPECT_EQ(taken[0].numbers, std::vector<double>({3, 2}));
  EXPECT_EQ(taken[1].items.offsets, std::vector<Offset>({0, 0, 1}));
}

}  // namespace
}  // namespace gcnh
