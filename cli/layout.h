// Text that fits into 80 columns, or into those of the terminal.
#pragma once

#include <string>
#include <vector>

#include "gcnh/gcnh.h"
#include "gcnh/studies.h"

namespace gcnh::cli {

// The text without what a terminal would obey: control characters become question marks, but for line ends.
std::string printable(std::string text);
// The same for a name or a cell, which has no line ends either.
std::string in_one_line(std::string text);

constexpr std::size_t kUsualWidth = 80;

// Columns of the terminal that the descriptor leads to, asked for every time, so that it follows a change of the
// window; elsewhere what COLUMNS says, or the usual ones.
std::size_t terminal_width(int descriptor);

// The pieces behind the head, two blanks apart; those that do not fit go on below, as far right as the head is wide.
std::string in_lines(const std::string& head, const std::vector<std::string>& pieces, std::size_t width = kUsualWidth);
// The same with the words of a text, which stay one blank apart.
std::string wrapped(const std::string& head, const std::string& text, std::size_t width = kUsualWidth);
// A name, two columns in, and what it means from `column` on; below it where the name is too long for that.
std::string row(const std::string& name, const std::string& text, std::size_t column, std::size_t width = kUsualWidth);

// The table, its columns in as many blocks as it takes; each begins with the names of the rows.
std::string in_blocks(const report::Table& table);

}  // namespace gcnh::cli
