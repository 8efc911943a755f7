#include "gcnh/io/column_parse.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gcnh/io/cell_dates.h"
#include "gcnh/io/cell_values.h"
#include "gcnh/io/column_cells.h"
#include "gcnh/io/column_kind.h"
#include "gcnh/io/number_form.h"
#include "gcnh/io/number_marks.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr std::size_t kMostWords = 12;  // of a column that are named

std::optional<double> parse_real(std::string_view cell, const NumberForm& form) {
  const auto value = parse_formed(cell, form);
  return value && std::abs(*value) <= static_cast<double>(std::numeric_limits<float>::max()) ? value : std::nullopt;
}

std::optional<double> parse_as(const ColumnSpec& spec, std::string_view cell) {
  if (spec.kind == ColumnKind::date) return parse_date(cell, *spec.order);
  if (spec.kind == ColumnKind::num) return parse_real(cell, *spec.form);
  const auto value = parse_bool(cell);
  return value ? std::optional(*value ? 1.0 : 0.0) : std::nullopt;
}

void add_cell(CellProblem& problem, std::size_t row, std::string_view cell) {
  if (problem.cells++ == 0) problem.first = {row, std::string(cell)};
  std::vector<std::string>& words = problem.words;
  if (words.size() < kMostWords && std::find(words.begin(), words.end(), cell) == words.end()) words.emplace_back(cell);
}

void parse_numbers(const Cells& cells, Column& column, CellReport& report) {
  CellProblem problem{.spec = column.spec};
  column.numbers.reserve(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string_view cell = cells[i];
    std::optional<double> value;
    if (!is_missing(cell, column.spec.missing)) {
      value = parse_as(column.spec, cell);
      if (!value) add_cell(problem, i, cell);
      problem.read += value ? 1 : 0;
      if (value && !problem.good) problem.good = {i, std::string(cell)};
    }
    column.numbers.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  if (problem.cells > 0) report.problems.push_back(std::move(problem));
}

// Whether all numbers are written like 1234.5, as nearly all are: then they are read, whatever form is expected.
bool parse_plain(const Cells& cells, Column& column) {
  column.numbers.reserve(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool missing = is_missing(cells[i], column.spec.missing);
    const auto value = missing ? std::optional(std::numeric_limits<double>::quiet_NaN()) : parse_real(cells[i], {});
    if (!value) return column.numbers.clear(), false;
    column.numbers.push_back(*value);
  }
  return true;
}

// Numbers without the unit that the others or those of training have.
void note_units(const Cells& cells, const ColumnSpec& spec, CellReport& report) {
  if (!spec.form->has_unit()) return;
  std::int64_t count = 0, lacking = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_missing(cells[i], spec.missing)) continue;
    ++count;
    lacking += lacks_unit(cells[i], *spec.form) ? 1 : 0;
  }
  const std::string& unit = spec.form->before.empty() ? spec.form->after : spec.form->before;
  if (lacking > 0)
    report.assumptions.push_back(join("column ", quote(spec.name), ": ", lacking, " of ", counted(count, "number"),
                                      " without ", quote(unit), ", taken to be in the same unit"));
}

// Whether cells like 2.553 are thousands by the form that is expected, though they would do as plain numbers.
bool are_thousands(const Cells& cells, const ColumnSpec& spec, CellReport& report) {
  if (!spec.form || spec.form->group != '.') return false;
  const Present present(cells, spec.missing);
  if (!has_unclear_marks(for_all(present), {})) return false;
  std::string example;
  const std::int64_t count = present.count_if([&](std::string_view cell) {
    const bool has_point = cell.find('.') != cell.npos;
    if (has_point && example.empty()) example = cell;
    return has_point;
  });
  report.assumptions.push_back(join("column ", quote(spec.name), ": ", counted(count, "number"), " like ",
                                    quote(example), " taken to have '.' between thousands"));
  return true;
}

void parse_measure(const Cells& cells, Column& column, CellReport& report) {
  ColumnSpec& spec = column.spec;
  const bool plain = !are_thousands(cells, spec, report) && (!spec.form || !spec.form->is_plain()) && !spec.point &&
                     parse_plain(cells, column);
  if (!spec.form && plain) spec.form = NumberForm{};
  if (!spec.form) find_form(cells, spec);
  note_units(cells, spec, report);
  if (!plain) parse_numbers(cells, column, report);
}

// f(item) for what a cell holds.
template <class F>
void for_each_item(const ColumnSpec& spec, std::string_view cell, const F& f) {
  if (is_missing(cell, spec.missing)) return;
  if (spec.kind == ColumnKind::text) {
    for_each_word(cell, [&](const std::string& word) { f(word); });
  } else if (spec.kind == ColumnKind::multi) {
    for_each_member(cell, spec.separator, [&](std::string_view member) {
      if (!is_missing(member, spec.missing)) f(std::string(member));
    });
  } else {
    f(std::string(category(cell)));
  }
}

void end_row(Csr& items) {
  const auto begin = items.indices.begin() + items.offsets.back();
  std::sort(begin, items.indices.end());
  items.indices.erase(std::unique(begin, items.indices.end()), items.indices.end());
  items.offsets.push_back(items.nnz());
}

void hash_words(const Cells& cells, Column& column) {
  column.items = {static_cast<Index>(cells.size()), column.spec.buckets, {0}, {}, {}};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for_each_item(column.spec, cells[i], [&](const std::string& word) {
      const std::uint64_t hash = XXH3_64bits(word.data(), word.size());
      column.items.indices.push_back(static_cast<Index>(hash % static_cast<std::uint64_t>(column.spec.buckets)));
    });
    end_row(column.items);
  }
}

// Numbers the values in the order of their bytes, as column.values lists them.
void sort_values(Column& column) {
  std::vector<Index> order(column.values.size()), number(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return column.values[a] < column.values[b]; });
  std::vector<std::string> sorted;
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[order[k]] = static_cast<Index>(k);
    sorted.push_back(std::move(column.values[order[k]]));
  }
  column.values = std::move(sorted);
  for (Index& item : column.items.indices) item = number[item];
  for (Index u = 0; u < column.items.rows; ++u)
    std::sort(column.items.indices.begin() + column.items.offsets[u],
              column.items.indices.begin() + column.items.offsets[u + 1]);
}

void number_items(const Cells& cells, Column& column) {
  column.items = {static_cast<Index>(cells.size()), 0, {0}, {}, {}};
  std::unordered_map<std::string, Index> number;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for_each_item(column.spec, cells[i], [&](const std::string& item) {
      const auto [at, is_new] = number.emplace(item, static_cast<Index>(column.values.size()));
      if (is_new) column.values.push_back(item);
      column.items.indices.push_back(at->second);
    });
    end_row(column.items);
  }
  column.items.cols = static_cast<Index>(column.values.size());
  sort_values(column);
}

}  // namespace

void parse_cells(const Cells& cells, Column& column, CellReport& report) {
  switch (column.spec.kind) {
    case ColumnKind::num:
      return parse_measure(cells, column, report);
    case ColumnKind::date:
      if (!column.spec.order) find_form(cells, column.spec);
      return parse_numbers(cells, column, report);
    case ColumnKind::boolean:
      return parse_numbers(cells, column, report);
    case ColumnKind::text:
      if (column.spec.buckets > 0) return hash_words(cells, column);
      return number_items(cells, column);
    case ColumnKind::cat:
    case ColumnKind::multi:
      return number_items(cells, column);
    case ColumnKind::ignore:
      return;
  }
}

}  // namespace gcnh
