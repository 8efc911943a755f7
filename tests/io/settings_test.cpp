// What a TOML file sets, key by key.
#include "gcnh/io/settings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "gcnh/base/error.h"
#include "tests/support/temp_dir.h"

namespace gcnh::testing {
namespace {

std::vector<Setting> settings_of(const std::string& text) {
  const TempDir folder;
  const std::string path = folder / "s.toml";
  std::ofstream(path) << text;
  return read_settings(path);
}

using Values = std::vector<std::string>;

TEST(Settings, HaveTableKeyValuesAndLine) {
  const std::vector<Setting> all = settings_of(
      "weight-decay = 1e-4\nname = 'a b'\n[train]\nepochs = 30\nquiet = true\n\n[data.split]\nignore = ['x', 2]\n");
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].key, "weight_decay");
  EXPECT_EQ(all[0].table, "");
  EXPECT_EQ(all[0].line, 1);
  EXPECT_EQ(all[1].values, Values{"a b"});
  EXPECT_EQ(all[2].table, "train");
  EXPECT_EQ(all[2].values, Values{"30"});
  EXPECT_FALSE(all[2].is_list);
  EXPECT_EQ(all[3].values, Values{"true"});
  EXPECT_EQ(all[4].table, "data split");
  EXPECT_EQ(all[4].values, (Values{"x", "2"}));
  EXPECT_TRUE(all[4].is_list);
  EXPECT_EQ(all[4].line, 8);
}

TEST(Settings, StringsReadBack) {
  for (const std::string& text : {std::string("plain"), std::string(), std::string("q\" b\\ t\t n\n e\x1b d\x7f"),
                                  std::string("ü µ 漢"), std::string("a = [1] # x")})
    EXPECT_EQ(settings_of("k = " + toml_string(text)).at(0).values, Values{text});
}

TEST(Settings, RefuseWhatIsNotThem) {
  for (const char* text : {"k", "k = [[1]]", "k = 1979-05-27", "k-k = 1\nk_k = 2", "k = {a = [{b = 1}]}"})
    EXPECT_THROW(settings_of(text), Error) << text;
}

}  // namespace
}  // namespace gcnh::testing
