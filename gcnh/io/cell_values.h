// What a single cell of a table can mean.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gcnh {

// true, yes, 1 and their opposites, in any case.
std::optional<bool> parse_bool(std::string_view cell);

// The name of a category: the cell, but 3 for 3.0, as spreadsheets write whole numbers beside empty cells.
std::string_view category(std::string_view cell);

// The members of a set, without blanks, brackets and quotes around them.
void for_each_member(std::string_view cell, char separator, const std::function<void(std::string_view)>& f);

// The words of a text of at least two letters, in lower case.
void for_each_word(std::string_view text, const std::function<void(std::string)>& f);

}  // namespace gcnh
