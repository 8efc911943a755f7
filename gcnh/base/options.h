// Options are declared once, in a struct with visit(f) calling f(name, field, help) for each field. Command line, help,
// recipes, model files and reports all walk visit; values travel between them as text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gcnh/base/error.h"

namespace gcnh {

using OptionValues = std::map<std::string, std::string>;

struct OptionInfo {
  std::string name;
  std::string value;
  std::string help;
};

// A name as users may write it: weight-decay, like the flag, is weight_decay.
std::string option_name(std::string_view text);

std::string to_text(double value);  // shortest form that reads back to the same number
void parse_text(std::string_view name, const std::string& text, int& value);
void parse_text(std::string_view name, const std::string& text, double& value);
void parse_text(std::string_view name, const std::string& text, bool& value);

// Names, current values and help of all options.
template <class Options>
std::vector<OptionInfo> describe(Options options = {}) {
  std::vector<OptionInfo> out;
  options.visit([&](const char* name, auto& field, const char* help) {
    using Field = std::remove_reference_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, std::string>) {
      out.push_back({name, field, help});
    } else if constexpr (std::is_same_v<Field, bool>) {
      out.push_back({name, field ? "true" : "false", help});
    } else {
      out.push_back({name, to_text(static_cast<double>(field)), help});
    }
  });
  return out;
}

template <class Options>
OptionValues to_values(const Options& options) {
  OptionValues out;
  for (const OptionInfo& info : describe(options)) out[info.name] = info.value;
  return out;
}

// Sets the options that `values` names; names that Options does not have are left to others.
template <class Options>
void assign(Options& options, const OptionValues& values) {
  options.visit([&](const char* name, auto& field, const char*) {
    const auto found = values.find(name);
    if (found == values.end()) return;
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, std::string>) {
      field = found->second;
    } else {
      parse_text(name, found->second, field);
    }
  });
}

// Throws a usage error unless `value` is one of the allowed words.
void require_one_of(std::string_view option, const std::string& value, const std::vector<std::string>& allowed);

void require_positive(std::string_view option, int value);
// A probability below 1.
void require_share(std::string_view option, double value);

}  // namespace gcnh
