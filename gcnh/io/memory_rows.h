// A table that somebody has in memory, as columns of text.
#pragma once

#include <string>
#include <vector>

#include "gcnh/io/rows.h"

namespace gcnh {

struct TextColumn {
  std::string name = {};
  std::vector<std::string> cells = {};
};

// Rows are counted from 0 in messages. The columns outlive it; all of them have as many cells.
class MemoryRows : public Rows {
 public:
  MemoryRows(std::string name, const std::vector<TextColumn>& columns);
  MemoryRows(std::string name, std::vector<TextColumn>&& columns) = delete;

 private:
  bool read_row() override;

  const std::vector<TextColumn>& columns_;
  std::size_t next_ = 0;
};

}  // namespace gcnh
