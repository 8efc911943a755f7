// What the program says of itself.
#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

TEST(Help, Teaches) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{{"--help"},
                                                                                    {"train", "--help"},
                                                                                    {"compare", "--help"},
                                                                                    {"predict", "--help"},
                                                                                    {"eval", "--help"},
                                                                                    {"explain", "--help"},
                                                                                    {"embed", "--help"},
                                                                                    {"update", "--help"},
                                                                                    {"inspect", "--help"},
                                                                                    {"data", "--help"},
                                                                                    {"data", "list"},
                                                                                    {"shard", "--help"},
                                                                                    {"scale-sim", "--help"},
                                                                                    {"synth", "--help"},
                                                                                    {"models"},
                                                                                    {"--version"}}) {
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 0);
    EXPECT_FALSE(a.out.empty());
  }
}

}  // namespace
}  // namespace gcnh::testing
