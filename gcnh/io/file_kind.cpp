#include "gcnh/io/file_kind.h"

#include <algorithm>
#include <filesystem>

#include "gcnh/base/error.h"
#include "gcnh/io/file_stream.h"
#include "gcnh/io/npz.h"
#include "gcnh/io/svmlight.h"
#include "gcnh/io/text.h"
#include "gcnh/io/unpack.h"

namespace gcnh {
namespace {

using namespace std::string_view_literals;

constexpr const char* kSpreadsheet = "is a spreadsheet; save the sheet as CSV (UTF-8) and give that";

// The name of a zip archive's first member: its length is at byte 26, the name itself at byte 30.
std::string_view first_member(std::string_view zip) {
  if (zip.size() < 30) return {};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(zip[at]); };
  return zip.substr(30, byte(26) + 256u * byte(27));
}

std::string zip_kind(std::string_view bytes, const std::string& path) {
  const std::string_view member = first_member(bytes);
  if (member.ends_with(".npy")) return "is a NumPy archive; if it holds a graph, give it as `data` " + path;
  const bool office = member == "[Content_Types].xml" || member == "mimetype" || member.starts_with("_rels/") ||
                      member.starts_with("xl/");
  return office ? kSpreadsheet : "is a zip archive; unpack it first: unzip " + path;
}

bool is_web_page(std::string_view bytes) {
  std::string begin(bytes.substr(0, 256));
  std::transform(begin.begin(), begin.end(), begin.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  begin.erase(0, begin.find_first_not_of(" \t\r\n"));
  return begin.starts_with("<!doctype html") || begin.starts_with("<html");
}

// Eight bytes with the length of the header, below 2^56, then JSON.
bool is_safetensors(std::string_view bytes) { return bytes.size() > 8 && bytes[7] == '\0' && bytes[8] == '{'; }

std::string kind_of(std::string_view bytes, const std::string& path) {
  if (is_packed(bytes)) return "is packed twice; unpack it once";
  if (bytes.starts_with("PK\x03\x04"sv)) return zip_kind(bytes, path);
  if (bytes.starts_with("\xd0\xcf\x11\xe0"sv)) return kSpreadsheet;
  // Of a long file only the beginning is here, but no text holds zeros.
  if (bytes.starts_with("PAR1") && (bytes.ends_with("PAR1") || bytes.find('\0') != bytes.npos))
    return "is a Parquet file; save the table as CSV";
  if (bytes.starts_with("SQLite format 3\0"sv)) return "is an SQLite database; give it as `sqlite`";
  if (bytes.starts_with("\x93NUMPY"sv)) return "is a NumPy array; save it as CSV with a line of column names";
  if (is_safetensors(bytes)) return "is a model file (safetensors); predict takes it as `model`";
  if (is_web_page(bytes)) return "is a web page; download the file itself, not the page that shows it";
  return "";
}

// The first line that is neither a comment nor, as that of a node without features in svmlight, a number alone.
std::string_view telling_line(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with('#')) continue;
    std::string_view rest = line.substr(0, line.find_last_not_of("\r") + 1);
    const std::string_view word = take_word(rest);
    if (!parse_number<double>(word.substr(word.starts_with('+') ? 1 : 0)) || !take_word(rest).empty()) return line;
  }
  return {};
}

FileKind npz_kind(const std::string& path) {
  const Npz file = Npz::open(path);
  return file.has("format") && file.has("shape") && file.has("data") ? FileKind::scipy_npz : FileKind::npz_graph;
}

}  // namespace

FileKind kind_of_file(const std::string& path) {
  std::error_code ignored;  // what looks at a stream takes its beginning away
  const bool is_stream = path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/");
  if (is_stream || !std::filesystem::is_regular_file(path, ignored)) return FileKind::table;
  constexpr std::size_t kEnough = std::size_t{64} << 10;
  std::string begin;
  FileStream(path).read(kEnough, begin);
  if (begin.starts_with(kByteOrderMark)) begin.erase(0, kByteOrderMark.size());
  if (begin.starts_with("PK\x03\x04"sv) && first_member(begin).ends_with(".npy")) return npz_kind(path);
  if (begin.starts_with("\x93NUMPY"sv)) return FileKind::npy;
  if (begin.starts_with("%%MatrixMarket")) return FileKind::matrix_market;
  return is_svmlight(telling_line(begin)) ? FileKind::svmlight : FileKind::table;
}

std::string flaw_of_text(std::string_view line) {
  if (line.find('\0') != std::string_view::npos) return "a NUL byte; is the file UTF-16? save it as UTF-8";
  return is_utf8(line) ? ""
                       : "not UTF-8; save the file in that encoding, in Excel as CSV UTF-8; if it is Windows-1252, "
                         "iconv -f WINDOWS-1252 "
                         "-t UTF-8 FILE converts it";
}

void require_text(std::string_view bytes, const std::string& path) {
  const std::string kind = kind_of(bytes, path);
  require(kind.empty(), path, " ", kind);
}

}  // namespace gcnh
