#include "gcnh/io/file_kind.h"

#include <algorithm>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

using namespace std::string_view_literals;

struct Packed {
  std::string_view magic;
  const char* name;
  const char* unpack;
};

constexpr Packed kPacked[] = {{"\x1f\x8b"sv, "gzip", "gunzip -k"},
                              {"\xfd"
                               "7zXZ\0"sv,
                               "xz", "unxz -k"},
                              {"\x28\xb5\x2f\xfd"sv, "zstd", "unzstd -k"}};

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
  for (const Packed& packed : kPacked)
    if (bytes.starts_with(packed.magic))
      return join("is compressed with ", packed.name, "; unpack it first: ", packed.unpack, " ", path);
  const bool bzip2 = bytes.size() > 4 && bytes.starts_with("BZh") && bytes.substr(4).starts_with("1AY&SY");
  if (bzip2)  // its first three letters alone may be a word
    return "is compressed with bzip2; unpack it first: bunzip2 -k " + path;
  if (bytes.starts_with("PK\x03\x04"sv)) return zip_kind(bytes, path);
  if (bytes.starts_with("\xd0\xcf\x11\xe0"sv)) return kSpreadsheet;
  // Of a long file only the beginning is here, but no text holds zeros.
  if (bytes.starts_with("PAR1") && (bytes.ends_with("PAR1") || bytes.find('\0') != bytes.npos))
    return "is a Parquet file; save the table as CSV";
  if (bytes.starts_with("\x93NUMPY"sv)) return "is a NumPy array; save it as CSV with a line of column names";
  if (is_safetensors(bytes)) return "is a model file (safetensors); predict takes it as `model`";
  if (is_web_page(bytes)) return "is a web page; download the file itself, not the page that shows it";
  return "";
}

}  // namespace

void require_text(std::string_view bytes, const std::string& path) {
  const std::string kind = kind_of(bytes, path);
  require(kind.empty(), path, " ", kind);
}

}  // namespace gcnh
