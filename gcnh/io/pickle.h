// Python pickles up to protocol 2, read as data: an interpreter of the opcodes that builds inert values. Nothing is
// imported, called or executed; a global is only a name, and only names on a short list are accepted.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace gcnh {

struct PickleValue {
  enum class Kind { none, boolean, integer, real, text, tuple, list, dict, global, object };

  Kind kind = Kind::none;
  int depth = 1;             // levels of nesting, itself included
  std::int64_t integer = 0;  // boolean: 0 or 1
  double real = 0;
  std::string_view text;                  // text: the bytes; global and object: "module name"
  std::vector<const PickleValue*> items;  // dict and object: key, value, key, value, ...
  const PickleValue* args = nullptr;      // object: the tuple it was made from
  const PickleValue* state = nullptr;     // object: what BUILD gave it
};

// The values of one pickle. They point into the bytes, which must outlive them; a list may hold itself, so the values
// live in one store instead of owning each other.
class Pickle {
 public:
  Pickle(std::string_view bytes, std::string where);
  const PickleValue& root() const { return *root_; }

 private:
  std::deque<PickleValue> values_;
  const PickleValue* root_ = nullptr;
};

}  // namespace gcnh
