#include "gcnh/io/node_columns.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/base/names.h"
#include "gcnh/io/cell_problem.h"
#include "gcnh/io/cell_values.h"
#include "gcnh/io/column_cells.h"
#include "gcnh/io/column_kind.h"
#include "gcnh/io/missing_words.h"
#include "gcnh/io/number_form.h"
#include "gcnh/io/number_marks.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr char kUnitSeparator = '\x1f';  // made for this, and not typed into tables

// Whether all values are numbers and one of them is not whole.
bool are_fractions(const Cells& cells, const std::vector<std::string>& missing) {
  bool fraction = false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_missing(cells[i], missing)) continue;
    if (!parse_plain_number(cells[i])) return false;
    fraction = fraction || !parse_number<std::int64_t>(category(cells[i]));
  }
  return fraction;
}

// The kind that somebody gave a column, if anybody did.
using Declared = std::unordered_map<std::string, ColumnSpec>;
std::optional<ColumnSpec> kind_of(const std::string& name, const Declared& declared, OtherColumns others) {
  if (const auto found = declared.find(name); found != declared.end()) return found->second;
  if (others == OtherColumns::find) return std::nullopt;
  return ColumnSpec{.name = name, .kind = others == OtherColumns::ignore ? ColumnKind::ignore : ColumnKind::num};
}

// Words that reach model files and terminals.
void check_words(const FeatureSpec& spec, const std::vector<std::string>& missing) {
  for (const std::string& word : missing)
    if (!is_utf8(word)) fail(Status::usage, "missing: a word is not UTF-8");
  for (const ColumnSpec& column : spec.columns)
    if (!is_utf8(column.name) || (column.separator & 0x80))
      fail(Status::usage, "features: a name or a separator is not UTF-8, or no single byte of it");
}

// A column whose points stand before three digits everywhere.
bool may_have_thousands(const Column& column, const Cells& cells) {
  const ColumnSpec& spec = column.spec;
  if (spec.kind != ColumnKind::num || spec.point || spec.form->group != '\0') return false;
  return has_unclear_marks(for_all(Present(cells, spec.missing)), *spec.form);
}

// Where words are values, one that is taken for none may have been meant.
void note_missing(const Column& column, const Cells& cells, const std::string& table, Tables& out) {
  const ColumnSpec& spec = column.spec;
  if (spec.kind != ColumnKind::cat && spec.kind != ColumnKind::multi) return;
  MissingWords words;
  for (std::size_t i = 0; i < cells.size(); ++i) words.add(cells[i], spec.missing);
  const MissingWords::Word word = words.often();
  if (word.count > 0)
    out.notes.push_back(join(table, ": column ", quote(spec.name), ": ", counted(word.count, "cell"), " ",
                             quote(word.text), " taken for missing; `missing` ",
                             for_shell(in_list(spec.name, "=") + "=!" + in_list(word.text)), " if it is a value"));
}

// Words for missing values that are in no cell: a slip, or another column was meant.
void note_absent(const Column& column, const std::vector<std::string>& words, const Cells& cells,
                 const std::string& table, Tables& out) {
  for (const std::string& word : words) {
    bool is_there = word.starts_with('!') || cells.size() == 0;
    for (std::size_t i = 0; !is_there && i < cells.size(); ++i)
      is_there =
          cells[i] == word || (column.spec.kind == ColumnKind::multi && cells[i].find(word) != std::string_view::npos);
    if (!is_there)
      out.notes.push_back(
          join(table, ": column ", quote(column.spec.name), ": no cell is ", quote(word), ", which `missing` names"));
  }
}

}  // namespace

NodeColumns::NodeColumns(const Rows& rows, const std::set<std::size_t>& taken, const FeatureSpec& spec,
                         const std::vector<std::string>& missing,
                         const std::map<std::string, std::vector<std::string>>& missing_of)
    : is_of_model_(spec.may_lack) {
  check_words(spec, missing);
  for (const auto& [column, words] : missing_of) check_words({}, words);
  Declared declared;
  for (const ColumnSpec& column : spec.columns) declared[column.name] = column;
  for (std::size_t c = 0; c < rows.header().size(); ++c) {
    const std::string& name = rows.header()[c];
    if (name.empty()) {
      nameless_.emplace_back(c, false);
      continue;
    }
    const auto found = declared.find(name);
    const bool is_feature = found != declared.end() && found->second.kind != ColumnKind::ignore;
    require(!is_feature || !taken.contains(c), rows.name(), ": column ", quote(name),
            " is declared as a feature, and is the id, the label or a split as well");
    if (taken.contains(c)) continue;
    std::optional<ColumnSpec> kind = kind_of(name, declared, spec.others);
    Part part{.place = c, .column = {}, .is_declared = kind.has_value(), .cells = {}};
    part.column.spec = std::move(kind).value_or(ColumnSpec{.name = name});
    std::vector<std::string>& words = part.column.spec.missing;
    words.insert(words.end(), missing.begin(), missing.end());
    if (const auto own = missing_of.find(name); own != missing_of.end()) part.own_missing = own->second;
    words.insert(words.end(), part.own_missing.begin(), part.own_missing.end());
    parts_.push_back(std::move(part));
  }
}

void NodeColumns::add(const Rows& rows) {
  lines_.push_back(rows.line());
  for (auto& [place, has_values] : nameless_) has_values = has_values || !rows.row()[place].empty();
  for (Part& part : parts_)
    if (!part.is_declared || part.column.spec.kind != ColumnKind::ignore) part.cells.add(rows.row()[part.place]);
}

// The separator that puts the cells of several rows together; none where the kind has one value per node.
char NodeColumns::joint(const Part& part, const std::string& table) {
  if (!part.is_declared || part.column.spec.kind == ColumnKind::cat) return kUnitSeparator;
  if (part.column.spec.kind == ColumnKind::multi) return part.column.spec.separator;
  if (part.column.spec.kind == ColumnKind::text) return ' ';
  fail(Status::data, table, ": column ", quote(part.column.spec.name), " is declared as ",
       to_word(part.column.spec.kind), ", but a node has several rows; declare it as multi, or `ignore` it");
}

void NodeColumns::gather(const std::vector<std::vector<std::size_t>>& rows_of, const std::string& table) {
  const bool sets = std::any_of(rows_of.begin(), rows_of.end(), [](const auto& rows) { return rows.size() > 1; });
  for (Part& part : parts_) {
    ColumnSpec& spec = part.column.spec;
    if (part.is_declared && spec.kind == ColumnKind::ignore) continue;
    const bool measures = sets && !part.is_declared && are_fractions(part.cells, spec.missing);
    const char between = sets ? joint(part, table) : kUnitSeparator;
    Cells gathered;
    std::string cell;
    for (const std::vector<std::size_t>& rows : rows_of) {
      cell.clear();
      for (std::size_t row : rows) {
        if (!cell.empty()) cell += between;
        cell += part.cells[row];
      }
      gathered.add(cell);
    }
    part.cells = std::move(gathered);
    if (!sets || between != kUnitSeparator) continue;
    spec.kind = measures ? ColumnKind::ignore : ColumnKind::multi;
    spec.separator = kUnitSeparator;
    part.column.why = measures ? kSeveralNumbers : "several rows for one node";
    part.is_declared = true;
  }
  std::vector<int> lines;
  for (const std::vector<std::size_t>& rows : rows_of) lines.push_back(rows.empty() ? 0 : lines_[rows[0]]);
  lines_ = std::move(lines);
}

// Who writes decimal commas in one column has no decimal points in another.
void NodeColumns::read_thousands(Tables& out, CellReport& report) {
  const std::string model = name_of_commas(out.columns);
  Column* column = out.columns.data() + (out.columns.size() - parts_.size());
  for (Part& part : parts_) {
    if (part.cells.size() > 0 && !model.empty()) {
      column->spec.form = other_reading(*column->spec.form);
      column->numbers.clear();
      if (!part.is_declared)
        column->why = join("numbers, '.' between thousands, as ", quote(model), " has decimal commas");
      parse_cells(part.cells, *column, report);
    }
    part.cells = {};
    ++column;
  }
}

void NodeColumns::parse(const std::string& table, Tables& out) {
  CellReport report;
  for (Part& part : parts_) {
    Column& column = part.column;
    if (part.is_declared) {
      if (column.why.empty()) column.why = "declared";
    } else {
      column = find_kind(column.spec.name, part.cells, column.spec.missing);
    }
    parse_cells(part.cells, column, report);
    if (!is_of_model_) note_missing(column, part.cells, table, out);
    if (!is_of_model_) note_absent(column, part.own_missing, part.cells, table, out);
    if (is_of_model_ || !may_have_thousands(column, part.cells)) part.cells = {};
    out.columns.push_back(std::move(column));
  }
  read_thousands(out, report);
  const std::vector<CellProblem>& problems = report.problems;
  if (problems.size() == 1) fail(Status::data, table, ":", describe(problems[0], is_of_model_, lines_));
  std::string list;
  for (const CellProblem& problem : problems) list += "\n  line " + describe(problem, is_of_model_, lines_);
  require(problems.empty(), table, ": ", counted(std::ssize(problems), "column"), " cannot be read:", list);
  for (const std::string& assumption : report.assumptions) out.assumptions.push_back(join(table, ": ", assumption));
  for (const auto& [place, has_values] : nameless_)
    if (has_values)
      out.notes.push_back(
          join(table, ": column ", place + 1, " has no name and is not used; give it one if it should be"));
}

}  // namespace gcnh
