// Columns of an edge table that nothing uses, and those among them that may be weights.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gcnh/io/rows.h"

namespace gcnh {

class UnusedColumns {
 public:
  // The columns with names but those at the `used` places. Where edges have weights already, none is looked for.
  UnusedColumns(const Rows& rows, const std::set<std::size_t>& used, bool have_weights);

  void add(const Rows& rows);  // the row that was just read
  std::string note() const;    // what to tell of them; nothing when there are none

 private:
  struct Part {
    std::size_t place;
    std::string name;
    bool may_be_weight;  // so far
    double first = 0;
    bool differ = false, are_years = true;
  };
  std::string table_;
  std::vector<Part> parts_;
};

}  // namespace gcnh
