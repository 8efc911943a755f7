#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr std::size_t kLongestLine = std::size_t{16} << 20;
constexpr std::size_t kLongestQuote = 40;

}  // namespace

std::string quote(std::string_view text) {
  std::size_t end = std::min(text.size(), kLongestQuote);
  while (end < text.size() && end > 0 && (text[end] & 0xC0) == 0x80) --end;  // keep UTF-8 characters whole
  std::string out = "'";
  for (unsigned char c : text.substr(0, end)) out += c < ' ' || c == 127 ? '?' : static_cast<char>(c);
  return out + (end < text.size() ? "...'" : "'");
}

bool Lines::next() {
  do {
    if (rest_.empty()) return false;
    line_ = take_until(rest_, '\n');
    ++number_;
    require(line_.size() <= kLongestLine, "a line of ", line_.size(), " bytes; at most ", kLongestLine);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  } while (line_.empty());
  return true;
}

}  // namespace gcnh
