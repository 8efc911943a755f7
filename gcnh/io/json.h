// JSON from files, for source files that read it.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "gcnh/io/depth.h"

namespace gcnh {

// Text that is no JSON is the parser's exception, for the caller to say what the file should have been.
template <class Json>
Json parse_json(std::string_view text, const std::string& where, int first_line = 1) {
  check_json_depth(text, where, first_line);
  return Json::parse(text.begin(), text.end());
}

// JSON has no NaN and says null.
template <class Json>
double number_or_nan(const Json& j) {
  return j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.template get<double>();
}

}  // namespace gcnh
