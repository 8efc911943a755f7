#include "gcnh/base/names.h"

#include <algorithm>

namespace gcnh {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Where the first name of a list ends.
std::size_t first_size(std::string_view list) {
  const std::size_t begin = std::min(list.find_first_not_of(kBlanks), list.size());
  const std::size_t quoted = begin + quoted_size(list.substr(begin));
  const std::size_t end = std::min(list.find(',', quoted), list.size());
  const bool is_quoted = without_blanks(list.substr(quoted, end - quoted)).empty();
  return is_quoted ? end : std::min(list.find(','), list.size());
}

}  // namespace

std::size_t quoted_size(std::string_view text) {
  if (!text.starts_with('"')) return 0;
  for (std::size_t at = text.find('"', 1); at != text.npos; at = text.find('"', at + 2))
    if (!text.substr(at + 1).starts_with('"')) return at + 1;
  return 0;
}

std::string unquoted(std::string_view quoted) {
  std::string out;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    out += quoted[i];
    if (quoted[i] == '"') ++i;  // it is written twice
  }
  return out;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t end = first_size(text);
    const std::string_view name = without_blanks(text.substr(0, end));
    const bool is_quoted = !name.empty() && quoted_size(name) == name.size();
    out.push_back(is_quoted ? unquoted(name) : std::string(name));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

std::string in_list(const std::string& name, std::string_view marks) {
  if (name.find(',') == name.npos && name.find_first_of(marks) == name.npos && !name.starts_with('"')) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace gcnh
