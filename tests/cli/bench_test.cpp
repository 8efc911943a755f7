// gcnh bench scale: the smallest rung of the ladder, what it prints and what it refuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

TEST(BenchScale, TrainsOnSparseAndDenseFeatures) {
  const Answer answer =
      run_program({"bench", "scale", "--largest", "10000", "--epochs", "4", "--threads", "2", "--json"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  const json rungs = json::parse(answer.out);
  ASSERT_EQ(rungs.size(), 2u);
  for (const json& rung : rungs) {
    EXPECT_EQ(rung["nodes"], 1000);
    EXPECT_NEAR(rung["edges"].get<double>(), 10000, 1500);
    EXPECT_GT(rung["epoch_ms"].get<double>(), 0);
    EXPECT_GT(rung["peak_rss_bytes"].get<double>(), 1e6);
    EXPECT_LT(rung["last_train_loss"].get<double>(), rung["first_train_loss"].get<double>()) << "it really trains";
  }
  EXPECT_EQ(rungs[0]["shape"], "sparse");
  EXPECT_EQ(rungs[1]["shape"], "dense");
}

TEST(BenchScale, NamesWhatItDoesNotKnow) {
  const Answer shape = run_program({"bench", "scale", "--shape", "arxv"});
  EXPECT_EQ(shape.code, 2);
  EXPECT_NE(shape.err.find("arxiv"), std::string::npos) << shape.err;
  EXPECT_EQ(run_program({"bench", "scale", "--nodes", "5"}).code, 2) << "the ladder chooses its own";
}

}  // namespace
}  // namespace gcnh::testing
