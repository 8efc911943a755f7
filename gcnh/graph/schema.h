// How the columns of a table become numbers. A schema is fitted on training nodes, kept with the model, and applied by
// name to any other table (gcnh/graph/encode.h).
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gcnh/graph/columns.h"
#include "gcnh/graph/scaling.h"

namespace gcnh {

// A column's part of a schema.
struct ColumnCode {
  ColumnSpec spec = {};
  double mean = 0;          // num, date: what a missing value is taken for, and what is subtracted
  double deviation = 1;     // what they are divided by
  bool is_centred = false;  // mean is subtracted
  // num: the least and the largest of training; infinite where a file does not tell.
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool has_indicator = false;            // one feature more: 1 where the value is missing
  std::vector<std::string> values = {};  // cat, multi, text: the feature of each, in this order

  Index width() const;
  // Whether a number lies beyond those of training by more than the distance between them.
  bool is_far(double x) const { return x < low - (high - low) || x > high + (high - low); }
};

struct Schema {
  std::vector<ColumnCode> columns = {};

  Index width() const;
  std::vector<std::string> feature_names() const;  // age, age (missing), city=Rome
};

// Looks at the listed nodes alone. Dates are standardised, numbers with Scale::standard; with Scale::automatic a column
// of numbers that are mostly 0 is divided by the largest instead, which keeps the zeros, as Scale::largest does
// with all of them. Words, sets and yes or no are 0 and 1.
Schema fit_schema(const std::vector<Column>& columns, std::span<const Index> nodes, Scale scale);

}  // namespace gcnh
