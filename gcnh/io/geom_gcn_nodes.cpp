#include "gcnh/io/geom_gcn_nodes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "gcnh/io/arrays.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// Adds the entries of a dense row that are not 0. Most of a row is "0,0,0,0,", so it goes four zeros at a time.
class DenseRow {
 public:
  DenseRow(const Lines& lines, Csr& x) : lines_(lines), x_(x) {}

  Index parse(std::string_view cell) {
    const char* at = cell.data();
    const char* end = at + cell.size();
    Index column = 0;
    for (;;) {
      while (end - at > 8 && std::memcmp(at, "0,0,0,0,", 8) == 0) {
        at += 8;
        column += 4;
      }
      const char* stop = at;
      while (stop != end && *stop != ',') ++stop;
      entry({at, stop}, column++);
      if (stop == end) return column;
      at = stop + 1;
    }
  }

 private:
  void entry(std::string_view text, Index column) {
    if (text == "0") return;
    const auto value = text == "1" ? 1.0 : parse_number<double>(text);
    const Real stored = static_cast<Real>(value.value_or(0));
    if (!value || !std::isfinite(stored)) lines_.fail("feature ", column, ": ", quote(text), " is not a finite number");
    if (stored == Real{0}) return;
    x_.indices.push_back(column);
    x_.values.push_back(stored);
  }

  const Lines& lines_;
  Csr& x_;
};

// Adds the listed columns in order, each once.
void parse_index_list(const Lines& lines, std::string_view cell, Csr& x) {
  const auto begin = static_cast<std::ptrdiff_t>(x.indices.size());
  while (!cell.empty()) {
    const std::string_view text = take_until(cell, ',');
    const auto index = parse_number<Index>(text);
    constexpr Index kMost = std::numeric_limits<Index>::max() - 1;
    if (!index || *index < 0 || *index > kMost)
      lines.fail("feature index ", quote(text), " is not an integer in 0..", kMost);
    x.indices.push_back(*index);
    x.cols = std::max(x.cols, *index + 1);
  }
  std::sort(x.indices.begin() + begin, x.indices.end());
  x.indices.erase(std::unique(x.indices.begin() + begin, x.indices.end()), x.indices.end());
}

// For a file without a header: rows of different lengths that name numbers above 1 can only be lists of columns. Ragged
// rows of 0 and 1 are taken as dense, so that a damaged file is found out.
bool looks_like_index_lists(const std::string& path) {
  bool above_one = false, ragged = false;
  std::ptrdiff_t first = -1;
  for (Lines lines(path); lines.next();) {
    std::string_view rest = lines.line();
    take_until(rest, '\t');
    std::string_view cell = take_until(rest, '\t');
    if (cell.find('.') != std::string_view::npos) return false;
    const std::ptrdiff_t count = std::count(cell.begin(), cell.end(), ',');
    ragged |= first >= 0 && count != first;
    first = count;
    while (!above_one && !cell.empty()) above_one = parse_number<Index>(take_until(cell, ',')).value_or(0) > 1;
  }
  return above_one && ragged;
}

Index parse_id(const Lines& lines, std::string_view text) {
  const auto id = parse_number<Index>(text);
  if (!id) lines.fail(quote(text), " is not a node id (an integer from 0 on)");
  return *id;
}

int parse_label(const Lines& lines, std::string_view text) {
  const auto label = parse_number<std::int64_t>(text);
  if (!label || *label < 0 || *label >= kMostClasses)
    lines.fail("label ", quote(text), " is not an integer in 0..", kMostClasses - 1);
  return static_cast<int>(*label);
}

void parse_row(const Lines& lines, bool index_lists, NodeRows& out) {
  std::string_view rest = lines.line();
  if (const auto tabs = std::count(rest.begin(), rest.end(), '\t'); tabs != 2)
    lines.fail("found ", tabs + 1, " tab-separated fields, expected 3: id, features, label");
  const Index id = parse_id(lines, take_until(rest, '\t'));
  const std::string_view cell = take_until(rest, '\t');
  const int label = parse_label(lines, rest);
  Csr& x = out.features;
  if (index_lists) {
    parse_index_list(lines, cell, x);
  } else {
    const Index count = DenseRow(lines, x).parse(cell);
    if (x.rows == 0) x.cols = count;
    lines.require(count == x.cols, "found ", counted(count, "feature"), ", expected ", x.cols);
  }
  ++x.rows;
  x.offsets.push_back(x.nnz());
  out.ids.push_back(id);
  out.lines.push_back(lines.number());
  out.labels.push_back(label);
}

}  // namespace

NodeRows read_node_rows(const std::string& path) {
  NodeRows out;
  Lines lines(path);
  require(lines.next(), path, ": the file is empty");
  const bool header = is_header(lines.line());
  const bool index_lists =
      header ? lines.line().find("feature_amount") != std::string_view::npos : looks_like_index_lists(path);
  for (bool more = !header || lines.next(); more; more = lines.next()) parse_row(lines, index_lists, out);
  require(!out.ids.empty(), path, ": no nodes");
  drop_unit_values(out.features);
  return out;
}

}  // namespace gcnh
