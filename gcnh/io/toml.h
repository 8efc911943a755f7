// TOML from files, for source files that read it.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "gcnh/base/error.h"

namespace gcnh {

// Throws a data error with file and line for text that is no TOML, that is too deep, or that no person wrote.
toml::table parse_toml(const std::string& path);

template <class... Parts>
[[noreturn]] void fail_at(Status status, const std::string& file, const toml::node& value, const Parts&... parts) {
  fail(status, file, ":", value.source().begin.line, ": ", parts...);
}

// A number, a word, true or false as text; anything else is a data error.
std::string toml_text(const std::string& file, const toml::node& value);

}  // namespace gcnh
