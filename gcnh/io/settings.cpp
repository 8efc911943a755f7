#include "gcnh/io/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "gcnh/base/options.h"
#include "gcnh/io/toml.h"

namespace gcnh {
namespace {

// Nobody can type the byte 0, and names of files would end there.
std::string text_in(const std::string& file, const toml::node& value) {
  std::string out = toml_text(file, value);
  if (out.find('\0') != std::string::npos) fail_at(Status::data, file, value, "a value holds the character U+0000");
  return out;
}

Setting read_setting(const std::string& file, const std::string& table, const toml::key& key, const toml::node& value) {
  Setting out{table, option_name(key.str()), {}, value.is_array(), static_cast<int>(value.source().begin.line)};
  if (const toml::array* list = value.as_array()) {
    for (const toml::node& entry : *list) out.values.push_back(text_in(file, entry));
  } else {
    out.values = {text_in(file, value)};
  }
  return out;
}

void add_settings(const std::string& file, const std::string& name, const toml::table& table,
                  std::vector<Setting>& out) {
  std::set<std::string> seen;
  for (const auto& [key, value] : table) {
    if (const toml::table* inner = value.as_table()) {
      add_settings(file, name.empty() ? std::string(key.str()) : join(name, " ", key.str()), *inner, out);
      continue;
    }
    out.push_back(read_setting(file, name, key, value));
    if (!seen.insert(out.back().key).second) fail_at(Status::data, file, value, "'", key.str(), "' is set twice");
  }
}

}  // namespace

std::vector<Setting> read_settings(const std::string& path) {
  std::vector<Setting> out;
  add_settings(path, "", parse_toml(path), out);
  std::stable_sort(out.begin(), out.end(), [](const Setting& a, const Setting& b) { return a.line < b.line; });
  return out;
}

std::string toml_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    out += byte < 0x20 || byte == 0x7F ? fmt::format("\\u{:04X}", byte) : std::string(1, c);
  }
  return out + "\"";
}

}  // namespace gcnh
