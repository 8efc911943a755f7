// A node table as people have it: typed columns, as they were read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/base/csr.h"
#include "gcnh/base/options.h"

namespace gcnh {

enum class ColumnKind { num, cat, multi, text, date, boolean, ignore };
inline Words words_of(ColumnKind) {
  return {{"num", "a number"},        {"cat", "one of several words or codes"},
          {"multi", "a set of them"}, {"text", "words"},
          {"date", "days"},           {"bool", "yes or no"},
          {"ignore", "not a feature"}};
}

// Whether a column of this kind is numbers; those of other kinds but ignore are items.
inline bool holds_numbers(ColumnKind kind) {
  return kind == ColumnKind::num || kind == ColumnKind::date || kind == ColumnKind::boolean;
}

// How the numbers of a column are written: $1,200 or 1 200,50 kg.
struct NumberForm {
  std::string before = {}, after = {};  // a currency or a unit, without blanks around it
  char point = '.';                     // before the fraction: . or ,
  char group = '\0';                    // between thousands: one of , . ' and a blank; 0: nothing
  bool has_multiples = false;           // 6.3K is 6300, 1.2M a million and more

  bool has_unit() const { return !before.empty() || !after.empty(); }
  bool is_plain() const { return !has_unit() && point == '.' && group == '\0' && !has_multiples; }
};

// What 5/3/2020 means: the fifth of March, or the third of May. Or there are no days, but times of day alone.
enum class DateOrder { dmy, mdy, time };
inline Words words_of(DateOrder) {
  return {{"dmy", "day, month, year"}, {"mdy", "month, day, year"}, {"time", "hours and minutes"}};
}

// How the cells of a column are to be read.
struct ColumnSpec {
  std::string name = {};
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
  ColumnSpec spec = {};
  std::string why = {};                  // how the kind was found, for people
  bool is_guess = false;                 // the kind could well be another
  bool has_unclear_marks = false;        // the guess is about 17.893 or 1,250: thousands or fractions
  std::vector<double> numbers = {};      // num, date (days since 1970, or parts of a day), bool (0, 1); NaN: missing
  std::vector<std::string> values = {};  // cat, multi, text: what occurs, in the order of its bytes; hashed words: none
  Csr items = {};                        // (nodes, values): which of them a node has; a cat without any is missing
};

// How to overrule guesses: a field that declares columns, those that it is for, and when to use it.
struct Advice {
  std::string field = {};  // numeric, categorical, ignore
  std::vector<std::string> columns = {};
  std::string when = {};

  std::string argument(std::size_t most = SIZE_MAX) const;  // for a shell: 'Hire Date,city'
};
std::vector<Advice> advice_on(const std::vector<Column>& columns);

// The listed rows of every column, in that order.
std::vector<Column> take_rows(const std::vector<Column>& columns, std::span<const Index> rows);

}  // namespace gcnh
