#include "gcnh/io/unmet_ids.h"

#include <algorithm>
#include <cctype>

#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// An id without what spreadsheets and scripts add or drop: blanks, case, zeros in front and behind a decimal point.
std::string plain_id(std::string_view id) {
  std::string out;
  for (const char c : id)
    if (!std::isspace(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!parse_number<double>(out)) return out;
  if (out.find('.') != std::string::npos && out.find('e') == std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  const std::size_t begin = out.find_first_not_of('0');
  return begin == std::string::npos ? "0" : out.substr(begin);
}

// A known id that is only written in another way, or nothing.
std::string near_match(const Ids& known, const std::string& id) {
  const std::string plain = plain_id(id);
  std::string out;
  for (const auto& [other, number] : known)
    if (plain_id(other) == plain && (out.empty() || other < out)) out = other;
  return out;
}

}  // namespace

void UnmetIds::add(const Rows& rows, const std::string& id) {
  distinct_.insert(std::hash<std::string>()(id));
  if (mentions_++ > 0) return;
  first_ = id;
  where_ = join(rows.name(), ":", rows.line());
}

std::string UnmetIds::note(const Rows& rows, std::int64_t skipped) const {
  const std::int64_t ids = std::ssize(distinct_);
  return join(rows.name(), ": ", counted(skipped, "edge"), " left out, of ", counted(ids, "id"), " that ", table_,
              " lacks; the first is ", quote(first_));
}

void UnmetIds::check(std::int64_t edges) const {
  if (mentions_ == 0) return;
  const std::string near = near_match(known_, first_);
  const std::int64_t more = std::ssize(distinct_) - 1;
  const std::string times = mentions_ == 1 ? "" : join("named ", mentions_, " times in ", edges, " edges");
  const std::string others =
      times.empty() ? ""
      : more == 0   ? join(" (", times, ")")
                    : join(" (nor ", more == 1 ? "is " : "are ", counted(more, "other id"), "; they are ", times, ")");
  const std::string fix = near.empty() ? "add a row for it there, or `skip_unknown_ids` to leave such edges out"
                                       : join(quote(near), " is: write ids the same way in both files");
  throw UnmetIdsError(Status::data, join(where_, ": node ", quote(first_), " is not in ", table_, others, "; ", fix));
}

}  // namespace gcnh
