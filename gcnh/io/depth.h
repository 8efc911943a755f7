// How deep text of a file may be nested. Parsers and what they build call themselves once per level, so a hostile file
// could use up the stack; these checks read the text once, before any parser does.
#pragma once

#include <string>
#include <string_view>

namespace gcnh {

// Throw a data error with place and line when the text is nested deeper than 64 levels; no file of ours needs ten.
void check_json_depth(std::string_view text, const std::string& where, int first_line = 1);
// Brackets, and the parts of a dotted key.
void check_toml_depth(std::string_view text, const std::string& where);

}  // namespace gcnh
