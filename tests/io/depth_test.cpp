#include "gcnh/io/depth.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gcnh/io/json.h"
#include "gcnh/run/recipe.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

std::string repeated(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::string nested_arrays(int depth) { return repeated("[", depth) + repeated("]", depth); }

TEST(JsonDepth, DeepTextIsRefusedBeforeItIsParsed) {
  EXPECT_NO_THROW(check_json_depth(nested_arrays(64), "x"));
  EXPECT_ERROR(check_json_depth(nested_arrays(65), "x.json"), "x.json:1: nested deeper than 64 levels");
  EXPECT_ERROR(check_json_depth("{\n\"a\":\n" + nested_arrays(200'000) + "}", "x"), "x:3: nested deeper");
  EXPECT_ERROR(check_json_depth(repeated("{\"a\":", 100), "x"), "nested deeper");
  EXPECT_EQ(status_of([] { check_json_depth(nested_arrays(65), "x"); }), Status::data);
}

TEST(JsonDepth, BracketsThatEndOrStandInStringsDoNotCount) {
  EXPECT_NO_THROW(check_json_depth("[" + repeated("[[]],{},", 1000) + "0]", "x"));
  EXPECT_NO_THROW(check_json_depth(R"(["\"[", "\\", ")" + repeated("[{", 1000) + "\"]", "x"));
  EXPECT_ERROR(check_json_depth(R"(["\\", )" + nested_arrays(64) + "]", "x"), "nested deeper");
}

TEST(JsonDepth, ParsingChecksItAndLeavesOtherErrorsToTheCaller) {
  EXPECT_EQ(parse_json<nlohmann::json>("[1, {\"a\": 2}]", "x")[1]["a"], 2);
  EXPECT_ERROR(parse_json<nlohmann::json>(nested_arrays(100'000), "x"), "x:1: nested deeper");
  EXPECT_THROW(parse_json<nlohmann::json>("[1", "x"), nlohmann::json::parse_error);
}

TEST(TomlDepth, DottedKeysAndBracketsAreRefused) {
  const std::string key = "a" + repeated(".a", 100'000);
  EXPECT_ERROR(check_toml_depth(key + " = 1\n", "x.toml"), "x.toml:1: nested deeper than 64 levels");
  EXPECT_ERROR(check_toml_depth("b = 1\n\n[" + key + "]\n", "x"), "x:3: nested deeper");
  EXPECT_ERROR(check_toml_depth("b = {" + key + " = 1}\n", "x"), "nested deeper");
  EXPECT_ERROR(check_toml_depth("b = [\"\"\"a\"\"\"\", {" + key + " = 1}]\n", "x"), "nested deeper");
  EXPECT_ERROR(check_toml_depth("b = ['', {" + key + " = 1}]\n", "x"), "nested deeper");
  EXPECT_ERROR(check_toml_depth("a" + repeated(" . \"a\"", 100) + " = 1\n", "x"), "nested deeper");
  EXPECT_ERROR(check_toml_depth("b = " + nested_arrays(100), "x"), "nested deeper");
  EXPECT_ERROR(check_toml_depth("b = " + repeated("{a = ", 100), "x"), "nested deeper");
}

TEST(TomlDepth, LongListsStringsAndCommentsAreFine) {
  EXPECT_NO_THROW(check_toml_depth("lr = [" + repeated("0.01, 1.5,\n", 1000) + "]\n", "x"));
  EXPECT_NO_THROW(check_toml_depth(repeated("[a.b]\nc.d = 1.5\n[[t]]\n", 1000), "x"));
  const std::string noise = repeated(".[{", 1000);
  EXPECT_NO_THROW(check_toml_depth("# " + noise + "\na = \"\\\"" + noise + "\"\nb = '\\'\nc = '" + noise + "'\n", "x"));
  EXPECT_NO_THROW(
      check_toml_depth("a = \"\"\"\n\"" + noise + "\n" + noise + "\"\"\"\"\"\nb = '''" + noise + "'''", "x"));
  for (const EmbeddedFile& file : recipe_files()) EXPECT_NO_THROW(check_toml_depth(file.text, std::string(file.name)));
}

TEST(TomlDepth, RecipesAreCheckedBeforeTheyAreParsed) {
  const TempDir folder;
  const std::string path = folder / "deep.toml";
  write_text(path, "a" + repeated(".a", 100'000) + " = 1\n");
  EXPECT_ERROR(recipe_options(path, "gcnh", "texas"), "deep.toml:1: nested deeper");
  EXPECT_ERROR(find_grid(path, "gcnh", "texas"), "deep.toml:1: nested deeper");
}

}  // namespace
}  // namespace gcnh
