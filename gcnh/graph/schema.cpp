#include "gcnh/graph/schema.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

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
  if (code.spec.kind == ColumnKind::num) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    code.low = *low, code.high = *high;
  }
  code.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  if (scale == Scale::automatic && mostly_zeros(values)) {
    for (double x : values) code.deviation = std::max(code.deviation, std::abs(x));  // at least 1: as it is
  } else if (scale == Scale::largest) {
    double largest = 0;
    for (double x : values) largest = std::max(largest, std::abs(x));
    if (largest > 0) code.deviation = largest;
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

}  // namespace gcnh
