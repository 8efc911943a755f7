#include "gcnh/io/cell_problem.h"

#include <algorithm>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/base/names.h"
#include "gcnh/io/cell_dates.h"
#include "gcnh/io/number_form.h"
#include "gcnh/io/number_marks.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// Where hardly a cell could be read, they do not mean missing.
bool are_other_things(const CellProblem& problem) {
  return problem.words.size() > 3 && problem.cells > 9 * problem.read;
}

// How to tell that these words of a column mean missing; a comma would be the end of one, and sentences are none.
std::string fix_for_missing(const CellProblem& problem, std::vector<std::string> words) {
  if (are_other_things(problem)) return "";
  std::erase_if(words, [](const std::string& word) { return word.find(',') != word.npos || word.size() > 40; });
  if (words.empty()) return "";
  std::string all;
  for (const std::string& word : words) all += join(all.empty() ? "" : ",", word);
  return join("; `missing` ", for_shell(in_list(problem.spec.name, "=") + "=" + all),
              words.size() == 1 ? " if it means missing" : " if these mean missing");
}

// Whether all are like 349,523: thousands, fractions or sets.
bool are_unclear(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.find(',') != word.npos && may_be_grouped(word, ','); });
}

// What to do about a cell that is no number. A model knows its columns, so there is less to choose from.
std::string fix_for_number(const CellProblem& problem, bool is_of_model, const std::vector<int>& lines) {
  const NumberForm& form = *problem.spec.form;
  const std::string &name = problem.spec.name, &text = problem.first.text, listed = in_list(name, ":");
  if (!is_of_model && form.is_plain() && are_unclear(problem.words))
    return join("`features` ", for_shell(join("num:", listed, "(.) rest")), " if commas are between thousands, ",
                for_shell(join("num:", listed, "(,) rest")), " if they are before fractions, ",
                for_shell(join("multi:", listed, "(,) rest")), " if these are sets");
  const std::string column = for_shell(in_list(name)), sign = sign_behind(text);
  const std::string otherwise =
      is_of_model ? "" : join("; `categorical` ", column, " or `ignore` ", column, " if the column is not of numbers");
  if (!sign.empty())
    return join(quote(sign), " may be a sign, or a word for something else; write numbers like -1234.5 and 1234.5",
                otherwise);
  const auto is_word = [](const std::string& word) {
    return word.find_first_of("0123456789") == word.npos || is_bound(word);
  };
  std::string out = is_of_model       ? join("the model was trained on numbers like ", example_of(form))
                    : form.is_plain() ? "numbers are written like 1234.5"
                    : problem.good
                        ? join("others are like ", quote(problem.good->text), " in line ", lines[problem.good->row])
                        : join("numbers are written like ", example_of(form));
  if (!form.is_plain() && !is_word(text))
    out += is_of_model ? "; write all of them like that, or all like 1234.5" : "; write all of them alike, in one unit";
  std::vector<std::string> words = problem.words;
  if (!form.is_plain()) std::erase_if(words, [&](const std::string& word) { return !is_word(word); });
  return out + fix_for_missing(problem, std::move(words)) + otherwise;
}

// A model that has the day first cannot read 3/25/2023.
std::string fix_for_date(const CellProblem& problem, bool is_of_model) {
  const DateOrder order = *problem.spec.order;
  const std::string missing = fix_for_missing(problem, problem.words);
  if (order == DateOrder::time) return "write times as 12:30" + missing;
  const bool day_first = order == DateOrder::dmy;
  if (is_of_model && parse_date(problem.first.text, day_first ? DateOrder::mdy : DateOrder::dmy))
    return join("the model was trained on dates with the ", day_first ? "day" : "month",
                " first; write all of them like that, or as 2024-02-29");
  return "write dates as 2024-02-29" + missing;
}

}  // namespace

std::string describe(const CellProblem& problem, bool is_of_model, const std::vector<int>& lines) {
  const ColumnSpec& spec = problem.spec;
  const char* meaning = "not yes or no";
  std::string fix = "write yes or no, true or false, 1 or 0";
  if (spec.kind == ColumnKind::num) {
    const bool is_large = is_too_large(problem.first.text, *spec.form);
    meaning = is_large ? "too large" : "not a number";
    fix =
        is_large ? "numbers go up to 3.4e38; divide those of the column" : fix_for_number(problem, is_of_model, lines);
  } else if (spec.kind == ColumnKind::date) {
    meaning = spec.order == DateOrder::time ? "not a time of day" : "not a date";
    fix = fix_for_date(problem, is_of_model);
  }
  const std::int64_t more = problem.cells - 1;
  return join(lines[problem.first.row], ": column ", quote(spec.name), ": ", quote(problem.first.text), " is ", meaning,
              more > 0 ? join(" (and ", more, " more ", plural(more, "cell"), ")") : "", "; ", fix);
}

}  // namespace gcnh
