// Edges that name nodes which the node table does not have.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/base/types.h"
#include "gcnh/io/rows.h"

namespace gcnh {

using Ids = std::unordered_map<std::string, Index>;

class UnmetIdsError : public Error {
  using Error::Error;
};

// All edges are read before it is an error, so that the message can say how many there are.
class UnmetIds {
 public:
  UnmetIds(const Ids& known, std::string table) : known_(known), table_(std::move(table)) {}

  void add(const Rows& rows, const std::string& id);
  bool any() const { return mentions_ > 0; }
  void check(std::int64_t edges) const;                            // throws when there was one
  std::string note(const Rows& rows, std::int64_t skipped) const;  // where edges that name one are left out

 private:
  const Ids& known_;
  std::string table_;  // of the nodes
  std::string first_, where_;
  std::int64_t mentions_ = 0;
  std::unordered_set<std::size_t> distinct_;  // hashes of the ids
};

}  // namespace gcnh
