// Lists of names in one argument: city,job. A name with a comma stands in double quotes, as in CSV: "rent, paid",city.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gcnh {

// The bytes of a name in quotes at the front, quotes included; 0: there is none.
std::size_t quoted_size(std::string_view text);
std::string unquoted(std::string_view quoted);

// The names between commas, without the blanks and quotes around them.
std::vector<std::string> split_list(std::string_view text);

// The name as it stands in such a list, or before one of the marks.
std::string in_list(const std::string& name, std::string_view marks = "");

}  // namespace gcnh
