// Options as JSON, for source files that write or read it: numbers as numbers, words as words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gcnh/base/options.h"

namespace gcnh {

inline nlohmann::ordered_json option_json(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  const nlohmann::ordered_json number = nlohmann::ordered_json::parse(text, nullptr, false);
  return number.is_number() ? number : nlohmann::ordered_json(text);
}

inline nlohmann::ordered_json options_json(const OptionValues& options) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& [name, value] : options) out[name] = option_json(value);
  return out;
}

}  // namespace gcnh
