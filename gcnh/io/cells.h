// The cells of one column of a table, as they were written, back to back: what a kind is found in before it is parsed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gcnh {

class Cells {
 public:
  void add(std::string_view cell) {
    bytes_ += cell;
    ends_.push_back(bytes_.size());
  }
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

// Calls its argument for one cell after the other until it says no; tells whether it never did.
using ForAllCells = std::function<bool(const std::function<bool(std::string_view)>&)>;

// Whether the cell says that there is no value: empty, NA, NaN, null and the like, or one of the words. A word !NA
// tells that NA is a value.
bool is_missing(std::string_view cell, const std::vector<std::string>& words);

}  // namespace gcnh
