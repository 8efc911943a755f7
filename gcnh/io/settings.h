// What a TOML file sets, one entry per key, for files that stand in for flags.
#pragma once

#include <string>
#include <vector>

namespace gcnh {

struct Setting {
  std::string table;  // "" on top, "train", "data split" for [data.split]
  std::string key;    // underscores, however it was written
  std::vector<std::string> values;
  bool is_list = false;
  int line = 0;
};

// In the order of the file. Throws a data error with file and line for text that is no TOML, for a key that is set
// twice, and for values that are no numbers, words, true or false, or lists of these.
std::vector<Setting> read_settings(const std::string& path);

// The text as a TOML string, quotes included.
std::string toml_string(const std::string& text);

}  // namespace gcnh
