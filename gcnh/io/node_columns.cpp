#include "gcnh/io/node_columns.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/cell_values.h"
#include "gcnh/io/column_kind.h"
#include "gcnh/io/column_parse.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr char kUnitSeparator = '\x1f';  // made for this, and not typed into tables

// Whether all values are numbers and one of them is not whole.
bool are_fractions(const Cells& cells, const std::vector<std::string>& missing) {
  bool fraction = false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_missing(cells[i], missing)) continue;
    if (!parse_number<double>(cells[i])) return false;
    fraction = fraction || !parse_number<std::int64_t>(category(cells[i]));
  }
  return fraction;
}

// The kind that somebody gave the column, if anybody did.
std::optional<ColumnSpec> declared(const FeatureSpec& spec, const std::string& name) {
  for (const ColumnSpec& column : spec.columns)
    if (column.name == name) return column;
  if (spec.others == OtherColumns::find) return std::nullopt;
  return ColumnSpec{.name = name, .kind = spec.others == OtherColumns::ignore ? ColumnKind::ignore : ColumnKind::num};
}

const char* fix_for(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::num:
      return "`missing` names words for no value, `categorical` and `ignore` columns that are no numbers";
    case ColumnKind::date:
      return "write dates as 2024-02-29";
    default:
      return "write yes or no, true or false, 1 or 0";
  }
}

const char* meaning(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::num:
      return "a number";
    case ColumnKind::date:
      return "a date";
    default:
      return "yes or no";
  }
}

// Begins with the line.
std::string describe(const CellProblem& problem, const std::vector<int>& lines) {
  const std::int64_t more = problem.cells - 1;
  return join(lines[problem.row], ": column ", quote(problem.column), ": ", quote(problem.text), " is not ",
              meaning(problem.kind), more > 0 ? join(" (and ", counted(more, "cell"), " more)") : "", "; ",
              fix_for(problem.kind));
}

}  // namespace

NodeColumns::NodeColumns(const Rows& rows, const std::set<std::size_t>& taken, const FeatureSpec& spec,
                         const std::vector<std::string>& missing) {
  for (const ColumnSpec& column : spec.columns)
    require(column.kind == ColumnKind::ignore || !rows.has(column.name) || !taken.contains(rows.column(column.name)),
            rows.name(), ": column ", quote(column.name),
            " is declared as a feature, and is the id, the label or a split as well");
  for (std::size_t c = 0; c < rows.header().size(); ++c) {
    if (taken.contains(c)) continue;
    std::optional<ColumnSpec> kind = declared(spec, rows.header()[c]);
    Part part{c, {}, kind.has_value(), {}};
    part.column.spec = std::move(kind).value_or(ColumnSpec{.name = rows.header()[c]});
    if (part.column.spec.missing.empty()) part.column.spec.missing = missing;
    parts_.push_back(std::move(part));
  }
}

void NodeColumns::add(const Rows& rows) {
  lines_.push_back(rows.line());
  for (Part& part : parts_)
    if (!part.is_declared || part.column.spec.kind != ColumnKind::ignore) part.cells.add(rows.row()[part.place]);
}

void NodeColumns::gather(const std::vector<std::vector<std::size_t>>& rows_of) {
  const bool sets = std::any_of(rows_of.begin(), rows_of.end(), [](const auto& rows) { return rows.size() > 1; });
  for (Part& part : parts_) {
    if (part.cells.size() == 0) continue;
    const bool measures = sets && !part.is_declared && are_fractions(part.cells, part.column.spec.missing);
    Cells gathered;
    std::string cell;
    for (const std::vector<std::size_t>& rows : rows_of) {
      cell.clear();
      for (std::size_t row : rows) (cell += cell.empty() ? "" : std::string(1, kUnitSeparator)) += part.cells[row];
      gathered.add(cell);
    }
    part.cells = std::move(gathered);
    if (!sets || (part.is_declared && part.column.spec.kind != ColumnKind::cat)) continue;
    part.column.spec.kind = measures ? ColumnKind::ignore : ColumnKind::multi;
    part.column.spec.separator = kUnitSeparator;
    part.column.why = measures ? "several numbers for one node" : "several rows for one node";
    part.is_declared = true;
  }
  std::vector<int> lines;
  for (const std::vector<std::size_t>& rows : rows_of) lines.push_back(rows.empty() ? 0 : lines_[rows[0]]);
  lines_ = std::move(lines);
}

std::vector<Column> NodeColumns::parse(const std::string& table) {
  std::vector<Column> out;
  std::vector<CellProblem> problems;
  for (Part& part : parts_) {
    Column& column = part.column;
    if (part.is_declared) {
      if (column.why.empty()) column.why = "declared";
    } else {
      column = find_kind(column.spec.name, part.cells, column.spec.missing);
    }
    parse_cells(part.cells, column, problems);
    out.push_back(std::move(column));
    part.cells = {};
  }
  if (problems.size() == 1) fail(Status::data, table, ":", describe(problems[0], lines_));
  std::string list;
  for (const CellProblem& problem : problems) list += "\n  line " + describe(problem, lines_);
  require(problems.empty(), table, ": ", counted(std::ssize(problems), "column"), " cannot be read:", list);
  return out;
}

}  // namespace gcnh
