#include "gcnh/io/svmlight.h"

#include <cmath>
#include <limits>

#include "gcnh/io/arrays.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

std::optional<double> parse_signed(std::string_view word) {
  return parse_number<double>(word.substr(word.starts_with('+') ? 1 : 0));
}

std::string parse_label(const Lines& lines, std::string_view word) {
  const auto value = parse_signed(word);
  if (!value || std::floor(*value) != *value || std::abs(*value) > 1e15)
    lines.fail("label ", quote(word), " is not an integer: classes are numbers here",
               word.find(',') == word.npos ? "" : ", one per node");
  return std::to_string(static_cast<std::int64_t>(*value));
}

Index parse_column(const Lines& lines, std::string_view word) {
  constexpr std::int64_t kMost = std::numeric_limits<Index>::max() - 1;
  const auto column = parse_number<std::int64_t>(word);
  if (!column || *column < 0 || *column > kMost) lines.fail("column ", quote(word), " is not an integer in 0..", kMost);
  return static_cast<Index>(*column);
}

// Adds the entries of a line, columns as written. Returns whether one of them is column 0.
bool parse_entries(const Lines& lines, std::string_view rest, Csr& x, LostDigits& lost) {
  Index last = -1;
  bool has_zero = false;
  for (std::string_view pair = take_word(rest); !pair.empty(); pair = take_word(rest)) {
    if (pair.starts_with("qid:")) continue;
    lines.require(pair.find(':') != pair.npos, quote(pair), " is not of the form column:value");
    const Index column = parse_column(lines, take_until(pair, ':'));
    lines.require(column > last, "column ", column, " after column ", last, "; columns ascend");
    last = column;
    has_zero |= column == 0;
    const auto value = parse_signed(pair);
    const Real stored = static_cast<Real>(value.value_or(0));
    if (!value || !std::isfinite(stored)) lines.fail("column ", column, ": ", quote(pair), " is not a finite number");
    x.cols = std::max(x.cols, column + 1);
    lost.add(column, *value);
    if (stored == Real{0}) continue;
    x.indices.push_back(column);
    x.values.push_back(stored);
  }
  ++x.rows;
  x.offsets.push_back(x.nnz());
  return has_zero;
}

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

// Whether the file has a column 0 cannot be known before its end.
void count_from_zero(Csr& x, bool has_zero) {
  if (has_zero || x.cols == 0) return;
  --x.cols;
  for (Index& column : x.indices) --column;
}

}  // namespace

LabelledRows read_svmlight(const std::string& path) {
  LabelledRows out;
  Csr x;
  bool has_zero = false;
  Lines lines(path);
  while (lines.next()) {
    std::string_view rest = without_comment(lines.line());
    const std::string_view label = take_word(rest);
    if (label.empty()) continue;
    out.labels.push_back(parse_label(lines, label));
    has_zero |= parse_entries(lines, rest, x, out.lost);
  }
  require(x.rows > 0, path, ": no nodes");
  require(x.cols <= 1'000'000 + 100 * x.nnz(), path, ": column ", x.cols - 1, ", but ", x.nnz(), " entries in all");
  count_from_zero(x, has_zero);
  drop_unit_values(x);
  out.features = to_features(std::move(x));
  return out;
}

bool is_svmlight(std::string_view line) {
  line = without_comment(line.substr(0, line.find_last_not_of("\r\n") + 1));
  const std::string_view label = take_word(line);
  std::string_view pair = take_word(line);
  const std::string_view column = take_until(pair, ':');
  return parse_signed(label) && (column == "qid" || parse_number<Index>(column)) && parse_signed(pair);
}

}  // namespace gcnh
