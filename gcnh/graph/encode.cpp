#include "gcnh/graph/encode.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

// A column of the table beside its part of the schema: appends the features of a row.
struct Source {
  const ColumnCode* code;
  const Column* column;
  Index first;                    // the code's first feature
  std::vector<Index> feature_of;  // of the column's values; -1: not seen in training
  Unseen::Values unseen, missing, far;

  Source(const ColumnCode& c, const Column& from, Index at) : code(&c), column(&from), first(at) {
    unseen.column = missing.column = far.column = c.spec.name;
    if (holds_numbers(c.spec.kind) || c.spec.buckets > 0) return;
    std::map<std::string_view, Index> number;
    for (std::size_t v = 0; v < c.values.size(); ++v) number[c.values[v]] = static_cast<Index>(v);
    for (const std::string& value : from.values) {
      const auto found = number.find(value);
      feature_of.push_back(found == number.end() ? -1 : found->second);
    }
  }

  void append(Index row, Csr& out) {
    if (holds_numbers(code->spec.kind)) {
      append_number(column->numbers[row], out);
    } else {
      append_items(column->items.row(row), out);
    }
  }

 private:
  static void put(Index feature, double value, Csr& out) {
    const Real stored = static_cast<Real>(value);
    if (stored == 0) return;
    out.indices.push_back(feature);
    out.values.push_back(stored);
  }

  void append_missing(Index feature, Csr& out) {
    if (code->has_indicator) return put(feature, 1, out);
    ++missing.cells;
    missing.is_number = holds_numbers(code->spec.kind);
  }

  void append_number(double x, Csr& out) {
    const double centre = code->is_centred ? code->mean : 0;
    put(first, ((std::isnan(x) ? code->mean : x) - centre) / code->deviation, out);
    if (std::isnan(x)) append_missing(first + 1, out);
    if (code->is_far(x) && far.cells++ == 0) far.example = join(x, "; training had ", code->low, " to ", code->high);
  }

  void append_items(std::span<const Index> items, Csr& out) {
    for (Index item : items) {
      const Index feature = code->spec.buckets > 0 ? item : feature_of[item];
      if (feature >= 0) {
        put(first + feature, 1, out);
      } else {
        if (unseen.cells++ == 0) unseen.example = column->values[item];
      }
    }
    if (items.empty() && code->spec.kind == ColumnKind::cat)
      append_missing(first + static_cast<Index>(code->values.size()), out);
  }
};

std::vector<Source> match_columns(const Schema& schema, const std::vector<Column>& columns, const std::string& table,
                                  Unseen& unseen) {
  std::map<std::string_view, const Column*> by_name;
  for (const Column& column : columns) by_name[column.spec.name] = &column;
  std::vector<Source> out;
  std::vector<std::string> absent;
  Index first = 0;
  for (const ColumnCode& code : schema.columns) {
    auto found = by_name.extract(code.spec.name);
    if (!found) {
      absent.push_back(code.spec.name);
      continue;
    }
    require(found.mapped()->spec.kind == code.spec.kind, table, ": column '", code.spec.name, "' is read as ",
            to_word(found.mapped()->spec.kind), ", the model was trained on ", to_word(code.spec.kind));
    out.emplace_back(code, *found.mapped(), first);
    first += code.width();
  }
  for (const auto& [name, column] : by_name) unseen.columns.emplace_back(name);
  require(absent.empty(), table, ": the columns do not fit the model; missing: ", list_words(absent),
          unseen.columns.empty() ? "" : "; not used by the model: " + list_words(unseen.columns),
          "; add the missing ones, with empty cells where nothing is known");
  return out;
}

// Cells so far that training had not seen the like of.
std::int64_t unknown_cells(const std::vector<Source>& sources) {
  std::int64_t out = 0;
  for (const Source& source : sources)
    if (source.code->spec.kind != ColumnKind::text)
      out += source.unseen.cells + source.missing.cells + source.far.cells;
  return out;
}

// Restores the order of columns that a schema with unordered values gave up.
void sort_row(Csr& x, Offset begin) {
  const auto first = x.indices.begin() + begin;
  if (std::is_sorted(first, x.indices.end())) return;
  std::vector<std::pair<Index, Real>> row;
  for (Offset e = begin; e < x.nnz(); ++e) row.emplace_back(x.indices[e], x.values[e]);
  std::sort(row.begin(), row.end());
  for (Offset e = begin; e < x.nnz(); ++e) std::tie(x.indices[e], x.values[e]) = row[e - begin];
}

// A sparse entry stores its column beside its value: twice the memory of a dense one.
Features in_the_smaller_form(Csr x) {
  const Offset cells = Offset{x.rows} * x.cols;
  if (cells > 0 && 2 * x.nnz() >= cells) return filled(x);
  drop_unit_values(x);
  return x;
}

std::string and_example(const Unseen::Values& values) {
  return join(values.column, " (", values.cells, ", for example '", values.example, "')");
}

}  // namespace

std::vector<std::string> Unseen::notes() const {
  std::vector<std::string> out;
  if (!columns.empty())
    out.push_back(join(plural(std::ssize(columns), "column"), " that the model does not use: ", list_words(columns)));
  std::string unknown;
  for (const Values& v : values) unknown += (unknown.empty() ? "" : ", ") + and_example(v);
  if (!unknown.empty())
    out.push_back("values that training had not seen, which count as none of the known ones: " + unknown);
  for (const Values& v : missing)
    out.push_back(join("column ", v.column, ": ", counted(v.cells, "missing value"), ", none in training; ",
                       v.is_number ? "taken for the mean" : "taken for none of the values"));
  for (const Values& v : far)
    out.push_back(join("column ", v.column, ": ", counted(v.cells, "number"),
                       " far beyond those of training, for example ", v.example, "; see whether the unit is the same"));
  return out;
}

Features encode(const Schema& schema, const std::vector<Column>& columns, Index rows, Unseen* unseen,
                const std::string& table) {
  Unseen met;
  std::vector<Source> sources = match_columns(schema, columns, table, met);
  Csr x{rows, schema.width(), {0}, {}, {}};
  std::int64_t unknown = 0;
  for (Index i = 0; i < rows; ++i) {
    const Offset begin = x.nnz();
    for (Source& source : sources) source.append(i, x);
    sort_row(x, begin);
    x.offsets.push_back(x.nnz());
    if (const std::int64_t now = unknown_cells(sources); std::exchange(unknown, now) != now) met.nodes.push_back(i);
  }
  for (Source& source : sources) {
    if (source.unseen.cells > 0) met.values.push_back(std::move(source.unseen));
    if (source.missing.cells > 0) met.missing.push_back(std::move(source.missing));
    if (source.far.cells > 0) met.far.push_back(std::move(source.far));
  }
  if (unseen) *unseen = std::move(met);
  return in_the_smaller_form(std::move(x));
}

}  // namespace gcnh
