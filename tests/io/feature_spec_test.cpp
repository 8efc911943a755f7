#include "gcnh/io/feature_spec.h"

#include <gtest/gtest.h>

#include "tests/io/io_tools.h"

namespace gcnh {
namespace {

TEST(FeatureSpec, KindsSeparatorsAndBuckets) {
  const FeatureSpec spec =
      parse_feature_spec("num:age,spend  cat:city multi:tags(|),games(,) text:about(hash=64) ignore:note rest");
  ASSERT_EQ(spec.columns.size(), 7u);
  EXPECT_EQ(spec.columns[1].name, "spend");
  EXPECT_EQ(spec.columns[2].kind, ColumnKind::cat);
  EXPECT_EQ(spec.columns[3].separator, '|');
  EXPECT_EQ(spec.columns[4].name, "games");
  EXPECT_EQ(spec.columns[4].separator, ',');
  EXPECT_EQ(spec.columns[5].buckets, 64);
  EXPECT_EQ(spec.columns[6].kind, ColumnKind::ignore);
  EXPECT_EQ(spec.others, OtherColumns::find);
  EXPECT_EQ(parse_feature_spec("num:a").others, OtherColumns::ignore);
  EXPECT_EQ(parse_feature_spec("cat:a num:rest").others, OtherColumns::num);
  EXPECT_EQ(parse_feature_spec("num:size(cm)").columns[0].name, "size(cm)");
  const FeatureSpec forms = parse_feature_spec("num:price(,),size date:since(mdy),until(utc)");
  EXPECT_EQ(forms.columns[0].name, "price");
  EXPECT_EQ(forms.columns[0].point, ',');
  EXPECT_FALSE(forms.columns[1].point);
  EXPECT_EQ(forms.columns[2].order, DateOrder::mdy);
  EXPECT_EQ(forms.columns[3].name, "until(utc)");
}

TEST(FeatureSpec, NamesMayHaveBlanks) {
  const FeatureSpec spec = parse_feature_spec("date:Hire Date(mdy),seen at(time) num:Perf. Score (%) rest");
  ASSERT_EQ(spec.columns.size(), 3u);
  EXPECT_EQ(spec.columns[0].name, "Hire Date");
  EXPECT_EQ(spec.columns[0].order, DateOrder::mdy);
  EXPECT_EQ(spec.columns[1].name, "seen at");
  EXPECT_EQ(spec.columns[1].order, DateOrder::time);
  EXPECT_EQ(spec.columns[2].name, "Perf. Score (%)");
  EXPECT_EQ(spec.others, OtherColumns::find);
}

TEST(FeatureSpec, NamesInQuotesMayHaveCommasAndColons) {
  const FeatureSpec spec =
      parse_feature_spec("num:\"Rabatt, in %\"(,),size,  \"a:  b\" multi:\"x, y\"(,) cat:5\" pipe rest");
  ASSERT_EQ(spec.columns.size(), 5u);
  EXPECT_EQ(spec.columns[0].name, "Rabatt, in %");
  EXPECT_EQ(spec.columns[0].point, ',');
  EXPECT_EQ(spec.columns[1].name, "size");
  EXPECT_EQ(spec.columns[2].name, "a:  b");
  EXPECT_EQ(spec.columns[3].name, "x, y");
  EXPECT_EQ(spec.columns[3].separator, ',');
  EXPECT_EQ(spec.columns[4].name, "5\" pipe");
  EXPECT_EQ(spec.others, OtherColumns::find);
}

TEST(FeatureSpec, WhatIsWrongIsNamed) {
  EXPECT_ERROR(parse_feature_spec("age"), "'age' is not of the form kind:column,column");
  EXPECT_ERROR(parse_feature_spec("number:age"), "unknown value 'number'");
  EXPECT_ERROR(parse_feature_spec("num:age,,x"), "a column's name is empty");
  EXPECT_ERROR(parse_feature_spec("num:age cat:age"), "column 'age' is declared twice, as num and as cat");
  EXPECT_ERROR(parse_feature_spec("multi:tags(ab)"), "a separator is one character");
  EXPECT_ERROR(parse_feature_spec("text:t(hash=0)"), "text takes (hash=N)");
  EXPECT_ERROR(parse_feature_spec("text:t(hash=99999999999)"), "text takes (hash=N)");
  EXPECT_ERROR(parse_feature_spec(" "), "no columns");
}

}  // namespace
}  // namespace gcnh
