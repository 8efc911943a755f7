#include "gcnh/paper/records.h"

#include <gtest/gtest.h>

#include <set>

#include "gcnh/io/catalog.h"

namespace gcnh::testing {
using namespace paper;
namespace {

TEST(Records, TheLargestComesFirstAndTheBestIsComparable) {
  const std::vector<PublishedRecord> found = records_on("chameleon");
  ASSERT_GT(found.size(), 3u);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_GE(found[i - 1].value, found[i].value);
  EXPECT_EQ(found.front().model, "CNA") << "listed, ...";
  EXPECT_NE(found.front().why_not, "");
  EXPECT_EQ(best_record("chameleon"), "FaberNet 80.33") << "... but not compared with";
  EXPECT_EQ(best_record("texas"), "FSGNN 89.73");
  EXPECT_EQ(best_record("mine"), "none");
}

TEST(Records, WhatIsComparableHasFixedSplitsPublicCodeAndWasNotChosenByTest) {
  for (const CatalogEntry& entry : catalog()) {
    for (const PublishedRecord& record : records_on(entry.name)) {
      const std::string where = record.model + " on " + entry.name;
      EXPECT_TRUE((std::set<std::string>{"fixed", "random", "other", "unknown"}.contains(record.splits))) << where;
      EXPECT_TRUE((std::set<std::string>{"public", "unknown"}.contains(record.code))) << where;
      EXPECT_TRUE(record.value > 0 && record.value < 100) << where;
      if (!record.why_not.empty()) continue;
      EXPECT_EQ(record.splits, "fixed") << where;
      EXPECT_EQ(record.code, "public") << where;
      EXPECT_EQ(record.chosen.find("test"), std::string::npos) << where;
    }
  }
}

}  // namespace
}  // namespace gcnh::testing
