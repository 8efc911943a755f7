#include "gcnh/io/feature_spec.h"

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/base/names.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// "interests(|)": the name, which may be in quotes, and what stands in brackets at its end.
std::pair<std::string, std::string> name_and_brackets(const std::string& word) {
  const std::size_t quoted = quoted_size(word);
  if (quoted > 0 && quoted == word.size()) return {unquoted(word), ""};
  const std::size_t open = quoted > 0 ? quoted : word.rfind('(');
  if (open >= word.size() || open == 0 || word[open] != '(' || !word.ends_with(')')) return {word, ""};
  const std::string name = word.substr(0, open);
  return {quoted > 0 ? unquoted(name) : name, word.substr(open + 1, word.size() - open - 2)};
}

ColumnSpec parse_column(ColumnKind kind, const std::string& word) {
  const auto [name, inside] = name_and_brackets(word);
  ColumnSpec out{.name = name, .kind = kind};
  if (kind == ColumnKind::multi && !inside.empty()) {
    if (inside.size() != 1) fail(Status::usage, "features: '", word, "': a separator is one character");
    out.separator = inside[0];
  } else if (kind == ColumnKind::text && !inside.empty()) {
    const auto buckets = inside.starts_with("hash=") ? parse_number<Index>(inside.substr(5)) : std::nullopt;
    if (!buckets || *buckets < 1 || *buckets > kMostBuckets)
      fail(Status::usage, "features: '", word, "': text takes (hash=N) with N in 1..", kMostBuckets);
    out.buckets = *buckets;
  } else if (kind == ColumnKind::date && (inside == "dmy" || inside == "mdy" || inside == "time")) {
    parse_text("features", inside, out.order.emplace());
  } else if (kind == ColumnKind::num && (inside == "," || inside == ".")) {
    out.point = inside[0];
  } else if (!inside.empty()) {
    out.name = word;  // brackets are part of the column's name
  }
  return out;
}

// The words between commas; one in brackets is a separator of sets, and those in quotes are part of a name.
std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> out(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_brackets = i > 0 && text[i - 1] == '(' && i + 1 < text.size() && text[i + 1] == ')';
    const std::size_t quoted = out.back().empty() ? quoted_size(std::string_view(text).substr(i)) : 0;
    if (text[i] == ',' && !in_brackets) {
      out.emplace_back();
    } else if (quoted > 0) {
      out.back() = text.substr(i, quoted);
      i += quoted - 1;
    } else {
      out.back() += text[i];
    }
  }
  return out;
}

// The words between blanks; what is in quotes behind a colon or a comma is one of them, or part of one.
std::vector<std::string> split_words(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string> out;
  bool in_word = false;
  char before = ',';  // the last character that is no blank
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (kBlanks.find(text[i]) != kBlanks.npos) {
      in_word = false;
      continue;
    }
    if (!in_word) out.emplace_back();
    in_word = true;
    const std::size_t quoted = before == ':' || before == ',' ? quoted_size(text.substr(i)) : 0;
    out.back() += text.substr(i, std::max<std::size_t>(quoted, 1));
    if (quoted > 0) i += quoted - 1;
    before = text[i];
  }
  return out;
}

// "date:hired on(mdy) rest": the parts between blanks; a name may have blanks of its own.
std::vector<std::string> split_parts(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& word : split_words(text)) {
    const bool has_kind = word.find(':') < word.find('"');
    if (out.empty() || out.back() == "rest" || word == "rest" || has_kind) {
      out.push_back(word);
    } else {
      out.back() += (out.back().ends_with(',') ? "" : " ") + word;
    }
  }
  return out;
}

}  // namespace

void declare(FeatureSpec& spec, ColumnSpec column) {
  const auto same = [&](const ColumnSpec& other) { return other.name == column.name; };
  const auto found = std::find_if(spec.columns.begin(), spec.columns.end(), same);
  if (found != spec.columns.end())
    fail(Status::usage, "column '", column.name, "' is declared twice, as ", to_word(found->kind), " and as ",
         to_word(column.kind));
  spec.columns.push_back(std::move(column));
}

FeatureSpec parse_feature_spec(const std::string& text) {
  FeatureSpec out{.others = OtherColumns::ignore};
  for (const std::string& word : split_parts(text)) {
    if (word == "rest") {
      out.others = OtherColumns::find;
      continue;
    }
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos)
      fail(Status::usage, "features: '", word, "' is not of the form kind:column,column, for example cat:city,job");
    ColumnKind kind{};
    parse_text("features", word.substr(0, colon), kind);
    if (kind == ColumnKind::num && word.substr(colon + 1) == "rest") {
      out.others = OtherColumns::num;
      continue;
    }
    for (const std::string& name : split_names(word.substr(colon + 1))) {
      if (name.empty()) fail(Status::usage, "features: '", word, "': a column's name is empty");
      declare(out, parse_column(kind, name));
    }
  }
  if (out.columns.empty() && out.others == OtherColumns::ignore)
    fail(Status::usage, "features: no columns; for example 'num:age cat:city rest'");
  return out;
}

}  // namespace gcnh
