#include "gcnh/io/missing_words.h"

#include <algorithm>

#include "gcnh/io/cells.h"

namespace gcnh {

void MissingWords::add(std::string_view cell, const std::vector<std::string>& words) {
  ++cells_;
  const auto found = std::find(kWords.begin(), kWords.end(), cell);
  if (found == kWords.end() || !is_missing(cell, words)) return;
  if (std::find(words.begin(), words.end(), cell) == words.end()) ++counts_[found - kWords.begin()];
}

MissingWords::Word MissingWords::often() const {
  const auto most = std::max_element(counts_.begin(), counts_.end());
  if (*most == 0 || 20 * *most < cells_) return {};
  return {std::string(kWords[most - counts_.begin()]), *most};
}

}  // namespace gcnh
