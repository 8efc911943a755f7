// Changes to the lines of a journal.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/program.h"

namespace gcnh::testing {

// The file with a field of one line's result changed, or taken out where the value is null.
inline void edit_result(const std::filesystem::path& path, std::size_t number, const std::string& field,
                        const nlohmann::ordered_json& value) {
  std::string text;
  std::istringstream lines(slurp(path));
  std::size_t at = 0;
  for (std::string line; std::getline(lines, line);) {
    nlohmann::ordered_json entry = nlohmann::ordered_json::parse(line);
    if (++at == number && value.is_null()) entry["result"].erase(field);
    if (at == number && !value.is_null()) entry["result"][field] = value;
    text += entry.dump() + "\n";
  }
  std::ofstream(path) << text;
}

}  // namespace gcnh::testing
