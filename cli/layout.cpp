#include "cli/layout.h"

#include "gcnh/gcnh.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kWidth = 80;

}  // namespace

std::string in_lines(const std::string& head, const std::vector<std::string>& pieces) {
  const std::size_t indent = display_width(head);
  std::string out = head;
  std::size_t column = indent;
  for (const std::string& piece : pieces) {
    const std::size_t width = display_width(piece);
    if (column > indent && column + 2 + width > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    out += (column > indent ? "  " : "") + piece;
    column += (column > indent ? 2 : 0) + width;
  }
  return out + "\n";
}

}  // namespace gcnh::cli
