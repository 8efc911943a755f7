// A node table as people have it: typed columns, and the schema by which they become numbers. A schema is fitted on
// training nodes, kept with the model, and applied by name to any other table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/graph/features.h"
#include "gcnh/graph/scaling.h"

namespace gcnh {

enum class ColumnKind { num, cat, multi, text, date, boolean, ignore };
inline Words words_of(ColumnKind) {
  return {{"num", "a number"},        {"cat", "one of several words or codes"},
          {"multi", "a set of them"}, {"text", "words"},
          {"date", "days"},           {"bool", "yes or no"},
          {"ignore", "not a feature"}};
}

// How the numbers of a column are written: $1,200 or 1 200,50 kg.
struct NumberForm {
  std::string before, after;  // a currency or a unit, without blanks around it
  char point = '.';           // before the fraction: . or ,
  char group = '\0';          // between thousands: one of , . ' and a blank; 0: nothing

  bool is_plain() const { return before.empty() && after.empty() && point == '.' && group == '\0'; }
};

// What 5/3/2020 means: the fifth of March, or the third of May.
enum class DateOrder { dmy, mdy };
inline Words words_of(DateOrder) { return {{"dmy", "day, month, year"}, {"mdy", "month, day, year"}}; }

// How the cells of a column are to be read.
struct ColumnSpec {
  std::string name;
  ColumnKind kind = ColumnKind::num;
  char separator = ';';  // between the members of a set
  Index buckets = 0;     // text: words are hashed into so many features; 0: every word of training is one
  std::vector<std::string> missing = {};  // words that stand for no value, besides the usual ones
  std::optional<char> point = {};         // num: the mark before the fraction; nothing: found by looking
  std::optional<NumberForm> form = {};    // num: as it was found
  std::optional<DateOrder> order = {};    // date: as it was declared or found
};

// One column of a table, read. Of `numbers` and `items` the one that the kind needs is filled.
struct Column {
  ColumnSpec spec;
  std::string why;                  // how the kind was found, for people
  bool is_guess = false;            // the kind could well be another
  std::vector<double> numbers;      // num, date (days since 1970), bool (0, 1); NaN: missing
  std::vector<std::string> values;  // cat, multi, text: what occurs, in the order of its bytes; hashed words: none
  Csr items;                        // (nodes, values): which of them a node has; a cat without any is missing
};

// A column's part of a schema.
struct ColumnCode {
  ColumnSpec spec;
  double mean = 0;                  // num, date: what a missing value is taken for, and what is subtracted
  double deviation = 1;             // what they are divided by
  bool is_centred = false;          // mean is subtracted
  bool has_indicator = false;       // one feature more: 1 where the value is missing
  std::vector<std::string> values;  // cat, multi, text: the feature of each, in this order

  Index width() const;
};

struct Schema {
  std::vector<ColumnCode> columns;

  Index width() const;
  std::vector<std::string> feature_names() const;  // age, age (missing), city=Rome
};

// What applying a schema met that training had not.
struct Unseen {
  struct Values {
    std::string column;
    std::int64_t cells = 0;  // with such a value
    std::string example;
    bool is_number = false;
  };
  std::vector<Values> values;
  std::vector<std::string> columns;  // that the schema does not know
  std::vector<Values> missing;       // missing where training had no missing value: taken for the mean
  std::vector<Index> nodes;          // with one of these, ascending; a new word of a text does not count

  std::vector<std::string> notes() const;  // one line each
};

// Looks at the listed nodes alone. Dates are standardised, numbers with Scale::standard; with Scale::automatic a column
// of numbers that are mostly 0 is divided by the largest instead, which keeps the zeros. Words, sets and yes or no are
// 0 and 1.
Schema fit_schema(const std::vector<Column>& columns, std::span<const Index> nodes, Scale scale);

// Columns are found by name; those that are not there are an error that lists them, behind the table's name.
Features encode(const Schema& schema, const std::vector<Column>& columns, Index rows, Unseen* unseen = nullptr,
                const std::string& table = "table");

// How to overrule guesses: a field that declares columns, those that it is for, and when to use it.
struct Advice {
  std::string field;  // numeric, categorical, ignore
  std::vector<std::string> columns;
  std::string when;
};
std::vector<Advice> advice_on(const std::vector<Column>& columns);

// The listed rows of every column, in that order.
std::vector<Column> take_rows(const std::vector<Column>& columns, std::span<const Index> rows);

}  // namespace gcnh
