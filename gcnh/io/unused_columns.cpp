#include "gcnh/io/unused_columns.h"

#include <cmath>
#include <optional>

#include "gcnh/graph/dataset.h"
#include "gcnh/io/number_form.h"

namespace gcnh {
namespace {

constexpr double kLargestCount = 1e8;  // larger numbers are seconds since 1970, or ids

// Plain, or with a decimal comma: whether the whole column is written alike is seen when it is read as weights.
std::optional<double> number_of(const std::string& cell) {
  static const NumberForm commas{.before = "", .after = "", .point = ',', .group = '.'};
  const auto plain = parse_plain_number(cell);
  return plain ? plain : parse_formed(cell, commas);
}

bool is_year(double x) { return x == std::floor(x) && x >= 1900 && x <= 2100; }

}  // namespace

UnusedColumns::UnusedColumns(const Rows& rows, const std::set<std::size_t>& used, bool have_weights)
    : table_(rows.name()) {
  for (std::size_t c = 0; c < rows.header().size(); ++c)
    if (!used.contains(c) && !rows.header()[c].empty())
      parts_.push_back({.place = c, .name = rows.header()[c], .may_be_weight = !have_weights});
}

void UnusedColumns::add(const Rows& rows) {
  for (Part& part : parts_) {
    if (!part.may_be_weight) continue;
    const auto number = number_of(rows.row()[part.place]);
    part.may_be_weight = number && is_weight(*number) && *number < kLargestCount;
    if (!part.may_be_weight) continue;
    if (part.first == 0) part.first = *number;
    part.differ = part.differ || *number != part.first;
    part.are_years = part.are_years && is_year(*number);
  }
}

std::string UnusedColumns::note() const {
  if (parts_.empty()) return "";
  std::vector<std::string> names;
  std::string weights;
  for (const Part& part : parts_) {
    names.push_back(part.name);
    if (part.may_be_weight && part.differ && !part.are_years)
      weights += join(weights.empty() ? "; weights? `weight` " : " or ", for_shell(part.name));
  }
  return join(table_, ": ", plural(std::ssize(names), "column"), " not used: ", list_words(names), weights);
}

}  // namespace gcnh
