// Text that fits into 80 columns.
#pragma once

#include <string>
#include <vector>

namespace gcnh::cli {

// The text without what a terminal would obey: control characters become question marks, but for line ends.
std::string printable(std::string text);

// The pieces behind the head, two blanks apart; those that do not fit go on below, as far right as the head is wide.
std::string in_lines(const std::string& head, const std::vector<std::string>& pieces);
// The same with the words of a text, which stay one blank apart.
std::string wrapped(const std::string& head, const std::string& text);

}  // namespace gcnh::cli
