#include "gcnh/report/escape.h"

#include <cstdint>
#include <map>

namespace gcnh::report {
namespace {

constexpr char32_t kBroken = 0xFFFD;

// Takes the first character off a text that is not empty; broken bytes one by one.
char32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  char32_t c = length < 2 ? first : first & (0xFFu >> (length + 1));
  bool valid = length > 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = byte(i) >> 6 == 2;
    c = c << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms of the same character are not allowed
  valid = valid && c >= kLeast[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
  text.remove_prefix(valid ? length : 1);
  return valid ? c : kBroken;
}

void append_utf8(std::string& out, char32_t c) {
  const auto push = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    push(c);
  } else if (c < 0x800) {
    push(0xC0 | c >> 6), push(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    push(0xE0 | c >> 12), push(0x80 | (c >> 6 & 0x3F)), push(0x80 | (c & 0x3F));
  } else {
    push(0xF0 | c >> 18), push(0x80 | (c >> 12 & 0x3F)), push(0x80 | (c >> 6 & 0x3F)), push(0x80 | (c & 0x3F));
  }
}

bool turns_direction(char32_t c) {
  return c == 0x200E || c == 0x200F || c == 0x061C || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

using Replacements = std::map<char32_t, std::string>;

// Every character through the table; those it does not name stay.
std::string replace(std::string_view text, const Replacements& table) {
  std::string out;
  while (!text.empty()) {
    char32_t c = take_character(text);
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
    if (turns_direction(c)) {
      constexpr char kDigits[] = "0123456789ABCDEF";
      out += "(U+";
      for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[c >> shift & 15];
      out += ")";
      continue;
    }
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF) c = kBroken;
    const auto found = table.find(c);
    if (found != table.end()) {
      out += found->second;
    } else {
      append_utf8(out, c);
    }
  }
  return out;
}

}  // namespace

std::string clean_text(std::string_view text) { return replace(text, {}); }

std::string escape_html(std::string_view text) {
  static const Replacements table = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},
                                     {'"', "&quot;"}, {'\'', "&#39;"}, {'`', "&#96;"}};
  return replace(text, table);
}

std::string escape_latex(std::string_view text) {
  static const Replacements table = {{'\\', "\\textbackslash{}"},
                                     {'{', "\\{"},
                                     {'}', "\\}"},
                                     {'$', "\\$"},
                                     {'&', "\\&"},
                                     {'#', "\\#"},
                                     {'_', "\\_"},
                                     {'%', "\\%"},
                                     {'~', "\\textasciitilde{}"},
                                     {'^', "\\textasciicircum{}"},
                                     {'<', "$<$"},
                                     {'>', "$>$"},
                                     {'|', "$|$"},
                                     {U'±', "$\\pm$"},
                                     {U'−', "$-$"},
                                     {U'×', "$\\times$"},
                                     {U'≤', "$\\le$"},
                                     {U'≥', "$\\ge$"},
                                     {U'≈', "$\\approx$"},
                                     {U'β', "$\\beta$"},
                                     {U'σ', "$\\sigma$"},
                                     {U'√', "$\\surd$"},
                                     {U'–', "--"},
                                     {U'…', "\\ldots{}"},
                                     {0x202F, "\\,"},
                                     {0x00A0, "~"}};
  return replace(text, table);
}

std::string escape_markdown(std::string_view text) {
  static const Replacements table = {{'\\', "\\\\"}, {'|', "\\|"}, {'*', "\\*"}, {'_', "\\_"},  {'`', "\\`"},
                                     {'[', "\\["},   {']', "\\]"}, {'~', "\\~"}, {'<', "&lt;"}, {'&', "&amp;"}};
  return replace(text, table);
}

std::string to_winansi(std::string_view text) {
  static const std::map<char32_t, std::string> table = {
      {U'€', "\x80"}, {U'…', "\x85"},   {U'†', "\x86"},  {U'‘', "\x91"}, {U'’', "\x92"},
      {U'“', "\x93"}, {U'”', "\x94"},   {U'•', "\x95"},  {U'–', "\x96"}, {U'—', "\x97"},
      {U'−', "\x96"}, {U'≈', "~"},      {U'≤', "<="},    {U'≥', ">="},   {U'α', "alpha"},
      {U'β', "beta"}, {U'λ', "lambda"}, {U'σ', "sigma"}, {U'√', "sqrt"}, {0x202F, " "}};
  const std::string clean = clean_text(text);
  std::string out;
  for (std::string_view rest = clean; !rest.empty();) {
    const char32_t c = take_character(rest);
    const auto found = table.find(c);
    if (found != table.end()) {
      out += found->second;
    } else {
      out += c < 0x7F || (c >= 0xA0 && c <= 0xFF) ? static_cast<char>(c) : '?';
    }
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += is_wide(take_character(text)) ? 2 : 1;
  return width;
}

std::string shorten(std::string_view text, std::size_t width) {
  const std::string clean = clean_text(text);
  if (display_width(clean) <= width) return clean;
  std::string out;
  std::size_t used = 1;
  for (std::string_view rest = clean; !rest.empty();) {
    const char32_t c = take_character(rest);
    used += is_wide(c) ? 2 : 1;
    if (used > width) break;
    append_utf8(out, c);
  }
  return out + "…";
}

}  // namespace gcnh::report
