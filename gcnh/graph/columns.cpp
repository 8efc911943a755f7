#include "gcnh/graph/columns.h"

#include <algorithm>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/base/names.h"

namespace gcnh {

namespace {

// A column that says to which set of a split each node belongs.
bool names_sets(const Column& column) {
  if (column.spec.kind != ColumnKind::cat || column.values.size() < 2) return false;
  return std::all_of(column.values.begin(), column.values.end(),
                     [](const std::string& word) { return word == "train" || word == "val" || word == "test"; });
}

}  // namespace

std::string Advice::argument(std::size_t most) const {
  std::string out;
  for (std::size_t c = 0; c < std::min(most, columns.size()); ++c)
    out += (c > 0 ? "," : "") + (field == "features" ? columns[c] : in_list(columns[c]));
  if (columns.size() > most) out += ",...";
  return for_shell(out);
}

std::vector<Advice> advice_on(const std::vector<Column>& columns) {
  Advice numeric{"numeric", {}, "if these are measures"}, codes{"categorical", {}, "if these are codes"},
      words{"categorical", {}, "to use these"}, ignore{"ignore", {}, "to leave these out"},
      sets{"split_column", {}, "if it says which nodes are for training"};
  std::string dates, marks;
  for (const Column& column : columns) {
    if (names_sets(column)) sets.columns.push_back(column.spec.name);
    if (!column.is_guess) continue;
    if (column.spec.kind == ColumnKind::date) {
      const bool day_first = column.spec.order == DateOrder::dmy;
      dates += join(dates.empty() ? "date:" : ",", in_list(column.spec.name, ":"), day_first ? "(mdy)" : "(dmy)");
      continue;
    }
    if (column.has_unclear_marks) {
      const char other = column.spec.form && column.spec.form->point == ',' ? '.' : ',';
      marks += join(marks.empty() ? "num:" : ",", in_list(column.spec.name, ":"), "(", other, ")");
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
  for (Advice* advice : {&numeric, &codes, &words, &ignore, &sets})
    if (!advice->columns.empty()) out.push_back(std::move(*advice));
  if (!dates.empty()) out.push_back({"features", {dates + " rest"}, "if days and months are the other way round"});
  if (!marks.empty())
    out.push_back({"features", {marks + " rest"}, "if thousands and fractions are the other way round"});
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
