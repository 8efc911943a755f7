#include "gcnh/io/memory_rows.h"

#include <utility>

namespace gcnh {

MemoryRows::MemoryRows(std::string name, const std::vector<TextColumn>& columns)
    : Rows(std::move(name)), columns_(columns) {
  for (const TextColumn& column : columns_) {
    require(column.cells.size() == columns_.front().cells.size(), this->name(), ": ",
            counted(std::ssize(column.cells), "cell"), " in column '", column.name, "', ",
            columns_.front().cells.size(), " in column '", columns_.front().name, "'");
    row_.push_back(column.name);
  }
  take_header();
}

bool MemoryRows::read_row() {
  if (columns_.empty() || next_ == columns_.front().cells.size()) return false;
  for (std::size_t c = 0; c < columns_.size(); ++c) row_[c] = columns_[c].cells[next_];
  line_ = static_cast<int>(next_++);
  return true;
}

}  // namespace gcnh
