// Columns of a user's tables: guesses, gaps, and what is not used at all.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "gcnh/check/rules.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr double kManyMissing = 0.2;  // share of the cells of a column

std::vector<Remark> look_for_guesses(const CheckInput& input) {
  if (input.tables.columns.empty()) return {};
  std::vector<std::string> shown;
  for (const Column& column : input.tables.columns)
    if (column.is_guess)
      shown.push_back(join(quote(column.spec.name), " as ", to_word(column.spec.kind), " (", column.why, ")"));
  std::string fix;
  for (const Advice& advice : advice_on(input.tables.columns)) {
    fix += join(fix.empty() ? "" : "; ", "`", advice.field, "` ", advice.argument(), " ", advice.when);
    for (std::size_t c = 0; advice.field == "split_column" && c < advice.columns.size(); ++c)
      shown.push_back(join(quote(advice.columns[c]), " as cat (words of a split)"));
  }
  if (shown.empty()) return in_order("no column's kind is a guess");
  return warn(join("the kind of ", counted(std::ssize(shown), "column"), " is a guess: ", some_of(shown)),
              "codes taken for numbers, or numbers for codes, cost accuracy", fix);
}

double share_of_missing(const Column& column) {
  Offset missing = 0, cells = std::ssize(column.numbers);
  if (column.spec.kind == ColumnKind::cat) {
    cells = column.items.rows;
    for (Index u = 0; u < column.items.rows; ++u) missing += column.items.row(u).empty();
  } else {
    missing = std::count_if(column.numbers.begin(), column.numbers.end(), [](double x) { return std::isnan(x); });
  }
  return share_of(static_cast<double>(missing), static_cast<double>(cells));
}

// A reader's note on words for missing values: those that it took for some, and those that are nowhere.
bool is_on_missing(const std::string& note) {
  return note.find(" taken for missing; ") != std::string::npos ||
         note.find(" taken for no label; ") != std::string::npos ||
         note.find(", which `missing` names") != std::string::npos;
}

std::vector<Remark> look_for_missing_words(const CheckInput& input) {
  std::vector<Remark> out;
  for (const std::string& note : input.tables.notes)
    if (is_on_missing(note))
      out.push_back(warn(note,
                         "a value that counts as missing is lost, and a missing one that counts as a value misleads",
                         "see which words of the table mean missing")[0]);
  return out;
}

std::vector<Remark> look_for_missing(const CheckInput& input) {
  if (input.tables.columns.empty()) return {};
  std::vector<std::string> many;
  double most = 0;
  for (const Column& column : input.tables.columns) {
    const double share = share_of_missing(column);
    most = std::max(most, share);
    if (share > kManyMissing) many.push_back(join(quote(column.spec.name), " (", in_percent(share), ")"));
  }
  if (many.empty())
    return in_order(most == 0 ? "no value is missing" : join("at most ", in_percent(most), " of a column is missing"));
  return warn(join("many values are missing in ", counted(std::ssize(many), "column"), ": ", some_of(many)),
              "the mean, or none of the words, stands in for them, and a feature of its own says so",
              "if a word stands for no value, `missing` names it; `ignore` leaves a column out");
}

// Where a reader took cells to say what others of the column say.
std::vector<Remark> look_for_assumptions(const CheckInput& input) {
  std::vector<Remark> out;
  for (const std::string& assumption : input.tables.assumptions)
    out.push_back(warn(assumption, "numbers in another unit, or with another mark, would be wrong",
                       "see whether that is right; write all cells of a column alike")[0]);
  return out;
}

std::vector<Remark> look_for_case(const CheckInput& input) {
  if (input.tables.columns.empty()) return {};
  std::vector<std::string> alike;
  for (const Column& column : input.tables.columns) {
    if (column.spec.kind != ColumnKind::cat && column.spec.kind != ColumnKind::multi) continue;
    std::unordered_map<std::string, std::string> first;
    for (const std::string& value : column.values) {
      const auto [at, is_new] = first.try_emplace(lower(value), value);
      if (!is_new) alike.push_back(join(quote(at->second), " and ", quote(value), " in ", quote(column.spec.name)));
    }
  }
  if (alike.empty()) return in_order("no two categories of a column differ in case alone");
  return warn(join("categories that differ in case alone: ", some_of(alike)), "they count as different ones",
              "write them in one way");
}

// What a reader noted, but for empty edges and missing words, which have rules of their own.
std::vector<Remark> look_for_unused(const CheckInput& input) {
  std::vector<Remark> out;
  for (const std::string& note : input.tables.notes) {
    if (note.find("has no edges") != std::string::npos || is_on_missing(note)) continue;
    out.push_back(warn(note, "what it holds is lost", "check that this is intended")[0]);
  }
  return out;
}

std::vector<Remark> look_at_row_order(const CheckInput& input) {
  const std::vector<Index>& order = input.tables.file_order;
  if (order.empty()) return {};
  Offset moved = 0;
  for (std::size_t k = 0; k < order.size(); ++k) moved += order[k] != static_cast<Index>(k);
  return warn(join("rows are not in the order of their ids: ", moved, " of ", order.size(),
                   " stand elsewhere, the first is of node ", order[0]),
              "they are placed by id here; code that ignores the ids gives nearly every node another node's features",
              "see which was done before you compare results");
}

}  // namespace

std::vector<Rule> column_rules() {
  return {
      {"guessed-kinds", "columns whose kind could well be another", look_for_guesses},
      {"assumed-forms",
       "numbers without a unit that others have or with points between thousands, weights unlike 1234.5",
       look_for_assumptions},
      {"category-case", "categories of a column that differ in case alone", look_for_case},
      {"missing", "columns in which many values are missing", look_for_missing},
      {"missing-words", "words that were taken for missing, or were said to be and do not occur",
       look_for_missing_words},
      {"unused-columns", "columns and rows of the tables that nothing uses", look_for_unused},
      {"row-order", "rows that are not in the order of their ids", look_at_row_order},
  };
}

}  // namespace gcnh
