#include "cli/layout.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace gcnh::cli {
namespace {

std::string lay_out(const std::string& head, const std::vector<std::string>& pieces, std::size_t gap,
                    std::size_t whole) {
  const std::size_t indent = report::display_width(head);
  std::string out = head;
  std::size_t column = indent;
  for (const std::string& text : pieces) {
    const std::string piece = in_one_line(text);
    const std::size_t width = report::display_width(piece);
    if (column > indent && column + gap + width > whole) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    const std::size_t before = column > indent ? gap : 0;
    out += std::string(before, ' ') + piece;
    column += before + width;
  }
  return printable(out + "\n");
}

// Its first column and `count` more from `begin` on.
report::Table columns_of(const report::Table& table, std::size_t begin, std::size_t count) {
  const auto cut = [&](const std::vector<std::string>& cells) {
    std::vector<std::string> out = {cells[0]};
    out.insert(out.end(), cells.begin() + static_cast<std::ptrdiff_t>(begin),
               cells.begin() + static_cast<std::ptrdiff_t>(begin + count));
    for (std::string& cell : out) cell = in_one_line(std::move(cell));
    return out;
  };
  report::Table out{table.name, "", cut(table.columns), {}, ""};
  for (const std::vector<std::string>& cells : table.rows) out.rows.push_back(cut(cells));
  return out;
}

bool fits(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (report::display_width(line) > kUsualWidth) return false;
  return true;
}

}  // namespace

std::string in_blocks(const report::Table& table) {
  std::string out = table.title.empty() ? "" : wrapped("", table.title) + "\n";
  const std::size_t columns = table.columns.size();
  for (std::size_t begin = 1, count = 0; begin == 1 || begin < columns; begin += count) {
    count = std::min<std::size_t>(1, columns - begin);
    while (begin + count < columns && fits(to_text(columns_of(table, begin, count + 1)))) ++count;
    out += (begin > 1 ? "\n" : "") + printable(to_text(columns_of(table, begin, count)));
    if (count == 0) break;
  }
  return table.note.empty() ? out : out + "\n" + wrapped("", table.note);
}

std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool next_is_c1 = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (next_is_c1) text.replace(i, 2, "?");  // U+0080 to U+009F, such as another way to begin an escape sequence
    if ((c < ' ' && c != '\n') || c == 127) text[i] = '?';
  }
  return text;
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '?');
  return printable(std::move(text));
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* text = std::getenv("COLUMNS");
  const int columns = text ? std::atoi(text) : 0;
  return columns > 0 ? static_cast<std::size_t>(columns) : kUsualWidth;
}

std::string in_lines(const std::string& head, const std::vector<std::string>& pieces, std::size_t width) {
  return lay_out(head, pieces, 2, width);
}

std::string wrapped(const std::string& head, const std::string& text, std::size_t width) {
  std::istringstream in(text);
  const std::vector<std::string> words(std::istream_iterator<std::string>(in), {});
  return lay_out(head, words, 1, width);
}

std::string row(const std::string& name, const std::string& text, std::size_t column, std::size_t width) {
  std::string head = "  " + name;
  const std::size_t used = report::display_width(head);
  if (text.empty()) return head + "\n";
  if (used + 2 <= column) return wrapped(head + std::string(column - used, ' '), text, width);
  return head + "\n" + wrapped(std::string(column, ' '), text, width);
}

}  // namespace gcnh::cli
