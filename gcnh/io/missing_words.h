// Words that stand for no value unless somebody says otherwise, and that may have been meant: a class None, a country
// NA.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gcnh {

class MissingWords {
 public:
  void add(std::string_view cell, const std::vector<std::string>& words);  // words: as is_missing takes them
  // The commonest of them and how often it occurs, where that is in one cell of 20 or more; else a count of 0.
  struct Word {
    std::string text;
    std::int64_t count = 0;
  };
  Word often() const;

 private:
  static constexpr std::array<std::string_view, 6> kWords = {"NA", "N/A", "n/a", "NULL", "null", "None"};
  std::array<std::int64_t, kWords.size()> counts_ = {};
  std::int64_t cells_ = 0;
};

}  // namespace gcnh
