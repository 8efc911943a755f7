// A table as data, written in five languages.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/base/options.h"

namespace gcnh::report {

using gcnh::to_text;  // of numbers, beside that of tables

struct Table {
  std::string name;  // of its file, without ending; also its anchor
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as columns; the first names the row
  std::string note;
  std::set<std::pair<std::size_t, std::size_t>> bold = {};  // rows and columns of cells that stand out
};

std::string to_text(const Table& table);
std::string to_markdown(const Table& table);
std::string to_csv(const Table& table);    // columns and rows only; what stands out ends in *
std::string to_latex(const Table& table);  // for \input; needs the package booktabs
std::string to_html(const Table& table);

// True where every cell that is not empty is a number, perhaps with ± or %; such columns are aligned to the right.
// The first column holds names.
std::vector<bool> numeric_columns(const Table& table);

// At most `most` rows, evenly taken; the note says how many were left out.
Table thin(const Table& table, std::size_t most);

// What a cell shows: up to six digits, or percent with two decimals; a dash for what is not a number.
std::string number_cell(double value, bool percent = false);
// Shares in percent, by their mean and population standard deviation: 84.32 ± 5.74.
std::string percent_cell(double mean, double std);
std::string percent_cell(const std::vector<double>& shares);

}  // namespace gcnh::report
