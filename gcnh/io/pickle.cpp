#include "gcnh/io/pickle.h"

#include <algorithm>
#include <array>

#include "gcnh/base/error.h"
#include "gcnh/io/pickle_bytes.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

using Kind = PickleValue::Kind;

constexpr std::int64_t kMostOpcodes = 10'000'000;
constexpr std::size_t kMostMemo = 1'000'000;
constexpr int kDeepest = 64;

// What NumPy arrays, SciPy matrices and default dictionaries are made of.
constexpr std::array<std::string_view, 6> kGlobals = {"scipy.sparse.csr csr_matrix",
                                                      "numpy.core.multiarray _reconstruct",
                                                      "numpy ndarray",
                                                      "numpy dtype",
                                                      "collections defaultdict",
                                                      "__builtin__ list"};

class Machine {
 public:
  Machine(PickleBytes bytes, std::deque<PickleValue>& values) : in_(bytes), values_(values) {}

  const PickleValue* run() {
    for (std::int64_t count = 0; count < kMostOpcodes; ++count) {
      const int opcode = in_.opcode();
      if (opcode == '.') {
        if (in_.left() != 0) in_.wrong(join(in_.left(), " bytes after the end of the pickle"));
        return pop();
      }
      step(opcode);
    }
    in_.wrong(join("more than ", kMostOpcodes, " opcodes"));
  }

 private:
  // clang-format off
  void step(int opcode) {
    switch (opcode) {
      case 0x80: return protocol();
      case 'N':  return void(make(Kind::none));
      case 0x88: make(Kind::boolean).integer = 1; return;
      case 0x89: make(Kind::boolean).integer = 0; return;
      case 'K':  make(Kind::integer).integer = in_.unsigned_integer(1); return;
      case 'M':  make(Kind::integer).integer = in_.unsigned_integer(2); return;
      case 'J':  make(Kind::integer).integer = in_.signed_integer(4); return;
      case 0x8a: make(Kind::integer).integer = in_.signed_integer(in_.unsigned_integer(1)); return;
      case 'G':  make(Kind::real).real = in_.big_endian_double(); return;
      case 'U':  make(Kind::text).text = in_.take(in_.unsigned_integer(1)); return;
      case 'T':
      case 'X':  make(Kind::text).text = in_.take(in_.unsigned_integer(4)); return;
      case '(':  return mark();
      case ')':  return void(make(Kind::tuple));
      case ']':  return void(make(Kind::list));
      case '}':  return void(make(Kind::dict));
      case 't':  return tuple(since_mark());
      case 0x85: return tuple(top(1));
      case 0x86: return tuple(top(2));
      case 0x87: return tuple(top(3));
      case 'a':  return append(top(1));
      case 'e':  return append(since_mark());
      case 's':  return set_items(top(2));
      case 'u':  return set_items(since_mark());
      case '0':  return void(pop());
      case 'q':  return remember(in_.unsigned_integer(1));
      case 'r':  return remember(in_.unsigned_integer(4));
      case 'h':  return recall(in_.unsigned_integer(1));
      case 'j':  return recall(in_.unsigned_integer(4));
      case 'c':  return global();
      case 'R':
      case 0x81: return construct();
      case 'b':  return build();
      default:   in_.wrong("this opcode is not among those read");
    }
  }
  // clang-format on

  void protocol() {
    const std::int64_t version = in_.unsigned_integer(1);
    if (version > 2) in_.wrong(join("pickle protocol ", version, "; known: 0 to 2"));
  }

  PickleValue& make(Kind kind) {
    values_.emplace_back().kind = kind;
    stack_.push_back(&values_.back());
    return values_.back();
  }

  // Nothing reaches below an open mark.
  void need(std::size_t count) const {
    const std::size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() < floor + count) in_.wrong(join("needs ", count, " values, found ", stack_.size() - floor));
  }

  PickleValue* peek() const {
    need(1);
    return stack_.back();
  }

  PickleValue* pop() {
    PickleValue* value = peek();
    stack_.pop_back();
    return value;
  }

  void mark() {
    marks_.push_back(stack_.size());
    if (marks_.size() > static_cast<std::size_t>(kDeepest)) in_.wrong(join("nested deeper than ", kDeepest));
  }

  std::vector<PickleValue*> cut(std::size_t begin) {
    std::vector<PickleValue*> out(stack_.begin() + begin, stack_.end());
    stack_.resize(begin);
    return out;
  }

  std::vector<PickleValue*> top(std::size_t count) {
    need(count);
    return cut(stack_.size() - count);
  }

  std::vector<PickleValue*> since_mark() {
    if (marks_.empty()) in_.wrong("needs a mark, found none");
    const std::size_t begin = marks_.back();
    marks_.pop_back();
    return cut(begin);
  }

  // The container an opcode adds to: the value now on top.
  PickleValue& target(std::initializer_list<Kind> kinds) {
    PickleValue* value = peek();
    if (std::find(kinds.begin(), kinds.end(), value->kind) == kinds.end())
      in_.wrong("the value below has another type");
    return *value;
  }

  void adopt(PickleValue& parent, const PickleValue& child) {
    parent.depth = std::max(parent.depth, child.depth + 1);
    if (parent.depth > kDeepest) in_.wrong(join("nested deeper than ", kDeepest));
  }

  void add(PickleValue& parent, const std::vector<PickleValue*>& children) {
    for (const PickleValue* child : children) adopt(parent, *child);
    parent.items.insert(parent.items.end(), children.begin(), children.end());
  }

  void tuple(const std::vector<PickleValue*>& children) { add(make(Kind::tuple), children); }
  void append(const std::vector<PickleValue*>& children) { add(target({Kind::list}), children); }

  void set_items(const std::vector<PickleValue*>& children) {
    if (children.size() % 2 != 0) in_.wrong("a key without a value");
    add(target({Kind::dict, Kind::object}), children);
  }

  void remember(std::int64_t place) {
    if (place >= static_cast<std::int64_t>(kMostMemo)) in_.wrong(join("memo ", place, " outside 0..", kMostMemo - 1));
    if (memo_.size() <= static_cast<std::size_t>(place)) memo_.resize(place + 1);
    memo_[place] = peek();
  }

  void recall(std::int64_t place) {
    const bool known = place < static_cast<std::int64_t>(memo_.size()) && memo_[place] != nullptr;
    if (!known) in_.wrong(join("memo ", place, " was never set"));
    stack_.push_back(memo_[place]);
  }

  void global() {
    const std::string_view module = in_.text_line();
    const std::string name = join(module, " ", in_.text_line());
    const auto known = std::find(kGlobals.begin(), kGlobals.end(), name);
    if (known == kGlobals.end()) in_.wrong("the global " + quote(name) + " is not among those read");
    make(Kind::global).text = *known;
  }

  // REDUCE and NEWOBJ: what Python would call becomes a record of name and arguments.
  void construct() {
    const std::vector<PickleValue*> parts = top(2);
    if (parts[0]->kind != Kind::global || parts[1]->kind != Kind::tuple) in_.wrong("needs a global and a tuple");
    PickleValue& value = make(Kind::object);
    value.text = parts[0]->text;
    value.args = parts[1];
    adopt(value, *parts[1]);
  }

  void build() {
    const PickleValue* state = pop();
    PickleValue& value = target({Kind::object});
    if (value.state != nullptr) in_.wrong("an object is built twice");
    value.state = state;
    adopt(value, *state);
  }

  PickleBytes in_;
  std::deque<PickleValue>& values_;
  std::vector<PickleValue*> stack_;
  std::vector<std::size_t> marks_;
  std::vector<PickleValue*> memo_;
};

}  // namespace

Pickle::Pickle(std::string_view bytes, std::string where)
    : root_(Machine(PickleBytes(bytes, std::move(where)), values_).run()) {}

}  // namespace gcnh
