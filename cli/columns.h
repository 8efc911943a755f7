// Which columns of a user's table are features, and of what kind: flags, and what was found, for people.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "gcnh/gcnh.h"

namespace gcnh::cli {

struct ColumnFlags {
  std::string features;
  std::vector<std::string> numeric, categorical, ignore;
  std::vector<std::string> missing;  // lists of words, some behind the name of a column: ?,0 and age=0,99

  // What was given; a trained model knows its columns, and others are left out.
  FeatureSpec spec(const TrainedModel* model) const;
  void set_missing(CsvSource& csv) const;
};

void add_column_flags(CLI::App& app, ColumnFlags& flags, CsvSource& csv);

// A line per column: name, kind, features, why; and below how to overrule what is a guess. Nothing for a table of
// numbers.
std::string describe_columns(const Tables& tables);

}  // namespace gcnh::cli
