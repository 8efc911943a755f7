// Walking a text line by line and turning its pieces into numbers.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/file_lines.h"

namespace gcnh {

// The whole text as an integer or a finite number; nothing when it is not one.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// With small letters instead of A to Z; others stay as they are.
std::string lower(std::string_view text);

bool is_utf8(std::string_view text);

// What a message shows of a piece of input: quoted, short, without control characters.
std::string quote(std::string_view text);

// Cuts off and returns what stands before the mark, or everything when there is none.
inline std::string_view take_until(std::string_view& text, char mark) {
  const std::string_view head = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(text.size(), head.size() + 1));
  return head;
}

// Cuts off and returns the next word; blanks and tabs separate words. Empty: there is none.
inline std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

// A first line that names columns instead of holding numbers.
inline bool is_header(std::string_view line) {
  return !line.empty() && (line[0] == '#' || line[0] == '_' || std::isalpha(static_cast<unsigned char>(line[0])));
}

// Lines of a file that are not blank, without their line ends; messages start with file and line.
class Lines {
 public:
  explicit Lines(const std::string& path);

  bool next();
  std::string_view line() const { return line_; }
  int number() const { return number_; }
  const std::string& name() const { return name_; }

  template <class... Parts>
  void require(bool condition, const Parts&... parts) const {
    if (!condition) fail(parts...);
  }
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    gcnh::fail(Status::data, name_, ":", number_, ": ", parts...);
  }

 private:
  std::string name_;
  FileLines file_;
  std::string_view line_;
  int number_ = 0;
};

}  // namespace gcnh
