// Model files of every format so far (tests/data/models) still give the answers of the program that wrote them, to the
// last digit that it printed. first-*: by the first version, 0.1.0, features without columns; second: by a version of
// 2026-11-18, a split's model of typed columns; third-*: by the same, final models.
#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kModels = fs::path(GCNH_TEST_DATA) / "models";

class OlderModels : public ::testing::TestWithParam<std::string> {};

TEST_P(OlderModels, AnswerAsTheyDid) {
  const std::string nodes = GetParam().starts_with("first") ? "numbers.csv" : "columns.csv";
  const Answer a = run_program({"predict", "--quiet", "--model", kModels / (GetParam() + ".safetensors"), "--nodes",
                                kModels / nodes, "--edges", kModels / "edges.csv"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string then = slurp(kModels / (GetParam() + ".csv"));
  EXPECT_EQ(std::count(then.begin(), then.end(), '\n'), 31);
  EXPECT_EQ(a.out, then);
}

INSTANTIATE_TEST_SUITE_P(OfEveryFormat, OlderModels,
                         ::testing::Values("first-gcnh", "first-gcn", "first-mlp", "second", "third-refit",
                                           "third-ensemble"));

}  // namespace
}  // namespace gcnh::testing
