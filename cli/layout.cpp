#include "cli/layout.h"

#include <iterator>
#include <sstream>

#include "gcnh/gcnh.h"
#include "gcnh/studies.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kWidth = 80;

std::string lay_out(const std::string& head, const std::vector<std::string>& pieces, std::size_t gap) {
  const std::size_t indent = report::display_width(head);
  std::string out = head;
  std::size_t column = indent;
  for (const std::string& piece : pieces) {
    const std::size_t width = report::display_width(piece);
    if (column > indent && column + gap + width > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    const std::size_t before = column > indent ? gap : 0;
    out += std::string(before, ' ') + piece;
    column += before + width;
  }
  return printable(out + "\n");
}

}  // namespace

std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool next_is_c1 = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (next_is_c1) text.replace(i, 2, "?");  // U+0080 to U+009F, such as another way to begin an escape sequence
    if ((c < ' ' && c != '\n') || c == 127) text[i] = '?';
  }
  return text;
}

std::string in_lines(const std::string& head, const std::vector<std::string>& pieces) {
  return lay_out(head, pieces, 2);
}

std::string wrapped(const std::string& head, const std::string& text) {
  std::istringstream in(text);
  const std::vector<std::string> words(std::istream_iterator<std::string>(in), {});
  return lay_out(head, words, 1);
}

}  // namespace gcnh::cli
