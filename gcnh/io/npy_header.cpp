#include "gcnh/io/npy_header.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "gcnh/base/error.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// Numpy's own limits.
constexpr std::size_t kLongestNpyHeader = 10'000;
constexpr std::size_t kMostDimensions = 32;

// Reads the literal from left to right; whatever is not expected is an error naming the byte.
class Literal {
 public:
  Literal(std::string_view text, std::size_t offset, const std::string& where)
      : text_(text), offset_(offset), where_(where) {}

  void read(NpyHeader& header) {
    std::vector<std::string> keys;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr")
        header.dtype = string();
      else if (key == "fortran_order")
        header.column_major = boolean();
      else if (key == "shape")
        header.shape = tuple();
      else
        wrong("unknown key " + quote(key));
      keys.push_back(key);
      if (!accept(',') && peek() != '}') wrong("expected ',' or '}'");
    }
    peek();
    if (at_ != text_.size()) wrong("text after the closing brace");
    std::sort(keys.begin(), keys.end());
    if (keys != std::vector<std::string>{"descr", "fortran_order", "shape"})
      wrong("expected the keys descr, fortran_order and shape once each");
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    fail(Status::data, where_, ": npy header, byte ", offset_ + at_, ": ", what);
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) wrong(join("expected '", c, "'"));
  }

  std::string string() {
    if (peek() == '[') wrong("structured types are not read");
    const char mark = peek() == '"' ? '"' : '\'';
    expect(mark);
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string_view::npos) wrong("a string does not end");
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return std::string(word);
  }

  bool boolean() {
    peek();
    for (std::string_view word : {"True", "False"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return word == "True";
    }
    wrong("expected True or False");
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> out;
    expect('(');
    while (!accept(')')) {
      if (out.size() == kMostDimensions) wrong(join("more than ", kMostDimensions, " dimensions"));
      out.push_back(integer());
      if (!accept(',') && peek() != ')') wrong("expected ',' or ')'");
    }
    return out;
  }

  std::int64_t integer() {
    peek();
    std::size_t end = at_;
    while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end]))) ++end;
    const auto value = parse_number<std::int64_t>(text_.substr(at_, end - at_));
    if (!value) wrong("expected a length from 0 to 2^63-1");
    at_ = end;
    accept('L');  // Python 2 wrote long integers so
    return *value;
  }

  std::string_view text_;
  std::size_t offset_;
  const std::string& where_;
  std::size_t at_ = 0;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view file, const std::string& where) {
  require(file.size() >= 10, where, ": ", file.size(), " bytes are too few for an npy file");
  require(file.substr(0, 6) == kNpyMagic, where, ": not an npy file (it does not start with \\x93NUMPY)");
  const int version = file[6];
  require(version >= 1 && version <= 3, where, ": npy version ", version, "; known: 1 to 3");
  const std::size_t begin = version == 1 ? 10 : 12;
  require(file.size() >= begin, where, ": ", file.size(), " bytes are too few for an npy file");
  const std::size_t length = little_endian(file.substr(8, begin - 8));
  require(length <= kLongestNpyHeader, where, ": npy header of ", length, " bytes; at most ", kLongestNpyHeader);
  require(length <= file.size() - begin, where, ": npy header of ", length, " bytes, found ", file.size() - begin);
  NpyHeader out;
  out.end = begin + length;
  Literal(file.substr(begin, length), begin, where).read(out);
  return out;
}

std::string format_shape(const std::vector<std::int64_t>& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + std::to_string(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace gcnh
