// What kind of file is this? By its content, whatever it is called.
#pragma once

#include <string>
#include <string_view>

namespace gcnh {

// The mark that some editors put in front of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

enum class FileKind { table, matrix_market, svmlight, npz_graph, scipy_npz, npy };

// Pipes are tables, since their beginning can be read once only. What is none of the others is a table, too.
FileKind kind_of_file(const std::string& path);

// Throws a data error that says what the file is and what to do, when its first bytes are those of a known kind of
// file that is no table: packed, a spreadsheet, an .npz, a model, a web page.
void require_text(std::string_view bytes, const std::string& path);

// What keeps a line from being text that can be read; empty: nothing does.
std::string flaw_of_text(std::string_view line);

}  // namespace gcnh
