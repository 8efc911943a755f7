// gcnh scale-sim: what a training would take on many ranks.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

TEST(ScaleSimCommand, SaysWhatItTookAndWhatItFound) {
  const Answer a = run_program({"scale-sim", "--parts-list", "2,8", "--steps", "1", "--hidden", "8", "--alpha", "5",
                                "--beta", "1", "--layers", "3", "--json"});
  ASSERT_EQ(a.code, 0) << a.err;
  const nlohmann::json told = nlohmann::json::parse(a.out);
  EXPECT_EQ(told["alpha_us"], 5);
  EXPECT_EQ(told["beta_gb_per_s"], 1);
  EXPECT_EQ(told["layers"], 3);
  ASSERT_EQ(told["points"].size(), 3u);
  EXPECT_EQ(told["points"][0]["parts"], 1);
  EXPECT_EQ(told["points"][2]["parts"], 8);
  EXPECT_GT(told["points"][2]["halo_seconds"], 0);
}

TEST(ScaleSimCommand, PrintsItsInputsAboveTheTable) {
  const Answer a = run_program({"scale-sim", "--parts-list", "4", "--steps", "1", "--layers", "1"});
  ASSERT_EQ(a.code, 0) << a.err;
  for (const char* words : {"1490 nodes", "1 layer of 64", "2 us a message, 12.5 GB/s", "ranks", "\n    4 "})
    EXPECT_NE(a.out.find(words), std::string::npos) << words << "\n" << a.out;
}

TEST(ScaleSimCommand, RefusesWhatCannotBe) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"--parts-list", "0"},
                                             {"--parts-list", "two"},
                                             {"--overlap", "2"},
                                             {"--beta", "0"},
                                             {"--shape", "cora"},
                                             {"--shape", "arxiv", "--data", "synthetic"},
                                             {"--shape", "arxiv", "--sqlite", "my.db"},
                                             {"--shape", "arxiv", "--directed"}}) {
    std::vector<std::string> words = {"scale-sim", "--steps", "1"};
    words.insert(words.end(), args.begin(), args.end());
    EXPECT_EQ(run_program(words).code, 2) << args[1];
  }
}

}  // namespace
}  // namespace gcnh::testing
