#include "gcnh/base/options.h"

#include <charconv>
#include <cmath>

namespace gcnh {
namespace {

template <class Number>
bool parse_number(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && !text.empty();
}

}  // namespace

std::string Range::text() const {
  if (std::isinf(least)) return "";
  std::string out = to_text(least);
  out = std::isinf(most) ? (least_excluded ? "above " : "at least ") + out : out + ".." + to_text(most);
  if (most_excluded) out += join(" (", to_text(most), " excluded)");
  return *note ? join(out, "; ", note) : out;
}

void Range::check(std::string_view option, double value) const {
  const bool fits_least = least_excluded ? value > least : value >= least;
  const bool fits_most = most_excluded ? value < most : value <= most;
  if (fits_least && fits_most) return;
  if (std::isfinite(most)) fail(Status::usage, option, ": ", to_text(value), " is outside ", text());
  fail(Status::usage, option, ": ", to_text(value), least_excluded ? " is not above " : " is below ", to_text(least),
       *note ? "; " : "", note);
}

std::string option_name(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::string to_text(double value) {
  char buffer[32];
  // 1e+05 would be shorter than 100000, but no int.
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  const auto [end, error] = whole ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed)
                                  : std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

bool read_number(const std::string& text, int& value) { return parse_number(text, value); }
bool read_number(const std::string& text, double& value) { return parse_number(text, value) && std::isfinite(value); }

void parse_text(std::string_view name, const std::string& text, int& value) {
  if (!read_number(text, value)) fail(Status::usage, name, ": '", text, "' is not a whole number");
}

void parse_text(std::string_view name, const std::string& text, double& value) {
  if (!read_number(text, value)) fail(Status::usage, name, ": '", text, "' is not a number");
}

void parse_text(std::string_view name, const std::string& text, bool& value) {
  value = require_one_of(name, text, {"true", "false"}) == 0;
}

std::size_t require_one_of(std::string_view option, const std::string& value, const std::vector<std::string>& allowed) {
  const auto found = std::find(allowed.begin(), allowed.end(), value);
  if (found == allowed.end())
    fail(Status::usage, option, ": unknown value '", value, "'; allowed: ", list_words(allowed),
         did_you_mean(value, allowed));
  return static_cast<std::size_t>(found - allowed.begin());
}

std::vector<std::string> texts_of(const Words& words) {
  std::vector<std::string> out;
  for (const Word& word : words) out.emplace_back(word.text);
  return out;
}

std::string help_with(const std::string& help, const Words& words) {
  std::string list;
  for (const Word& word : words) {
    list += join(list.empty() ? "" : " | ", word.text);
    if (*word.help) list += join(" (", word.help, ")");
  }
  return help + (help.empty() ? "" : ": ") + list;
}

}  // namespace gcnh
