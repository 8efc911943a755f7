// Matrix Market: a banner, lines of comments (%), a line "rows columns entries", then "row column [value]", counted
// from 1.
#include <algorithm>
#include <cmath>
#include <string>

#include "gcnh/io/arrays.h"
#include "gcnh/io/matrix_file.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

struct Banner {
  bool pattern = false;
  bool symmetric = false;
};

Banner parse_banner(const Lines& lines) {
  std::string_view rest = lines.line();
  take_word(rest);  // %%MatrixMarket
  const std::string object = lower(take_word(rest)), format = lower(take_word(rest)), field = lower(take_word(rest)),
                    symmetry = lower(take_word(rest));
  lines.require(object == "matrix" && format == "coordinate", "a ", quote(object + " " + format),
                "; read are: matrix coordinate");
  lines.require(field == "real" || field == "double" || field == "integer" || field == "pattern", "entries of type ",
                quote(field), "; read are: real, integer, pattern");
  lines.require(symmetry == "general" || symmetry == "symmetric", "a ", quote(symmetry),
                " matrix; read are: general, symmetric");
  return {field == "pattern", symmetry == "symmetric"};
}

std::int64_t parse_count(const Lines& lines, std::string_view& rest, const char* what) {
  const std::string_view word = take_word(rest);
  const auto value = parse_number<std::int64_t>(word);
  if (!value || *value < 0)
    lines.fail("the number of ", what, " is ", quote(word), "; expected 'rows columns entries'");
  return *value;
}

Index parse_place(const Lines& lines, std::string_view& rest, const char* what, Index most) {
  const std::string_view word = take_word(rest);
  const auto value = parse_number<std::int64_t>(word);
  if (!value || *value < 1 || *value > most) lines.fail(what, " ", quote(word), " is not an integer in 1..", most);
  return static_cast<Index>(*value - 1);
}

double parse_value(const Lines& lines, std::string_view& rest) {
  const std::string_view word = take_word(rest);
  const auto value = parse_number<double>(word.substr(word.starts_with('+') ? 1 : 0));
  const Real stored = static_cast<Real>(value.value_or(0));
  if (!value || !std::isfinite(stored)) lines.fail("value ", quote(word), " is not a finite number");
  return *value;
}

bool next_line(Lines& lines) {
  do {
    if (!lines.next()) return false;
  } while (lines.line().starts_with('%') || lines.line().find_first_not_of(" \t") == std::string_view::npos);
  return true;
}

void require_end(const Lines& lines, std::string_view rest) {
  if (const std::string_view word = take_word(rest); !word.empty())
    lines.fail(quote(word), " after the end of the entry");
}

}  // namespace

MatrixFile read_matrix_market(const std::string& path) {
  Lines lines(path);
  require(lines.next(), lines.name(), ": the file is empty");
  const Banner banner = parse_banner(lines);
  require(next_line(lines), lines.name(), ": no line with the numbers of rows, columns and entries");
  std::string_view rest = lines.line();
  MatrixFile out{path, to_index(parse_count(lines, rest, "rows"), path, "rows"), 0, {}};
  out.cols = to_index(parse_count(lines, rest, "columns"), path, "columns");
  const std::int64_t declared = parse_count(lines, rest, "entries");
  lines.require(!banner.symmetric || out.rows == out.cols, out.rows, " by ", out.cols, " cannot be symmetric");
  std::int64_t found = 0;
  for (; next_line(lines); ++found) {
    lines.require(found < declared, "more entries than the ", declared, " that the file declares");
    rest = lines.line();
    const Index row = parse_place(lines, rest, "row", out.rows), col = parse_place(lines, rest, "column", out.cols);
    const double written = banner.pattern ? 1 : parse_value(lines, rest);
    const auto value = static_cast<Real>(written);
    out.lost.add(col, written);
    require_end(lines, rest);
    out.entries.push_back({row, col, value});
    if (banner.symmetric && row != col) out.entries.push_back({col, row, value});
  }
  require(found == declared, path, ": ", counted(found, "entry"), " of ", declared, " declared; was the file cut off?");
  return out;
}

}  // namespace gcnh
