// gcnh synth: the graph it writes has the homophily that was asked for, and trains.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

TEST(Synth, WritesAGraphThatTrains) {
  const TempDir folder;
  const std::string file = folder / "g.npz";
  const Answer made = run_program({"synth", "--homophily", "0.3", "--nodes", "200", "--seed", "4", "--out", file});
  ASSERT_EQ(made.code, 0) << made.err;
  const Answer inspected = run_program({"inspect", "--data", file, "--json"});
  const auto j = nlohmann::json::parse(inspected.out);
  EXPECT_EQ(j["nodes"], 200);
  EXPECT_NEAR(j["homophily"]["edge"].get<double>(), 0.3, 0.05);
  EXPECT_EQ(run_program({"train", "--data", file, "--epochs", "2", "--splits", "0", "--quiet"}).code, 0);
}

}  // namespace
}  // namespace gcnh::testing
