#include "gcnh/io/csv_write.h"

namespace gcnh {

std::string csv_field(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool padded = !text.empty() && (is_blank(text.front()) || is_blank(text.back()));  // readers cut them off
  if (!padded && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace gcnh
