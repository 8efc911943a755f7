#include "gcnh/graph/exact_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>

#include "gcnh/graph/schema.h"

namespace gcnh {
namespace {

bool is_lossy(const Column& column) {
  return !std::all_of(column.numbers.begin(), column.numbers.end(),
                      [](double x) { return std::isnan(x) || is_exact(x); });
}

}  // namespace

bool is_exact(double x) {
  const Real stored = static_cast<Real>(x);
  if (static_cast<double>(stored) == x) return true;
  char text[64];
  const std::to_chars_result end = std::to_chars(std::begin(text), std::end(text), stored);
  double again = 0;
  std::from_chars(text, end.ptr, again);
  return again == x;
}

ExactNumbers::ExactNumbers(const Tables& tables) {
  std::vector<Index> all(tables.num_nodes());
  std::iota(all.begin(), all.end(), 0);
  const Schema schema = fit_schema(tables.columns, all, Scale::none);
  if (schema.width() != tables.features.cols()) return;
  column_of_.resize(schema.width());
  std::size_t c = 0;
  Index first = 0;
  for (const ColumnCode& code : schema.columns) {
    while (tables.columns[c].spec.kind == ColumnKind::ignore) ++c;
    const Column& column = tables.columns[c++];
    if (code.spec.kind == ColumnKind::num && is_lossy(column)) column_of_[first] = &column;
    first += code.width();
  }
}

const double* ExactNumbers::find(Index node, Index feature) const {
  if (column_of_.empty() || !column_of_[feature]) return nullptr;
  const double& x = column_of_[feature]->numbers[node];
  return std::isnan(x) || is_exact(x) ? nullptr : &x;
}

const Column* ExactNumbers::lossy() const {
  const auto found = std::find_if(column_of_.begin(), column_of_.end(), [](const Column* c) { return c; });
  return found == column_of_.end() ? nullptr : *found;
}

}  // namespace gcnh
