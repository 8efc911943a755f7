// --recipe FILE.toml: options of the user's own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

class OwnRecipe : public ::testing::Test {
 protected:
  Answer train(const std::string& recipe, const std::string& model = "mlp") {
    write_text(folder_ / "own.toml", recipe);
    return run_program({"train", "--model", model, "--recipe", folder_ / "own.toml", "--splits", "0", "--epochs", "2",
                        "--json", "--quiet"});
  }
  nlohmann::json options(const std::string& recipe) {
    const Answer a = train(recipe);
    EXPECT_EQ(a.code, 0) << a.err;
    return a.code == 0 ? nlohmann::json::parse(a.out)["options"] : nlohmann::json();
  }
  void expect_refused(const std::string& recipe, int code, const std::string& words) {
    const Answer a = train(recipe);
    EXPECT_EQ(a.code, code) << recipe;
    EXPECT_NE(a.err.find(words), std::string::npos) << a.err;
  }
  TempDir folder_;
};

TEST_F(OwnRecipe, NamesOfOptionsMayBeWrittenAsFlags) {
  for (const char* name : {"weight_decay", "weight-decay"})
    EXPECT_EQ(options(std::string("[options]\n") + name + " = 0.25\n")["weight_decay"], 0.25) << name;
  expect_refused("[options]\nweight-decay = 1\nweight_decay = 2\n", 65, "'weight_decay' is set twice");
}

TEST_F(OwnRecipe, UnknownNamesAreRefused) {
  expect_refused("[options]\nhiden = 8\n", 2, "own.toml:2: no option 'hiden'; did you mean 'hidden'?");
  expect_refused("model = \"mlp\"\n[options]\naggregation = \"sum\"\n", 2, "no option 'aggregation'");
  expect_refused("hidden = 8\n", 2, "own.toml:1: 'hidden' stands outside of a table; options stand under [options]");
  expect_refused("[opitons]\nhidden = 8\n", 2, "own.toml:1: no table 'opitons'; did you mean 'options'?");
}

TEST_F(OwnRecipe, WithoutAModelItMayServeSeveral) {
  EXPECT_EQ(options("[options]\nhidden = 8\naggregation = \"sum\"\nscale = \"none\"\n")["hidden"], 8);
}

}  // namespace
}  // namespace gcnh::testing
