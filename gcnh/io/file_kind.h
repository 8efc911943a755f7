// Files that are not the text somebody took them for.
#pragma once

#include <string>
#include <string_view>

namespace gcnh {

// Throws a data error that says what the file is and what to do, when its first bytes are those of a known kind of
// file that is no table: packed, a spreadsheet, an .npz, a model, a web page.
void require_text(std::string_view bytes, const std::string& path);

}  // namespace gcnh
