// Text of unknown origin (class names, node ids, paths, command lines) inside other languages. Whatever the input, the
// result is valid UTF-8 without control characters: broken bytes become U+FFFD, and the invisible characters that turn
// the direction of text are written out, because they can make one label look like another.
#pragma once

#include <string>
#include <string_view>

namespace gcnh::report {

std::string escape_html(std::string_view text);  // HTML and XML, in elements and in quoted attributes
std::string escape_latex(std::string_view text);
std::string escape_markdown(std::string_view text);  // in a cell of a table

// In the Latin alphabet of Windows, which PDF's own fonts have; some other characters as words, the rest as "?".
std::string to_winansi(std::string_view text);

std::string clean_text(std::string_view text);

// Characters, not bytes; East Asian ones count as two.
std::size_t display_width(std::string_view text);
// At most `width` wide, the rest replaced by an ellipsis.
std::string shorten(std::string_view text, std::size_t width);

}  // namespace gcnh::report
