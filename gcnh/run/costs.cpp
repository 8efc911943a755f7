#include "gcnh/run/costs.h"

#include <cmath>
#include <map>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_rows.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr double kMost = 1e9;

}  // namespace

Matrix read_costs(const std::filesystem::path& path, const std::vector<std::string>& classes) {
  CsvRows rows(path.string());
  std::map<std::string, Index> number;
  for (std::size_t k = 0; k < classes.size(); ++k) number[classes[k]] = static_cast<Index>(k);
  std::vector<std::size_t> columns;
  for (const std::string& name : classes) columns.push_back(rows.column(name));
  Matrix out(static_cast<Index>(classes.size()), static_cast<Index>(classes.size()));
  std::vector<bool> has_row(classes.size(), false);
  while (rows.next()) {
    const std::string& name = rows.row()[0];
    const auto found = number.find(name);
    if (found == number.end())
      rows.fail("no class ", quote(name), "; classes: ", list_words(classes), did_you_mean(name, classes));
    if (has_row[static_cast<std::size_t>(found->second)]) rows.fail("class ", quote(name), " has a row already");
    has_row[static_cast<std::size_t>(found->second)] = true;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const std::string& cell = rows.row()[columns[j]];
      const auto cost = parse_number<double>(cell);
      if (!cost || !(std::abs(*cost) <= kMost)) rows.fail("the cost ", quote(cell), " is not a number up to ", kMost);
      out(found->second, static_cast<Index>(j)) = static_cast<Real>(*cost);
    }
  }
  for (std::size_t k = 0; k < classes.size(); ++k)
    require(has_row[k], path.string(), ": no row for class ", quote(classes[k]), "; every true class needs one");
  return out;
}

}  // namespace gcnh
