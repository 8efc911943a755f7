#include "gcnh/io/column_words.h"

#include <set>
#include <unordered_map>

#include "gcnh/base/error.h"
#include "gcnh/io/cell_values.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

std::int64_t count_words(std::string_view cell) {
  std::int64_t out = 0;
  for_each_word(cell, [&](const std::string&) { ++out; });
  return out;
}

// Whether cutting cells at the mark gives short members that occur again and again.
bool makes_sets(const Present& present, char mark) {
  const auto has_mark = [&](std::string_view cell) { return cell.find(mark) != std::string_view::npos; };
  const int one_in = mark == ',' ? 5 : 20;  // commas have other uses
  if (one_in * present.count_if(has_mark) < present.count) return false;
  std::unordered_map<std::string_view, std::int64_t> counts;
  std::set<std::int64_t> sizes;
  std::int64_t members = 0, words = 0;
  present.all([&](std::string_view cell) {
    const std::int64_t before = members;
    for_each_member(cell, mark, [&](std::string_view member) {
      ++counts[member], ++members;
      words += count_words(member);
    });
    return sizes.insert(members - before), true;
  });
  const bool is_form = mark == ',' && sizes.size() == 1 && present.count >= kFewCells;  // "town, country" in every cell
  return !is_form && words <= 2 * members && 2 * std::ssize(counts) <= members;
}

}  // namespace

void find_word_kind(const Present& present, Column& out) {
  ColumnKind& kind = out.spec.kind;
  if (present.all([](std::string_view cell) { return parse_bool(cell).has_value(); })) {
    kind = ColumnKind::boolean, out.why = "yes or no";
    return;
  }
  for (const char mark : {';', '|', ','}) {
    if (!makes_sets(present, mark)) continue;
    kind = ColumnKind::multi, out.why = join("sets, members separated by '", mark, "'"), out.spec.separator = mark;
    out.is_guess = mark == ',';
    return;
  }
  std::unordered_map<std::string_view, std::int64_t> counts;
  std::int64_t words = 0;
  present.all([&](std::string_view cell) { return ++counts[cell], words += count_words(cell), true; });
  const std::int64_t distinct = std::ssize(counts);
  if (words >= 4 * present.count && 2 * distinct > present.count) {
    kind = ColumnKind::text, out.why = join("text, ", words / present.count, " words in a cell");
  } else if (present.count >= kFewCells && 10 * distinct > 9 * present.count) {
    kind = ColumnKind::ignore, out.why = "nearly every value is different, as names are", out.is_guess = true;
  } else {
    kind = ColumnKind::cat, out.why = counted(distinct, "word"), out.is_guess = 2 * distinct > present.count;
  }
}

}  // namespace gcnh
