// The weights of edges, from the cells of their column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/io/cells.h"
#include "gcnh/io/rows.h"

namespace gcnh {

// Plain numbers are kept as they come. From the first cell that is none, or that may be thousands, cells are kept as
// text, since only the whole column says what 1,250 or 1.250 is.
class EdgeWeights {
 public:
  void add(const Rows& rows, std::size_t column);  // of the row that was just read
  // Fills the weights of `out`, and says how they were read where that is not plain. Throws a data error that counts
  // the cells that hold none.
  void finish(const Rows& rows, std::size_t column, Tables& out);

 private:
  void settle_points();
  void take(std::optional<double> weight, std::string_view text, int line);
  void finish_cells(const Rows& rows, std::size_t column, Tables& out);
  void check(const Rows& rows, std::size_t column) const;

  std::vector<Real> weights_;
  bool has_points_ = false;                  // among them, such as 0.5
  bool may_be_grouped_ = true;               // no number so far is like 0.5 or 1234
  bool are_plain_ = true;                    // the cells, too
  Cells cells_;                              // behind them
  std::vector<int> lines_;                   // of the cells
  std::pair<int, std::string> first_wrong_;  // of the cells that hold no weight: its line, and why
  std::int64_t count_wrong_ = 0;
};

}  // namespace gcnh
