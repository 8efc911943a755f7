#include "gcnh/base/options.h"

#include <algorithm>
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

std::string option_name(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::string to_text(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

void parse_text(std::string_view name, const std::string& text, int& value) {
  if (!parse_number(text, value)) fail(Status::usage, name, ": '", text, "' is not a whole number");
}

void parse_text(std::string_view name, const std::string& text, double& value) {
  if (!parse_number(text, value) || !std::isfinite(value)) fail(Status::usage, name, ": '", text, "' is not a number");
}

void parse_text(std::string_view name, const std::string& text, bool& value) {
  require_one_of(name, text, {"true", "false"});
  value = text == "true";
}

void require_one_of(std::string_view option, const std::string& value, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  fail(Status::usage, option, ": unknown value '", value, "'; allowed: ", list_words(allowed),
       did_you_mean(value, allowed));
}

void require_positive(std::string_view option, int value) {
  if (value < 1) fail(Status::usage, option, ": ", value, " is below 1");
}

void require_share(std::string_view option, double value) {
  if (value < 0 || value >= 1) fail(Status::usage, option, ": ", value, " is outside 0..1 (1 excluded)");
}

}  // namespace gcnh
