#include "gcnh/io/depth.h"

#include <algorithm>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

constexpr int kDeepestText = 64;

// Walks a text from its beginning, counting lines.
class Scan {
 public:
  Scan(std::string_view text, const std::string& where, int line) : rest_(text), where_(where), line_(line) {}

  bool done() const { return rest_.empty(); }
  bool at(std::string_view word) const { return rest_.starts_with(word); }
  char take() {
    const char c = rest_.front();
    skip(1);
    return c;
  }
  void skip(std::size_t count) {
    for (count = std::min(count, rest_.size()); count > 0; --count) {
      line_ += rest_.front() == '\n';
      rest_.remove_prefix(1);
    }
  }
  // Behind the quote that ends a string; a backslash takes the next character with it where the kind of string has
  // escapes.
  void skip_string(std::string_view quote, bool escapes, bool lines) {
    skip(quote.size());
    while (!done() && !at(quote) && (lines || !at("\n"))) skip(escapes && at("\\") ? 2 : 1);
    if (at(quote)) skip(quote.size());
    while (quote.size() == 3 && at(quote.substr(0, 1))) skip(1);  // one or two more belong to the string
  }
  void open() { require_depth(++depth_); }
  void close() { --depth_; }
  void require_depth(int depth) const {
    require(depth <= kDeepestText, where_, ":", line_, ": nested deeper than ", kDeepestText, " levels");
  }

 private:
  std::string_view rest_;
  const std::string& where_;
  int line_;
  int depth_ = 0;
};

}  // namespace

void check_json_depth(std::string_view text, const std::string& where, int first_line) {
  for (Scan scan(text, where, first_line); !scan.done();) {
    if (scan.at("\"")) {
      scan.skip_string("\"", true, true);
      continue;
    }
    const char c = scan.take();
    if (c == '[' || c == '{') scan.open();
    if (c == ']' || c == '}') scan.close();
  }
}

void check_toml_depth(std::string_view text, const std::string& where) {
  int dots = 0;  // since the last character that ends a key
  for (Scan scan(text, where, 1); !scan.done();) {
    const std::string_view quote = scan.at("\"\"\"") ? "\"\"\"" : scan.at("'''") ? "'''" : scan.at("'") ? "'" : "\"";
    if (scan.at(quote)) {
      scan.skip_string(quote, quote[0] == '"', quote.size() == 3);
      continue;
    }
    if (scan.at("#"))
      while (!scan.done() && !scan.at("\n")) scan.skip(1);
    if (scan.done()) return;
    const char c = scan.take();
    if (c == '[' || c == '{') scan.open();
    if (c == ']' || c == '}') scan.close();
    if (c == '.') scan.require_depth(++dots);
    if (std::string_view("[]{}=,\n").find(c) != std::string_view::npos) dots = 0;
  }
}

}  // namespace gcnh
