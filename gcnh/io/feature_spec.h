// Which columns of a node table are features and how they are read, as people write it:
//   num:age,spend cat:country multi:interests(|) text:about(hash=4096) date:since bool:active ignore:note rest
// num:price(,) has decimal commas, date:since(mdy) months before days.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/columns.h"

namespace gcnh {

inline constexpr Index kMostBuckets = 1 << 20;  // that the words of a text are hashed into

// What becomes of columns that nobody declared.
enum class OtherColumns { find, ignore, num };
inline Words words_of(OtherColumns) {
  return {{"find", "their kind is found by looking"}, {"ignore"}, {"num", "they are numbers"}};
}

struct FeatureSpec {
  std::vector<ColumnSpec> columns = {};
  OtherColumns others = OtherColumns::find;
  bool may_lack = false;  // declared columns that a table lacks are no error yet
};

// Words separated by blanks. Without the word `rest`, other columns are no features; with num:rest they are numbers.
// Throws a usage error.
FeatureSpec parse_feature_spec(const std::string& text);

// Declares one column; declaring it twice is a usage error.
void declare(FeatureSpec& spec, ColumnSpec column);

}  // namespace gcnh
