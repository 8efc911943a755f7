#include "gcnh/io/csv_write.h"

namespace gcnh {

std::string csv_field(std::string_view text) {
  const bool padded = text.starts_with(' ') || text.ends_with(' ');  // some readers cut blanks at the ends
  if (!padded && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace gcnh
