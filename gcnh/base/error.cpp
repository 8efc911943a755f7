#include "gcnh/base/error.h"

#include <algorithm>
#include <numeric>

namespace gcnh {
namespace {

// Levenshtein distance, one row of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// The same but for capital letters.
bool are_alike(std::string_view a, std::string_view b) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return small(x) == small(y); });
}

// Less than half of a word is wrong; about half of it where it begins with the same letter.
bool is_near(std::string_view word, std::string_view other, std::size_t distance) {
  const std::size_t length = std::max(word.size(), other.size());
  return 2 * distance < length || (2 * distance <= length + 1 && word.substr(0, 1) == other.substr(0, 1));
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t best = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = are_alike(word, candidate) ? 0 : edit_distance(word, candidate);
    if (distance < best && is_near(word, candidate, distance)) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

std::string plural(std::int64_t count, const std::string& one) {
  if (count == 1) return one;
  if (one.ends_with("ry")) return one.substr(0, one.size() - 1) + "ies";
  return one + (one.ends_with("s") ? "es" : "s");
}

std::string counted(std::int64_t count, const std::string& one) { return join(count, " ", plural(count, one)); }

std::string list_words(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 60, kLongest = 200;
  std::string out;
  for (std::size_t i = 0; i < std::min(words.size(), kMost); ++i) {
    const char* quote = words[i].find(' ') == std::string::npos ? "" : "'";
    out += join(i > 0 ? " " : "", quote, words[i].substr(0, kLongest), quote);
  }
  return words.size() <= kMost ? out : join(out, " and ", words.size() - kMost, " more");
}

std::string for_shell(std::string word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4) word.replace(at, 1, "'\\''");
  return "'" + word + "'";
}

}  // namespace gcnh
