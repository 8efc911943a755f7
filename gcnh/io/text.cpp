#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr std::size_t kLongestLine = std::size_t{16} << 20;
constexpr std::size_t kLongestQuote = 40;

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_utf8(std::string_view text) {
  constexpr char32_t kSmallest[] = {0, 0x80, 0x800, 0x10000};  // that needs so many bytes after the first
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first < 0x80) continue;
    const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC0 || first > 0xF4 || more >= text.size() - i) return false;
    char32_t code = first & (0x3Fu >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) return false;
      code = code << 6 | (next & 0x3F);
    }
    if (code < kSmallest[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += more;
  }
  return true;
}

std::string quote(std::string_view text) {
  std::size_t end = std::min(text.size(), kLongestQuote);
  while (end < text.size() && end > 0 && (text[end] & 0xC0) == 0x80) --end;  // keep UTF-8 characters whole
  std::string out = "'";
  for (unsigned char c : text.substr(0, end)) out += c < ' ' || c == 127 ? '?' : static_cast<char>(c);
  return out + (end < text.size() ? "...'" : "'");
}

Lines::Lines(const std::string& path) : name_(shown_name(path)), file_(path, kLongestLine) {}

bool Lines::next() {
  do {
    line_ = file_.take();
    if (line_.empty()) return false;
    ++number_;
    if (line_.back() == '\n') line_.remove_suffix(1);
    require(line_.size() <= kLongestLine, "a line of more than ", kLongestLine, " bytes");
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  } while (line_.empty());
  return true;
}

}  // namespace gcnh
