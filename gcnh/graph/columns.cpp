#include "gcnh/graph/columns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

bool holds_numbers(ColumnKind kind) {
  return kind == ColumnKind::num || kind == ColumnKind::date || kind == ColumnKind::boolean;
}

double deviation_of(std::span<const double> values, double mean) {
  double squares = 0;
  for (double x : values) squares += (x - mean) * (x - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(values.size()));
  return deviation > 0 ? deviation : 1;
}

// Whether zeros are the rule, as they are among counts: subtracting a mean would fill them.
bool mostly_zeros(std::span<const double> values) {
  return 2 * std::count(values.begin(), values.end(), 0.0) > std::ssize(values);
}

void fit_numbers(const Column& column, std::span<const Index> nodes, Scale scale, ColumnCode& code) {
  std::vector<double> values;
  for (Index u : nodes)
    if (!std::isnan(column.numbers[u])) values.push_back(column.numbers[u]);
  code.has_indicator = values.size() < nodes.size();
  if (values.empty()) return;
  code.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  if (scale == Scale::automatic && mostly_zeros(values)) {
    for (double x : values) code.deviation = std::max(code.deviation, std::abs(x));  // at least 1: as it is
  } else if (scale == Scale::automatic || scale == Scale::standard) {
    code.is_centred = true;
    code.deviation = deviation_of(values, code.mean);
  }
}

// How a column of numbers is scaled, where the table is scaled like that.
Scale scale_of(ColumnKind kind, Scale table) {
  return kind == ColumnKind::date ? Scale::standard : kind == ColumnKind::num ? table : Scale::none;
}

void fit_values(const Column& column, std::span<const Index> nodes, ColumnCode& code) {
  if (code.spec.buckets > 0) return;
  std::vector<Index> seen(column.values.size());
  for (Index u : nodes) {
    const std::span<const Index> items = column.items.row(u);
    if (items.empty() && code.spec.kind == ColumnKind::cat) code.has_indicator = true;
    for (Index value : items) ++seen[value];
  }
  const int least = code.spec.kind == ColumnKind::text ? 2 : 1;  // a word of one node tells nothing of another
  for (std::size_t v = 0; v < seen.size(); ++v)
    if (seen[v] >= least) code.values.push_back(column.values[v]);
}

// A column of the table beside its part of the schema: appends the features of a row.
struct Source {
  const ColumnCode* code;
  const Column* column;
  Index first;                    // the code's first feature
  std::vector<Index> feature_of;  // of the column's values; -1: not seen in training
  Unseen::Values unseen, missing;

  Source(const ColumnCode& c, const Column& from, Index at) : code(&c), column(&from), first(at) {
    unseen.column = missing.column = c.spec.name;
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
          unseen.columns.empty() ? "" : "; not known to the model: " + list_words(unseen.columns));
  return out;
}

// Cells so far that training had not seen the like of.
std::int64_t unknown_cells(const std::vector<Source>& sources) {
  std::int64_t out = 0;
  for (const Source& source : sources)
    if (source.code->spec.kind != ColumnKind::text) out += source.unseen.cells + source.missing.cells;
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

Index ColumnCode::width() const {
  const Index features = holds_numbers(spec.kind)                            ? 1
                         : spec.kind == ColumnKind::text && spec.buckets > 0 ? spec.buckets
                                                                             : static_cast<Index>(values.size());
  return features + (has_indicator ? 1 : 0);
}

Index Schema::width() const {
  Index out = 0;
  for (const ColumnCode& code : columns) out += code.width();
  return out;
}

std::vector<std::string> Schema::feature_names() const {
  std::vector<std::string> out;
  for (const ColumnCode& code : columns) {
    if (holds_numbers(code.spec.kind)) out.push_back(code.spec.name);
    for (const std::string& value : code.values) out.push_back(code.spec.name + "=" + value);
    for (Index b = 0; b < code.spec.buckets; ++b) out.push_back(join(code.spec.name, "#", b));
    if (code.has_indicator) out.push_back(code.spec.name + " (missing)");
  }
  return out;
}

std::vector<std::string> Unseen::notes() const {
  std::vector<std::string> out;
  if (!columns.empty())
    out.push_back(join(plural(std::ssize(columns), "column"), " that the model does not know: ", list_words(columns)));
  std::string unknown;
  for (const Values& v : values) unknown += (unknown.empty() ? "" : ", ") + and_example(v);
  if (!unknown.empty())
    out.push_back("values that training had not seen, which count as none of the known ones: " + unknown);
  for (const Values& v : missing)
    out.push_back(join("column ", v.column, ": ", counted(v.cells, "missing value"), ", none in training; ",
                       v.is_number ? "taken for the mean" : "taken for none of the values"));
  return out;
}

Schema fit_schema(const std::vector<Column>& columns, std::span<const Index> nodes, Scale scale) {
  Schema out;
  for (const Column& column : columns) {
    if (column.spec.kind == ColumnKind::ignore) continue;
    ColumnCode code;
    code.spec = column.spec;
    if (holds_numbers(column.spec.kind)) {
      fit_numbers(column, nodes, scale_of(column.spec.kind, scale), code);
    } else {
      fit_values(column, nodes, code);
    }
    out.columns.push_back(std::move(code));
  }
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
  }
  if (unseen) *unseen = std::move(met);
  return in_the_smaller_form(std::move(x));
}

std::vector<Advice> advice_on(const std::vector<Column>& columns) {
  Advice numeric{"numeric", {}, "if these are measures"}, codes{"categorical", {}, "if these are codes"},
      words{"categorical", {}, "to use these"}, ignore{"ignore", {}, "to leave these out"};
  std::string dates;
  for (const Column& column : columns) {
    if (!column.is_guess) continue;
    if (column.spec.kind == ColumnKind::date) {
      const bool day_first = column.spec.order == DateOrder::dmy;
      dates += join(dates.empty() ? "date:" : ",", column.spec.name, day_first ? "(mdy)" : "(dmy)");
      continue;
    }
    const bool whole_numbers = column.why.find("whole numbers") != std::string::npos;
    Advice& advice = column.spec.kind == ColumnKind::num      ? codes
                     : column.spec.kind == ColumnKind::ignore ? words
                     : whole_numbers                          ? numeric
                                                              : ignore;
    advice.columns.push_back(column.spec.name);
  }
  std::vector<Advice> out;
  for (Advice* advice : {&numeric, &codes, &words, &ignore})
    if (!advice->columns.empty()) out.push_back(std::move(*advice));
  if (!dates.empty()) out.push_back({"features", {dates + " rest"}, "if days and months are the other way round"});
  return out;
}

std::vector<Column> take_rows(const std::vector<Column>& columns, std::span<const Index> rows) {
  std::vector<Column> out = columns;
  for (Column& column : out) {
    if (holds_numbers(column.spec.kind)) {
      std::vector<double> numbers;
      for (Index row : rows) numbers.push_back(column.numbers[row]);
      column.numbers = std::move(numbers);
    } else if (column.spec.kind != ColumnKind::ignore) {
      column.items = take_rows(column.items, rows);
    }
  }
  return out;
}

}  // namespace gcnh
